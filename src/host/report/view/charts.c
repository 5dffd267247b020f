#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "frame/findings_text.h"
#include "memory/memory.h"
#include "report/view/document.h"

/*
 * Bins are parts of the frame interval, so the deadline falls between two of them:
 * eighths up to two intervals, where most frames are, then wider ones. A bin contains the
 * times above its lower edge, up to and including its upper edge.
 */
static const double edges[] = {0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875,
                               1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875,
                               2, 3,     4,    6,     9,   15,    30,   60};
/* The edges for a picture, whose axis is linear. So all times of more than four intervals
 * share a bar. */
static const double picture_edges[] = {
    0,     0.125, 0.25,  0.375, 0.5,  0.625, 0.75, 0.875, 1,    1.125, 1.25, 1.375, 1.5,
    1.625, 1.75,  1.875, 2,     2.25, 2.5,   2.75, 3,     3.25, 3.5,   3.75, 4};
#define PICTURE_INTERVALS 4.0
/* The width of the bar for all times of more than four intervals. */
#define OPEN_BAR_INTERVALS 0.5
enum {
    DEADLINE_EDGE = 8,
    /* If there are more frames, several share a column of the chart. */
    COLUMNS_MAX = 480,
    PAIRS_UP_TO_MS = 32,
    PROFILE_PARTS = 4,
    WORST_MAX = 8
};

struct bins {
    double from_ms[DJ_FRAME_BUCKETS + 1];
    double end_ms; /* The end of the last bin, or NaN if it has no end. */
    uint64_t frames[DJ_FRAME_BUCKETS];
    size_t count;
    size_t deadline; /* The first bin after the deadline. */
};

static void count_exact(const struct dj_view *view, bool is_picture, struct bins *bins)
{
    const double *list = is_picture ? picture_edges : edges;
    double interval_ms = dj_units_ms(view->interval_ns);
    *bins = (struct bins){.count = is_picture ? COUNT_OF(picture_edges) : COUNT_OF(edges),
                          .deadline = DEADLINE_EDGE,
                          .end_ms = NAN};
    if (is_picture) {
        bins->end_ms = (PICTURE_INTERVALS + OPEN_BAR_INTERVALS) * interval_ms;
    }
    for (size_t i = 0; i < bins->count; i++) {
        bins->from_ms[i] = list[i] * interval_ms;
    }
    for (size_t i = 0; i < view->frame_count; i++) {
        double part = (double)view->frames[i].frame_time_ns / (double)view->interval_ns;
        size_t bin = 0;
        while (bin + 1 < bins->count && part > list[bin + 1]) {
            bin++;
        }
        bins->frames[bin]++;
    }
}

/* Counts frames by hwui's buckets. Two neighbouring buckets of 1 ms share a bin. */
static void count_hwui(const struct dj_view *view, bool is_picture, struct bins *bins)
{
    uint32_t edges_ms[DJ_FRAME_BUCKETS];
    double interval_ms = dj_units_ms(view->interval_ns);
    dj_view_get_bucket_edges(edges_ms);
    *bins = (struct bins){.end_ms = NAN};
    for (size_t bucket = 0; bucket < DJ_FRAME_BUCKETS; bucket++) {
        uint32_t from_ms = edges_ms[bucket];
        bool is_pair = bucket > 1 && from_ms <= PAIRS_UP_TO_MS && from_ms % 2 == 1;
        bool is_beyond =
            is_picture && bins->count > 0 &&
            bins->from_ms[bins->count - 1] >= PICTURE_INTERVALS * interval_ms;
        if (bins->count == 0 || !(is_pair || is_beyond)) {
            bins->from_ms[bins->count++] = from_ms;
        }
        bins->frames[bins->count - 1] += view->hwui->stats.frame_histogram[bucket];
    }
    if (is_picture) {
        bins->end_ms = bins->from_ms[bins->count - 1] + OPEN_BAR_INTERVALS * interval_ms;
    }
    while (bins->deadline < bins->count &&
           bins->from_ms[bins->deadline] * 1e6 < (double)view->interval_ns) {
        bins->deadline++;
    }
}

/* Adds the bins of one side of the deadline, without empty bins at both ends. */
static void add_bins(struct dj_chart *chart, const struct bins *bins, bool late)
{
    size_t first = bins->count, last = bins->deadline;
    for (size_t i = 0; i < bins->count; i++) {
        first = bins->frames[i] > 0 && i < first ? i : first;
        last = bins->frames[i] > 0 && i > last ? i : last;
    }
    dj_chart_add_series(chart, late ? "over the deadline" : "within the deadline",
                        DJ_MARK_BAR, late ? DJ_ROLE_BAD : DJ_ROLE_GOOD);
    for (size_t i = first; i <= last && i < bins->count; i++) {
        if ((i >= bins->deadline) == late) {
            dj_chart_add_bar(chart, bins->from_ms[i],
                             i + 1 < bins->count ? bins->from_ms[i + 1] : bins->end_ms,
                             (double)bins->frames[i], NULL);
        }
    }
}

/* Appends the meaning of the last bar of a picture to the title. */
static void append_open_bar(struct dj_text *title, const struct bins *bins)
{
    if (isfinite(bins->end_ms) && bins->frames[bins->count - 1] > 0) {
        dj_text_format(title, "; the last bar contains all frames over %.4g ms",
                       bins->from_ms[bins->count - 1]);
    }
}

static void add_histogram(struct dj_document *document, const struct dj_view *view,
                          const char *title, const struct bins *bins)
{
    char deadline[64];
    struct dj_text words = {0};
    dj_text_format(&words, "%s (ms, frames", title);
    append_open_bar(&words, bins);
    dj_text_add(&words, ")");
    struct dj_chart *chart = dj_chart_create(dj_xtext(&words));
    dj_text_finish(&words);
    dj_chart_set_x(chart, "frame time", "ms");
    dj_chart_set_y(chart, "frames", "", true);
    add_bins(chart, bins, false);
    add_bins(chart, bins, true);
    snprintf(deadline, sizeof(deadline), "deadline %.2f ms%s",
             dj_units_ms(view->interval_ns), view->interval_assumed ? " (assumed)" : "");
    dj_chart_add_threshold(chart, true, dj_units_ms(view->interval_ns), DJ_ROLE_DEADLINE,
                           deadline);
    dj_document_add_chart(document, chart);
}

/* Adds a note if frames over the deadline line are not janky. */
static void explain_deadline(struct dj_document *document, const struct dj_view *view)
{
    struct dj_text words = {0};
    size_t over = 0, in_time = 0;
    for (size_t i = 0; i < view->frame_count; i++) {
        bool is_over = view->frames[i].frame_time_ns > view->interval_ns;
        over += is_over;
        in_time += is_over && !view->frames[i].janky;
    }
    if (in_time > 0) {
        dj_text_format(
            &words,
            "The line of the deadline is at one frame interval. %zu of the %zu frames "
            "that took longer %s not janky by the rule of Android %s, for example "
            "because the deadline of such a frame was later.",
            in_time, over, in_time == 1 ? "is" : "are", view->dialect->name);
        dj_document_add_paragraph(document, &words);
    }
}

void dj_view_add_exact_histogram(struct dj_document *document, const struct dj_view *view,
                                 bool is_picture)
{
    struct bins bins;
    if (view->frame_count > 0) {
        count_exact(view, is_picture, &bins);
        add_histogram(document, view, "Frame times", &bins);
        if (!is_picture) {
            explain_deadline(document, view);
        }
    }
}

void dj_view_add_hwui_histogram(struct dj_document *document, const struct dj_view *view,
                                bool is_picture)
{
    struct bins bins;
    if (dj_view_count_hwui_frames(view) > view->frame_count) {
        count_hwui(view, is_picture, &bins);
        add_histogram(document, view, "All frames that hwui counted, in hwui's buckets",
                      &bins);
    }
}

/* The parts of a chart of stacks. */
struct parts {
    const char *title, *noun;
    size_t count; /* Number of frames or rows. */
    size_t part_count;
    const char *names[DJ_STAGE_COUNT];
    char letters[DJ_STAGE_COUNT];
    enum dj_color_role roles[DJ_STAGE_COUNT];
    uint32_t known; /* Bit mask: bit n is set if part n occurs. */
    /* Returns the duration of a part of a frame or row in ms. */
    double (*get_ms)(const struct dj_view *view, size_t index, size_t part);
};

static double get_total_ms(const struct dj_view *view, const struct parts *parts,
                           size_t index)
{
    double total = 0;
    for (size_t i = 0; i < parts->part_count; i++) {
        total += parts->get_ms(view, index, i);
    }
    return total;
}

/* Returns the longest of the frames that share a column. The column shows this frame. */
static size_t find_longest(const struct dj_view *view, const struct parts *parts,
                           size_t first, size_t end)
{
    size_t longest = first;
    for (size_t i = first; i < end; i++) {
        longest = get_total_ms(view, parts, i) > get_total_ms(view, parts, longest)
                      ? i
                      : longest;
    }
    return longest;
}

static void add_part(struct dj_chart *chart, const struct dj_view *view,
                     const struct parts *parts, size_t part)
{
    size_t per_column = (parts->count + COLUMNS_MAX - 1) / COLUMNS_MAX;
    dj_chart_add_series(chart, parts->names[part], DJ_MARK_STACK, parts->roles[part]);
    dj_chart_set_letter(chart, parts->letters[part]);
    for (size_t i = 0; i < parts->count; i += per_column) {
        size_t end = i + per_column < parts->count ? i + per_column : parts->count;
        size_t shown = per_column > 1 ? find_longest(view, parts, i, end) : i;
        dj_chart_add_point(chart, (double)(i / per_column + 1),
                           parts->get_ms(view, shown, part), NULL);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Returns the height of the chart. At most a fiftieth of the bars exceeds it, so that a
 * few high bars do not flatten all others. The height is at least three intervals. */
static double find_height(const struct dj_view *view, const struct parts *parts)
{
    double *totals = dj_xcalloc(parts->count + 1, sizeof(*totals));
    for (size_t i = 0; i < parts->count; i++) {
        totals[i] = get_total_ms(view, parts, i);
    }
    qsort(totals, parts->count, sizeof(*totals), compare_doubles);
    double most = parts->count > 0 ? totals[(parts->count - 1) * 49 / 50] : 0;
    free(totals);
    return fmax(3 * dj_units_ms(view->interval_ns), most * 1.15);
}

static void add_stacks(struct dj_document *document, const struct dj_view *view,
                       const struct parts *parts, bool is_picture)
{
    struct dj_chart *chart = dj_chart_create(parts->title);
    dj_chart_set_x(chart, parts->noun, "");
    dj_chart_set_y(chart, "time", "ms", true);
    for (size_t i = 0; i < parts->part_count; i++) {
        if ((parts->known & (1U << i)) != 0) {
            add_part(chart, view, parts, i);
        }
    }
    dj_chart_add_threshold(chart, false, dj_units_ms(view->interval_ns), DJ_ROLE_DEADLINE,
                           "deadline");
    if (is_picture && parts->count > 0) {
        chart->y.last =
            fmin(find_height(view, parts), dj_chart_compute_range(chart).y_last);
    }
    dj_document_add_chart(document, chart);
}

/* Returns the time of a stage. Returns 0 for the wait for the display, because a frame's
 * own time excludes the wait. */
static double get_stage_ms(const struct dj_view *view, size_t index, size_t stage)
{
    return stage == DJ_STAGE_WAIT ? 0 : dj_units_ms(view->frames[index].stages.ns[stage]);
}

static const char stage_letters[DJ_STAGE_COUNT] = {
    [DJ_STAGE_APP] = 'A',       [DJ_STAGE_VSYNC_DELAY] = 'V', [DJ_STAGE_INPUT] = 'I',
    [DJ_STAGE_ANIMATION] = 'N', [DJ_STAGE_LAYOUT] = 'L',      [DJ_STAGE_DRAW] = 'D',
    [DJ_STAGE_WAIT] = 'W',      [DJ_STAGE_SYNC] = 'Y',        [DJ_STAGE_ISSUE] = 'C',
    [DJ_STAGE_SWAP] = 'S'};

static enum dj_color_role get_stage_role(size_t stage)
{
    return (enum dj_color_role)(DJ_ROLE_STAGE + stage);
}

void dj_view_add_stage_chart(struct dj_document *document, const struct dj_view *view,
                             bool is_picture)
{
    struct parts parts = {
        .title = "Stages of each frame (ms; without the wait for the display)",
        .noun = "frame",
        .count = view->frame_count,
        .part_count = DJ_STAGE_COUNT,
        .known = view->stages_known & ~(1U << DJ_STAGE_WAIT),
        .get_ms = get_stage_ms};
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        parts.names[i] = dj_frame_stage_name((enum dj_stage)i);
        parts.letters[i] = stage_letters[i];
        parts.roles[i] = get_stage_role(i);
    }
    add_stacks(document, view, &parts, is_picture);
}

/* Returns the time of a part of a row. Returns 0 for a column that the release lacks,
 * whose value is negative. */
static double get_profile_ms(const struct dj_view *view, size_t index, size_t part)
{
    const struct dj_profile_row *row = &view->window->profile[index];
    const float values[PROFILE_PARTS] = {row->draw_ms, row->prepare_ms, row->process_ms,
                                         row->execute_ms};
    return values[part] > 0 ? (double)values[part] : 0;
}

void dj_view_add_profile_chart(struct dj_document *document, const struct dj_view *view,
                               bool is_picture)
{
    enum { ALL = 0xf, PREPARE = 0x2 };
    if (!dj_view_has_profile(view)) {
        return;
    }
    const struct parts parts = {
        .title = "Simple dump: the stages of each row (ms, at most 50 ms each)",
        .noun = "row",
        .count = view->window->profile_count,
        .part_count = PROFILE_PARTS,
        .names = {"Draw", "Prepare", "Process", "Execute"},
        .letters = {'D', 'R', 'P', 'E'},
        .roles = {DJ_ROLE_STAGE + DJ_STAGE_DRAW, DJ_ROLE_STAGE + DJ_STAGE_SYNC,
                  DJ_ROLE_STAGE + DJ_STAGE_ISSUE, DJ_ROLE_STAGE + DJ_STAGE_SWAP},
        .known = view->window->profile[0].prepare_ms < 0 ? ALL & ~PREPARE : ALL,
        .get_ms = get_profile_ms};
    add_stacks(document, view, &parts, is_picture);
}

/* Frames to show, each with the reason why it is shown. */
struct worst {
    const struct dj_view_frame *frames[WORST_MAX];
    const char *reasons[WORST_MAX];
    size_t count;
};

static void add_worst(struct worst *worst, const struct dj_view_frame *frame,
                      const char *reason)
{
    bool known = frame == NULL;
    for (size_t i = 0; i < worst->count; i++) {
        known = known || worst->frames[i] == frame;
    }
    if (!known && worst->count < WORST_MAX) {
        worst->frames[worst->count] = frame;
        worst->reasons[worst->count++] = reason;
    }
}

/* Returns the frame of a row, or NULL. Rows that the rule does not judge are not among
 * the frames. */
static const struct dj_view_frame *find_frame(const struct dj_view *view, size_t row)
{
    for (size_t i = 0; i < view->frame_count; i++) {
        if (view->frames[i].row == row) {
            return &view->frames[i];
        }
    }
    return NULL;
}

static void find_worst(const struct dj_view *view, struct worst *worst)
{
    enum dj_finding_id order[DJ_FINDING_COUNT];
    size_t longest[DJ_LONGEST_FRAMES];
    size_t found =
        view->findings == NULL ? 0 : dj_frame_findings_sort(view->findings, order);
    for (size_t i = 0; i < found; i++) {
        add_worst(worst, find_frame(view, view->findings->of[order[i]].worst_row + 1),
                  dj_frame_finding_get_text(order[i])->title);
    }
    size_t count = dj_view_find_longest(view, longest);
    for (size_t i = 0; i < count; i++) {
        add_worst(worst, &view->frames[longest[i]], "among the longest frames");
    }
}

/* Adds the spans of one stage of all shown frames. */
static void add_stage_spans(struct dj_chart *chart, const struct worst *worst,
                            size_t stage)
{
    dj_chart_add_series(chart, dj_frame_stage_name((enum dj_stage)stage), DJ_MARK_SPAN,
                        get_stage_role(stage));
    dj_chart_set_letter(chart, stage_letters[stage]);
    for (size_t i = 0; i < worst->count; i++) {
        const struct dj_stages *stages = &worst->frames[i]->stages;
        double start_ms = 0;
        for (size_t k = 0; k < stage; k++) {
            start_ms += k == DJ_STAGE_WAIT ? 0 : dj_units_ms(stages->ns[k]);
        }
        if (stages->ns[stage] > 0) {
            dj_chart_add_span(chart, start_ms, start_ms + dj_units_ms(stages->ns[stage]),
                              i, NULL);
        }
    }
}

void dj_view_add_worst_chart(struct dj_document *document, const struct dj_view *view)
{
    struct worst worst = {.count = 0};
    find_worst(view, &worst);
    struct dj_chart *chart = dj_chart_create("Stages of the worst frames (ms)");
    dj_chart_set_x(chart, "time since the frame's start, without waits", "ms");
    for (size_t i = 0; i < worst.count; i++) {
        char name[80];
        snprintf(name, sizeof(name), "row %zu: %s", worst.frames[i]->row,
                 worst.reasons[i]);
        dj_chart_add_tick(chart, (double)i, name);
    }
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        if ((view->stages_known & (1U << i)) != 0 && i != DJ_STAGE_WAIT) {
            add_stage_spans(chart, &worst, i);
        }
    }
    dj_chart_add_threshold(chart, true, dj_units_ms(view->interval_ns), DJ_ROLE_DEADLINE,
                           "deadline");
    dj_document_add_chart(document, chart);
}
