#include "report/standing.h"

#include <inttypes.h>
#include <math.h>

#include "frame/tracker.h"
#include "gfxinfo/lines.h"

double dj_sample_pct(const struct dj_sample *sample)
{
    return 100.0 * (double)sample->janky / (double)sample->frames;
}

/* A percentage is missing if the line was truncated; hwui itself prints NaN only for zero
 * frames. */
bool dj_stats_tell_jank(const struct dj_stats_block *block)
{
    bool cut = block->lines != UINT32_MAX && isnan(block->printed_janky_pct) &&
               block->stats.counter[DJ_COUNTER_TOTAL] > 0;
    bool told = false;
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        const struct dj_line *line = dj_line_at(i);
        told = told || ((block->lines & (UINT32_C(1) << i)) != 0 &&
                        line->kind == DJ_LINE_JANKY && line->field == DJ_COUNTER_JANKY);
    }
    return !cut && told;
}

bool dj_row_is_exempt(const struct dj_dialect *dialect, const struct dj_frame *frame)
{
    return dialect->judge == dj_judge_none ||
           (dj_frame_get(frame, DJ_COLUMN_FLAGS, 0) & dialect->exempt_flags) != 0;
}

size_t dj_exempt_rows(const struct dj_parsed *parsed, size_t process, size_t window)
{
    const struct dj_dump_process *of = &parsed->dump.processes[process];
    const struct dj_dump_window *rows = &of->windows[window];
    const struct dj_row_facts *facts = parsed->processes[process].windows[window].rows;
    const struct dj_dialect *dialect = dj_dump_dialect(&parsed->dump, of);
    size_t exempt = 0;
    for (size_t i = 0; i < rows->frame_count; i++) {
        exempt += facts[i].judged && facts[i].usability == DJ_ROW_USABLE &&
                  dj_row_is_exempt(dialect, &rows->frames[i]);
    }
    return exempt;
}

/* A block truncated before or in "Janky frames" counts frames and judges none. */
static void take_counts(const struct dj_stats_block *block, struct dj_standing *standing)
{
    uint64_t frames = block->stats.counter[DJ_COUNTER_TOTAL];
    if (!block->present || frames == 0) {
        return;
    }
    if (!dj_stats_tell_jank(block)) {
        standing->unjudged = true;
    } else if (frames > standing->counts.frames) {
        standing->counts =
            (struct dj_sample){frames, block->stats.counter[DJ_COUNTER_JANKY]};
        standing->counts_pct = dj_block_janky_pct(block, DJ_COUNTER_JANKY);
    }
}

enum dj_grade dj_grade_of(const struct dj_sample *sample)
{
    if (sample->frames < DJ_FEW_FRAMES) {
        return sample->frames == 0 ? DJ_GRADE_NO_FRAMES : DJ_GRADE_FEW;
    }
    double pct = dj_sample_pct(sample);
    return pct <= DJ_SMOOTH_PCT   ? DJ_GRADE_SMOOTH
           : pct <= DJ_UNEVEN_PCT ? DJ_GRADE_UNEVEN
                                  : DJ_GRADE_JANKY;
}

/* Columns that a release lacks are negative. Values are clamped at 50 ms, which is always
 * beyond the interval. */
static void take_profile(const struct dj_dump_window *window, int64_t interval_ns,
                         struct dj_standing *standing)
{
    standing->simple_rows += window->profile_count;
    for (size_t i = 0; i < window->profile_count; i++) {
        const struct dj_profile_row *row = &window->profile[i];
        double prepare_ms = row->prepare_ms > 0 ? (double)row->prepare_ms : 0;
        double total_ms = (double)row->draw_ms + prepare_ms + (double)row->process_ms +
                          (double)row->execute_ms;
        standing->simple_over += total_ms * 1e6 > (double)interval_ns;
    }
}

static void take_rows(const struct dj_summary *summary, size_t exempt,
                      struct dj_standing *standing)
{
    standing->rows.frames += summary->judged - exempt;
    standing->exempt += exempt;
    standing->rows.janky += summary->janky;
    standing->rows_read += summary->rows;
    standing->unjudged =
        standing->unjudged || exempt > 0 || summary->usable > summary->judged;
}

static void compute_grade(struct dj_standing *standing)
{
    enum dj_grade counts = dj_grade_of(&standing->counts);
    enum dj_grade rows = dj_grade_of(&standing->rows);
    standing->grade = counts > rows ? counts : rows;
    bool none_told = standing->exempt > 0 && standing->rows.frames == 0 &&
                     /* hwui also counts the frames that it exempts. */
                     standing->counts.janky == 0;
    if (none_told || (standing->grade == DJ_GRADE_NO_FRAMES &&
                      (standing->unjudged || standing->simple_rows > 0 ||
                       standing->rows_unreadable > 0))) {
        standing->grade = DJ_GRADE_UNJUDGED;
    }
}

struct dj_standing dj_standing_of(const struct dj_parsed *parsed, size_t index)
{
    const struct dj_dump_process *process = &parsed->dump.processes[index];
    const struct dj_window_facts *facts = parsed->processes[index].windows;
    struct dj_standing standing = {0};
    size_t most = 0;
    take_counts(&process->stats, &standing);
    for (size_t i = 0; i < process->window_count; i++) {
        take_counts(&process->windows[i].stats, &standing);
        take_rows(&facts[i].summary, dj_exempt_rows(parsed, index, i), &standing);
        standing.rows_unreadable += process->windows[i].rows_unreadable;
        take_profile(&process->windows[i], facts[i].interval_ns, &standing);
        if (facts[i].summary.judged > most) {
            most = facts[i].summary.judged;
            standing.window = i;
        }
    }
    compute_grade(&standing);
    return standing;
}

struct dj_standing dj_standing_of_view(const struct dj_view *view)
{
    struct dj_standing standing = {0};
    size_t exempt = 0;
    if (view->hwui != NULL) {
        take_counts(view->hwui, &standing);
        standing.counts_of_process = view->window != NULL && !view->hwui_of_window;
    }
    if (view->window != NULL) {
        for (size_t i = 0; i < view->frame_count; i++) {
            exempt += dj_row_is_exempt(view->dialect, view->frames[i].frame);
        }
        take_rows(&view->summary, exempt, &standing);
        take_profile(view->window, view->interval_ns, &standing);
    }
    compute_grade(&standing);
    return standing;
}

static const struct dj_sample *get_larger_sample(const struct dj_standing *standing)
{
    return standing->counts.frames > standing->rows.frames ? &standing->counts
                                                           : &standing->rows;
}

bool dj_standing_is_worse(const struct dj_standing *b, const struct dj_standing *a)
{
    const struct dj_sample *of_a = get_larger_sample(a);
    const struct dj_sample *of_b = get_larger_sample(b);
    if (a->grade != b->grade) {
        return b->grade > a->grade;
    }
    if (of_a->frames == 0 || of_b->frames == 0) {
        return of_b->frames > of_a->frames;
    }
    double a_pct = dj_sample_pct(of_a);
    double b_pct = dj_sample_pct(of_b);
    return b_pct > a_pct || (b_pct >= a_pct && of_b->frames > of_a->frames);
}

struct dj_sample dj_graphicsstats_sample(const struct dj_graphicsstats *entry)
{
    const uint32_t *counter = entry->stats.stats.counter;
    return dj_stats_tell_jank(&entry->stats)
               ? (struct dj_sample){counter[DJ_COUNTER_TOTAL], counter[DJ_COUNTER_JANKY]}
               : (struct dj_sample){0};
}

size_t dj_graphicsstats_worst(const struct dj_dump *dump)
{
    size_t worst = dump->graphicsstats_count;
    double worst_pct = -1;
    for (size_t i = 0; i < dump->graphicsstats_count; i++) {
        struct dj_sample sample = dj_graphicsstats_sample(&dump->graphicsstats[i]);
        if (sample.frames >= DJ_FEW_FRAMES && dj_sample_pct(&sample) > worst_pct) {
            worst = i;
            worst_pct = dj_sample_pct(&sample);
        }
    }
    return worst;
}

static const char *const grades[DJ_GRADE_COUNT] = {
    [DJ_GRADE_NO_FRAMES] = "NO FRAMES",
    [DJ_GRADE_UNJUDGED] = "NOT JUDGED",
    [DJ_GRADE_FEW] = "TOO FEW FRAMES TO JUDGE",
    [DJ_GRADE_SMOOTH] = "SMOOTH",
    [DJ_GRADE_UNEVEN] = "UNEVEN",
    [DJ_GRADE_JANKY] = "JANKY",
};

const char *dj_grade_text(enum dj_grade grade)
{
    return grades[grade];
}

static const char exempts[] = "all of which the release's rule exempts (drawn into a "
                              "Surface's canvas): nothing tells whether in time";

static void append_lack(struct dj_text *text, const struct dj_standing *standing)
{
    if (standing->simple_rows > 0) {
        dj_text_format(text,
                       ": %zu rows of the simple dump alone, which tell no jank; "
                       "%zu are longer than a frame interval",
                       standing->simple_rows, standing->simple_over);
    } else if (standing->exempt > 0) {
        dj_text_format(text, ": %zu %s, %s", standing->exempt,
                       standing->exempt == 1 ? "row" : "rows", exempts);
    } else if (standing->rows_unreadable > 0 && standing->rows_read == 0) {
        dj_text_format(text, ": its %zu %s cannot be read", standing->rows_unreadable,
                       standing->rows_unreadable == 1 ? "row" : "rows");
    } else if (standing->grade == DJ_GRADE_UNJUDGED) {
        dj_text_string(text, ": frames were drawn, and nothing tells whether in time");
    } else if (standing->rows_read > 1) {
        dj_text_format(text, ": none of its %zu rows is a frame to compute from",
                       standing->rows_read);
    } else if (standing->rows_read == 1) {
        dj_text_string(text, ": its one row is no frame to compute from");
    } else {
        dj_text_string(text, ": no frame was drawn");
    }
}

void dj_standing_describe(struct dj_text *text, const struct dj_standing *standing)
{
    const struct dj_sample *counts = &standing->counts;
    const struct dj_sample *rows = &standing->rows;
    if (counts->frames > 0) {
        dj_text_format(text,
                       ": %" PRIu64 " of %" PRIu64 " counted frames janky (%.2f %%)%s",
                       counts->janky, counts->frames, standing->counts_pct,
                       standing->counts_of_process ? " in the whole process" : "");
    }
    if (rows->frames > 0) {
        dj_text_format(text, "%s %" PRIu64 " of %" PRIu64 " rows%s (%.2f %%)",
                       counts->frames > 0 ? "," : ":", rows->janky, rows->frames,
                       counts->frames > 0 ? "" : " janky", dj_sample_pct(rows));
    }
    if (counts->frames + rows->frames == 0) {
        append_lack(text, standing);
    } else if (standing->grade == DJ_GRADE_UNJUDGED) {
        dj_text_format(text, "; there are %zu rows, %s", standing->exempt, exempts);
    }
}
