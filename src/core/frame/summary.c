#include "frame/summary.h"

#include <math.h>

#include "base/checked.h"
#include "stats/quantile.h"

static const char *const usability_names[DJ_USABILITY_COUNT] = {
    [DJ_ROW_USABLE] = "usable",
    [DJ_ROW_INCOMPLETE] = "incomplete",
    [DJ_ROW_WINDOW_CHANGED] = "window changed",
    [DJ_ROW_SKIPPED] = "skipped",
    [DJ_ROW_NOT_COMPLETED] = "not completed",
    [DJ_ROW_STALE] = "stale completion",
    [DJ_ROW_DUPLICATE] = "duplicate",
};

const char *dj_usability_name(enum dj_usability usability)
{
    return usability_names[usability];
}

/* ---- which rows count ---- */

/* Written by fences and the compositor after the frame; a slot that waits for them still
 * shows those of a frame 120 earlier. 0 and below are sentinels for "none". */
static const uint8_t completions[] = {
    DJ_COLUMN_GPU_COMPLETED,
    DJ_COLUMN_SWAP_BUFFERS_COMPLETED,
    DJ_COLUMN_DISPLAY_PRESENT_TIME,
    DJ_COLUMN_COMMAND_SUBMISSION_COMPLETED,
};

static bool is_stale(const struct dj_frame *frame)
{
    for (size_t i = 0; i < sizeof(completions); i++) {
        int64_t stamp_ns = dj_frame_get(frame, (enum dj_column)completions[i], 0);
        if (stamp_ns > 0 && stamp_ns < frame->value[DJ_COLUMN_INTENDED_VSYNC]) {
            return true;
        }
    }
    return false;
}

static enum dj_usability usability_alone(const struct dj_frame *frame)
{
    int64_t flags = dj_frame_get(frame, DJ_COLUMN_FLAGS, 0);
    if (!dj_frame_has_all(frame, DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC) |
                                     DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED))) {
        return DJ_ROW_INCOMPLETE;
    }
    if ((flags & DJ_FLAG_SKIPPED_FRAME) != 0) {
        return DJ_ROW_SKIPPED;
    }
    if (frame->value[DJ_COLUMN_FRAME_COMPLETED] <=
        frame->value[DJ_COLUMN_INTENDED_VSYNC]) {
        return DJ_ROW_NOT_COMPLETED;
    }
    if (is_stale(frame)) {
        return DJ_ROW_STALE;
    }
    return (flags & DJ_FLAG_WINDOW_CHANGED) != 0 ? DJ_ROW_WINDOW_CHANGED : DJ_ROW_USABLE;
}

static bool has_start(const struct dj_frame *frame)
{
    return dj_frame_has(frame, DJ_COLUMN_INTENDED_VSYNC);
}

/* Rows come in the order of their vsyncs, save where several polls were put together. */
static bool is_rising(const struct dj_frame *frames, size_t count)
{
    int64_t last_ns = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        if (has_start(&frames[i])) {
            int64_t start_ns = frames[i].value[DJ_COLUMN_INTENDED_VSYNC];
            if (start_ns <= last_ns && last_ns != INT64_MIN) {
                return false;
            }
            last_ns = start_ns;
        }
    }
    return true;
}

/* Index of the first element that is not below the value. */
static size_t lower_bound(const int64_t *sorted, size_t count, int64_t value)
{
    size_t low = 0;
    while (count > 0) {
        size_t half = count / 2;
        if (sorted[low + half] < value) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

/* Backwards, so that the last sighting is met first: seen[k] remembers the vsync at
 * sorted[k]. */
static void mark_duplicates(const struct dj_frame *frames, size_t count,
                            struct dj_row_facts *facts, int64_t *sorted, int64_t *seen)
{
    size_t starts = 0;
    for (size_t i = 0; i < count; i++) {
        seen[i] = 0;
        if (has_start(&frames[i])) {
            sorted[starts++] = frames[i].value[DJ_COLUMN_INTENDED_VSYNC];
        }
    }
    dj_sort_int64(sorted, starts);
    for (size_t i = count; i-- > 0;) {
        if (has_start(&frames[i])) {
            size_t k =
                lower_bound(sorted, starts, frames[i].value[DJ_COLUMN_INTENDED_VSYNC]);
            if (seen[k] != 0) {
                facts[i].usability = DJ_ROW_DUPLICATE;
            }
            seen[k] = 1;
        }
    }
}

static void find_usability(const struct dj_frame *frames, size_t count,
                           struct dj_row_facts *facts, int64_t *scratch)
{
    for (size_t i = 0; i < count; i++) {
        facts[i] = (struct dj_row_facts){
            .frame_time_ns = -1, .usability = (uint8_t)usability_alone(&frames[i])};
    }
    if (!is_rising(frames, count)) {
        mark_duplicates(frames, count, facts, scratch, scratch + count);
    }
}

/* True for rows hwui counted when they were drawn, usable or not: skipped ones never
 * reach its tracker, and a row seen twice was one frame. */
static bool was_counted(const struct dj_row_facts *row)
{
    return row->usability == DJ_ROW_USABLE || row->usability == DJ_ROW_WINDOW_CHANGED ||
           row->usability == DJ_ROW_STALE;
}

/* ---- sums ---- */

static void spread_of(int64_t *times_ns, size_t count, struct dj_spread *spread)
{
    *spread = (struct dj_spread){.count = count};
    if (count == 0) {
        return;
    }
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)times_ns[i];
        spread->total_ns = dj_add_saturated(spread->total_ns, times_ns[i]);
    }
    dj_sort_int64(times_ns, count);
    spread->min_ns = times_ns[0];
    spread->max_ns = times_ns[count - 1];
    spread->p50_ns = dj_quantile_int64(times_ns, count, 0.50);
    spread->p90_ns = dj_quantile_int64(times_ns, count, 0.90);
    spread->p95_ns = dj_quantile_int64(times_ns, count, 0.95);
    spread->p99_ns = dj_quantile_int64(times_ns, count, 0.99);
    spread->mean_ns = sum / (double)count;
}

/* Rows that hwui counted move its deadline on, also those that exact figures leave out.
 */
static void replay(const struct dj_frame *frames, size_t count,
                   const struct dj_summary_rules *rules, struct dj_row_facts *facts,
                   int64_t *scratch, struct dj_summary *summary)
{
    struct dj_tracker tracker;
    dj_tracker_init(&tracker, rules->dialect, rules->interval_ns);
    tracker.forgiveness_ns = rules->forgiveness_ns;
    tracker.rejudges = true;
    for (size_t i = 0; i < count; i++) {
        struct dj_verdict verdict;
        if (!was_counted(&facts[i]) ||
            !dj_tracker_judge(&tracker, &frames[i], &verdict)) {
            continue;
        }
        facts[i].judged = true;
        facts[i].janky = dj_verdict_janky(&verdict);
        facts[i].frame_time_ns = verdict.frame_time_ns;
        dj_stats_add(&summary->replayed, &verdict);
        if (facts[i].usability == DJ_ROW_USABLE) {
            dj_stats_add(&summary->exact, &verdict);
            scratch[summary->judged++] = verdict.frame_time_ns;
            summary->janky += dj_verdict_janky(&verdict);
            summary->deadline_missed +=
                (verdict.counters & DJ_COUNTER_BIT(DJ_COUNTER_DEADLINE_MISSED)) != 0;
        }
    }
    spread_of(scratch, summary->judged, &summary->frame_time);
}

static void sum_guide_total(const struct dj_frame *frames, size_t count,
                            const struct dj_row_facts *facts, int64_t *scratch,
                            struct dj_summary *summary)
{
    size_t times = 0;
    for (size_t i = 0; i < count; i++) {
        if (facts[i].usability == DJ_ROW_USABLE) {
            scratch[times++] =
                dj_subtract_saturated(frames[i].value[DJ_COLUMN_FRAME_COMPLETED],
                                      frames[i].value[DJ_COLUMN_INTENDED_VSYNC]);
        }
    }
    spread_of(scratch, times, &summary->guide_total);
}

static void sum_stage(const struct dj_frame *frames, size_t count,
                      const struct dj_row_facts *facts, int64_t *scratch,
                      enum dj_stage stage, struct dj_spread *spread)
{
    size_t times = 0;
    for (size_t i = 0; i < count; i++) {
        struct dj_stages stages;
        if (facts[i].usability == DJ_ROW_USABLE) {
            dj_stages_of(&frames[i], &stages);
            if ((stages.known & (1U << stage)) != 0) {
                scratch[times++] = stages.ns[stage];
            }
        }
    }
    spread_of(scratch, times, spread);
}

static void sum_rate(const struct dj_frame *frames, size_t count, int64_t interval_ns,
                     const struct dj_row_facts *facts, struct dj_summary *summary)
{
    const struct dj_frame *last = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!was_counted(&facts[i])) {
            continue;
        }
        const struct dj_frame *frame = &frames[i];
        if (last != NULL) {
            int64_t start_ns = frame->value[DJ_COLUMN_INTENDED_VSYNC];
            int64_t step_ns =
                dj_subtract_saturated(start_ns, last->value[DJ_COLUMN_INTENDED_VSYNC]);
            int64_t idle_ns =
                dj_subtract_saturated(start_ns, last->value[DJ_COLUMN_FRAME_COMPLETED]);
            if (step_ns > 0 && idle_ns / DJ_PAUSE_INTERVALS < interval_ns) {
                summary->making_frames++;
                summary->making_ns = dj_add_saturated(summary->making_ns, step_ns);
            }
        }
        last = frame;
    }
}

void dj_summarize(const struct dj_frame *frames, size_t count,
                  const struct dj_summary_rules *rules, struct dj_row_facts *facts,
                  int64_t *scratch, struct dj_summary *summary)
{
    *summary = (struct dj_summary){.rows = count};
    find_usability(frames, count, facts, scratch);
    for (size_t i = 0; i < count; i++) {
        if (facts[i].usability == DJ_ROW_USABLE) {
            summary->usable++;
        } else {
            summary->excluded[facts[i].usability]++;
        }
    }
    replay(frames, count, rules, facts, scratch, summary);
    sum_guide_total(frames, count, facts, scratch, summary);
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        sum_stage(frames, count, facts, scratch, (enum dj_stage)i, &summary->stage[i]);
    }
    sum_rate(frames, count, rules->interval_ns, facts, summary);
}

double dj_summary_rate_hz(const struct dj_summary *summary)
{
    return summary->making_frames > 0
               ? (double)summary->making_frames * 1e9 / (double)summary->making_ns
               : (double)NAN;
}
