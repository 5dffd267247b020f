#include "jank/figures.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/checked.h"
#include "stats/quantile.h"

static const int64_t MS_NS = 1000000;

/* The times of one frame that the rules need. */
struct sample {
    const struct dj_jank_frame *frame;
    int64_t time_ns; /* Duration of the frame. */
    int64_t gap_ns;  /* Frame-to-frame time of the frame. */
};

/* Adds the answer of a rule about one frame to the totals. */
static void add_answer(struct dj_jank_totals *totals, enum dj_jank_rule_id id,
                       bool is_janky, int64_t bad_ns, int64_t gap_ns)
{
    struct dj_jank_tally *tally = &totals->tally[id];
    tally->frames++;
    tally->events += is_janky;
    tally->bad_ns = dj_checked_add_saturated(tally->bad_ns, is_janky ? bad_ns : 0);
    tally->total_ns = dj_checked_add_saturated(tally->total_ns, gap_ns);
}

static void add_hwui(struct dj_jank_totals *totals, const struct dj_jank_frame *frame)
{
    if (frame->legacy != DJ_JANK_NOT_JUDGED) {
        add_answer(totals, DJ_JANK_HWUI_LEGACY, frame->legacy == DJ_JANK_JANKY, 0, 0);
    }
    if (frame->deadline != DJ_JANK_NOT_JUDGED) {
        add_answer(totals, DJ_JANK_HWUI_DEADLINE, frame->deadline == DJ_JANK_JANKY, 0, 0);
    }
}

/* Returns the time within which a frame should be complete: until its deadline, or one
 * display interval if the deadline is unknown. Returns DJ_JANK_UNKNOWN if both are
 * unknown. */
static int64_t get_allowed_ns(const struct dj_jank_frame *frame)
{
    return frame->deadline_ns != DJ_JANK_UNKNOWN
               ? dj_checked_subtract_saturated(frame->deadline_ns, frame->start_ns)
               : frame->interval_ns;
}

static void add_durations(struct dj_jank_totals *totals, const struct sample *sample)
{
    const struct dj_jank_frame *frame = sample->frame;
    int64_t allowed_ns = get_allowed_ns(frame);
    if (frame->ui_ns != DJ_JANK_UNKNOWN && allowed_ns != DJ_JANK_UNKNOWN) {
        bool is_janky = (__int128)frame->ui_ns > 2 * (__int128)allowed_ns;
        add_answer(totals, DJ_JANK_JANKSTATS, is_janky, 0, 0);
    }
    add_answer(totals, DJ_JANK_FIREBASE_SLOW, sample->time_ns > 16 * MS_NS, 0, 0);
    add_answer(totals, DJ_JANK_FIREBASE_FROZEN, sample->time_ns > 700 * MS_NS, 0, 0);
    if (allowed_ns != DJ_JANK_UNKNOWN) {
        int64_t late_ns = dj_checked_subtract_saturated(sample->time_ns, allowed_ns);
        add_answer(totals, DJ_JANK_HITCH_RATIO, late_ns > 0, late_ns, sample->gap_ns);
    }
    if (frame->interval_ns != DJ_JANK_UNKNOWN) {
        int64_t late_ns =
            dj_checked_subtract_saturated(sample->time_ns, frame->interval_ns);
        add_answer(totals, DJ_JANK_FREEZE_TIME, late_ns > 0, late_ns, 0);
        add_answer(totals, DJ_JANK_FRAMES_DELAY, late_ns > 0, late_ns, 0);
    }
}

static void add_vitals(struct dj_jank_totals *totals, int64_t gap_ns)
{
    add_answer(totals, DJ_JANK_VITALS_20, gap_ns >= 50 * MS_NS, 0, 0);
    add_answer(totals, DJ_JANK_VITALS_30, gap_ns >= 34 * MS_NS, 0, 0);
}

/* The frame-to-frame times of the last three frames. */
struct recent {
    int64_t gap_ns[3];
    size_t count; /* Number of frames so far. */
};

/* Applies PerfDog's rules. A frame is a Jank if it takes more than twice the mean of the
 * three frames before it, and more than 84 ms (two frames of a film). It is a BigJank if
 * it also takes more than 125 ms (three frames of a film). */
static void add_perfdog(struct dj_jank_totals *totals, struct recent *recent,
                        int64_t gap_ns)
{
    if (recent->count >= 3) {
        __int128 sum =
            (__int128)recent->gap_ns[0] + recent->gap_ns[1] + recent->gap_ns[2];
        bool is_long = (__int128)gap_ns * 3 > 2 * sum;
        bool is_jank = is_long && gap_ns > 84 * MS_NS;
        add_answer(totals, DJ_JANK_PERFDOG_JANK, is_jank, 0, 0);
        add_answer(totals, DJ_JANK_PERFDOG_BIG_JANK, is_long && gap_ns > 125 * MS_NS, 0,
                   0);
        add_answer(totals, DJ_JANK_PERFDOG_STUTTER, is_jank, gap_ns, gap_ns);
    } else {
        /* PerfDog cannot judge the first frames, but their time is part of the total
         * time. */
        struct dj_jank_tally *tally = &totals->tally[DJ_JANK_PERFDOG_STUTTER];
        tally->total_ns = dj_checked_add_saturated(tally->total_ns, gap_ns);
    }
    recent->gap_ns[recent->count++ % 3] = gap_ns;
}

static void add_dropped(struct dj_jank_totals *totals, int64_t refreshes)
{
    struct dj_jank_tally *tally = &totals->tally[DJ_JANK_CHROMIUM_DROPPED];
    if (refreshes >= 0) {
        tally->frames++;
        tally->events += refreshes > 1 ? (size_t)(refreshes - 1) : 0;
    }
}

static bool reserve(struct dj_jank_totals *totals, size_t count)
{
    struct dj_jank_times *gaps = &totals->gaps;
    struct dj_present_totals *present = &totals->present;
    if (!DJ_ARRAY_RESERVE(gaps->ns, gaps->capacity, gaps->count + count)) {
        return false;
    }
    if (present->steps + count <= present->capacity) {
        return true;
    }
    size_t capacity = 2 * (present->steps + count);
    int64_t **arrays[] = {&present->steps_ns, &present->pacing_ns,
                          &present->animation_ns};
    for (size_t i = 0; i < COUNT_OF(arrays); i++) {
        int64_t *array = dj_array_resize(*arrays[i], capacity, sizeof(**arrays[i]));
        if (array == NULL) {
            return false;
        }
        *arrays[i] = array;
    }
    present->capacity = capacity;
    return true;
}

bool dj_jank_add(struct dj_jank_totals *totals, const struct dj_jank_log *log)
{
    struct recent recent = {0};
    if (!reserve(totals, log->count)) {
        return false;
    }
    for (size_t i = 0; i < log->count; i++) {
        const struct dj_jank_frame *frame = &log->frames[i];
        if (frame->excluded || frame->present_only) {
            continue;
        }
        struct sample sample = {
            .frame = frame,
            .time_ns =
                dj_checked_subtract_saturated(frame->completed_ns, frame->start_ns),
            .gap_ns = dj_jank_gap_ns(log, i),
        };
        totals->frames++;
        totals->gaps.ns[totals->gaps.count++] = sample.gap_ns;
        add_hwui(totals, frame);
        add_durations(totals, &sample);
        add_vitals(totals, sample.gap_ns);
        add_perfdog(totals, &recent, sample.gap_ns);
        add_dropped(totals, dj_jank_refreshes(log, i));
    }
    dj_present_add(&totals->present, log);
    return true;
}

bool dj_jank_add_rows(struct dj_jank_totals *totals, const struct dj_frame *rows,
                      const struct dj_row_facts *facts, size_t count,
                      const struct dj_summary_rules *rules)
{
    struct dj_jank_frame *frames = dj_array_resize(NULL, count + 1, sizeof(*frames));
    if (frames == NULL) {
        return false;
    }
    struct dj_jank_log log = {
        .frames = frames,
        .count = dj_jank_read_rows(rows, facts, count, rules, frames),
        .interval_ns = rules->interval_ns,
    };
    bool added = dj_jank_add(totals, &log);
    free(frames);
    return added;
}

/* Display interval that is assumed if the real one is unknown: 60 Hz. */
static const int64_t USUAL_INTERVAL_NS = 16666667;

static struct dj_jank_frame read_present(const struct dj_jank_presents *presents,
                                         size_t i)
{
    int64_t present_ns = presents->present_ns[i];
    int64_t content_ns =
        presents->content_ns != NULL ? presents->content_ns[i] : DJ_JANK_UNKNOWN;
    return (struct dj_jank_frame){.start_ns = present_ns,
                                  .completed_ns = present_ns,
                                  .present_ns = present_ns,
                                  .animation_ns = content_ns,
                                  .interval_ns = presents->interval_ns,
                                  .deadline_ns = DJ_JANK_UNKNOWN,
                                  .ui_ns = DJ_JANK_UNKNOWN,
                                  .present_only = content_ns == DJ_JANK_UNKNOWN};
}

bool dj_jank_add_presents(struct dj_jank_totals *totals,
                          const struct dj_jank_presents *presents)
{
    size_t count = presents->count;
    int64_t interval_ns = presents->interval_ns;
    struct dj_jank_frame *frames = dj_array_resize(NULL, count + 1, sizeof(*frames));
    bool added = frames != NULL;
    struct dj_jank_log log = {.frames = frames,
                              .interval_ns =
                                  interval_ns > 0 ? interval_ns : USUAL_INTERVAL_NS};
    for (size_t i = 0; i <= count && added; i++) {
        if (i < count && presents->present_ns[i] != DJ_JANK_UNKNOWN) {
            frames[log.count++] = read_present(presents, i);
        } else if (log.count > 0) {
            added = dj_jank_add(totals, &log);
            log.count = 0;
        }
    }
    free(frames);
    return added;
}

void dj_jank_finish(struct dj_jank_totals *totals)
{
    free(totals->gaps.ns);
    free(totals->present.steps_ns);
    free(totals->present.pacing_ns);
    free(totals->present.animation_ns);
    *totals = (struct dj_jank_totals){0};
}

/* Texts that say why a rule has no answer although there are frames. */
static const char *const reasons[DJ_JANK_RULES] = {
    [DJ_JANK_HWUI_LEGACY] =
        "the refresh rate, or a column that the rule needs, is unknown",
    [DJ_JANK_HWUI_DEADLINE] = "no frame has a FrameDeadline",
    [DJ_JANK_JANKSTATS] =
        "the time on the UI thread, or both deadline and refresh rate, are unknown",
    [DJ_JANK_PERFDOG_JANK] = "no frame has three frames before it",
    [DJ_JANK_PERFDOG_BIG_JANK] = "no frame has three frames before it",
    [DJ_JANK_PERFDOG_STUTTER] = "no frame has three frames before it",
    [DJ_JANK_HITCH_RATIO] = "deadline and refresh rate are unknown",
    [DJ_JANK_FREEZE_TIME] = "the refresh rate is unknown",
    [DJ_JANK_FRAMES_DELAY] = "the refresh rate is unknown",
    [DJ_JANK_CHROMIUM_DROPPED] =
        "the refresh rate is unknown, or no two frames follow each other",
};

static const char no_time[] = "no time passed between frames";

const char *dj_jank_get_usual_reason(enum dj_jank_rule_id id)
{
    return reasons[id] != NULL ? reasons[id] : no_time;
}

static double compute_tally(enum dj_jank_rule_id id, const struct dj_jank_tally *tally)
{
    double bad_ns = (double)tally->bad_ns;
    switch (id) {
    case DJ_JANK_PERFDOG_JANK:
    case DJ_JANK_PERFDOG_BIG_JANK:
        return (double)tally->events;
    case DJ_JANK_PERFDOG_STUTTER:
        return 100 * bad_ns / (double)tally->total_ns;
    case DJ_JANK_HITCH_RATIO:
        return 1000 * bad_ns / (double)tally->total_ns;
    case DJ_JANK_FREEZE_TIME:
        return bad_ns / 1e6;
    case DJ_JANK_FRAMES_DELAY:
        return bad_ns / 1e9;
    case DJ_JANK_CHROMIUM_DROPPED:
        return 100 * (double)tally->events / (double)(tally->events + tally->frames);
    default:
        return 100 * (double)tally->events / (double)tally->frames;
    }
}

/* Converts a time to a rate in Hz. Returns NaN for a time of 0. */
static double to_fps(double ns)
{
    return ns > 0 ? 1e9 / ns : (double)NAN;
}

static double compute_mean_low(const int64_t *sorted_ns, size_t count)
{
    size_t worst = (count + 99) / 100;
    __int128 sum = 0;
    for (size_t i = 0; i < worst; i++) {
        sum += sorted_ns[count - 1 - i];
    }
    return to_fps((double)sum / (double)worst);
}

static double compute_integral_low(const int64_t *sorted_ns, size_t count)
{
    __int128 total = 0;
    __int128 sum = 0;
    for (size_t i = 0; i < count; i++) {
        total += sorted_ns[i];
    }
    size_t at = count;
    do {
        sum += sorted_ns[--at];
    } while (at > 0 && 100 * sum < total);
    return to_fps((double)sorted_ns[at]);
}

static void compute_lows(struct dj_jank_times *gaps, struct dj_jank_figures *figures)
{
    if (gaps->count == 0) {
        return;
    }
    dj_quantile_sort_int64(gaps->ns, gaps->count);
    figures->rule[DJ_JANK_LOW1_P1].value =
        to_fps(dj_quantile_compute_int64(gaps->ns, gaps->count, 0.99));
    figures->rule[DJ_JANK_LOW1_MEAN].value = compute_mean_low(gaps->ns, gaps->count);
    figures->rule[DJ_JANK_LOW1_INTEGRAL].value =
        compute_integral_low(gaps->ns, gaps->count);
}

static const char *find_reason(const struct dj_jank_totals *totals,
                               enum dj_jank_rule_id id,
                               const struct dj_jank_figure *figure)
{
    if (!isnan(figure->value)) {
        return NULL;
    }
    return totals->frames == 0   ? "there is no usable frame"
           : figure->frames == 0 ? dj_jank_get_usual_reason(id)
                                 : no_time;
}

void dj_jank_compute(struct dj_jank_totals *totals, struct dj_jank_figures *figures)
{
    for (size_t i = 0; i < DJ_JANK_RULES; i++) {
        const struct dj_jank_tally *tally = &totals->tally[i];
        figures->rule[i] = (struct dj_jank_figure){
            .value = tally->frames > 0 ? compute_tally((enum dj_jank_rule_id)i, tally)
                                       : (double)NAN,
            .frames = tally->frames,
            .events = tally->events,
        };
    }
    for (size_t i = DJ_JANK_LOW1_P1; i <= DJ_JANK_LOW1_INTEGRAL; i++) {
        figures->rule[i].frames = totals->gaps.count;
    }
    compute_lows(&totals->gaps, figures);
    for (size_t i = 0; i < DJ_JANK_RULES; i++) {
        figures->rule[i].reason =
            find_reason(totals, (enum dj_jank_rule_id)i, &figures->rule[i]);
    }
    dj_present_compute(&totals->present, &figures->present);
}
