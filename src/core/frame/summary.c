#include "frame/summary.h"

#include <math.h>

#include "base/checked.h"
#include "base/compare.h"
#include "stats/quantile.h"

static const char *const usability_names[DJ_USABILITY_COUNT] = {
    [DJ_ROW_USABLE] = "usable",
    [DJ_ROW_INCOMPLETE] = "incomplete",
    [DJ_ROW_WINDOW_CHANGED] = "window changed",
    [DJ_ROW_SKIPPED] = "skipped",
    [DJ_ROW_NOT_COMPLETED] = "not completed",
    [DJ_ROW_STALE] = "stale completion",
    [DJ_ROW_DUPLICATE] = "duplicate",
    [DJ_ROW_IMPLAUSIBLE] = "implausible",
    [DJ_ROW_PRESENT_ONLY] = "frame time unknown",
};

const char *dj_frame_usability_name(enum dj_usability usability)
{
    return usability_names[usability];
}

/* Columns that a fence or the compositor writes after the frame. Until they are written,
 * the row contains the values of the frame 120 frames earlier. Values of 0 and less mean
 * "none". DisplayPresentTime is not in this list: if the app stops requesting it, every
 * row has an old value although the row is valid. */
static const uint8_t completions[] = {
    DJ_COLUMN_GPU_COMPLETED,
    DJ_COLUMN_SWAP_BUFFERS_COMPLETED,
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

static const uint8_t stages[] = {
    DJ_COLUMN_INTENDED_VSYNC,
    DJ_COLUMN_VSYNC,
    DJ_COLUMN_HANDLE_INPUT_START,
    DJ_COLUMN_ANIMATION_START,
    DJ_COLUMN_PERFORM_TRAVERSALS_START,
    DJ_COLUMN_DRAW_START,
    DJ_COLUMN_SYNC_QUEUED,
    DJ_COLUMN_SYNC_START,
    DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
    DJ_COLUMN_SWAP_BUFFERS,
    DJ_COLUMN_FRAME_COMPLETED,
};

/* Timestamps and durations that are wrong if they have a large value. */
static const uint8_t other_times[] = {
    DJ_COLUMN_FRAME_START_TIME,
    DJ_COLUMN_FRAME_INTERVAL,
    DJ_COLUMN_ANIMATION_TIME,
    DJ_COLUMN_DEQUEUE_BUFFER_DURATION,
    DJ_COLUMN_QUEUE_BUFFER_DURATION,
    DJ_COLUMN_GPU_COMPLETED,
    DJ_COLUMN_SWAP_BUFFERS_COMPLETED,
    DJ_COLUMN_DISPLAY_PRESENT_TIME,
    DJ_COLUMN_COMMAND_SUBMISSION_COMPLETED,
};

/* Timestamps that are INT64_MAX if there is no event or deadline. WorkloadTarget is not
 * in this list because it is a difference of such a deadline and IntendedVsync. */
static const uint8_t times_or_none[] = {
    DJ_COLUMN_OLDEST_INPUT_EVENT,
    DJ_COLUMN_NEWEST_INPUT_EVENT,
    DJ_COLUMN_FRAME_DEADLINE,
};

static bool has_later(const struct dj_frame *frame, int64_t latest_ns)
{
    bool later = false; /* Unknown columns contain 0, so they are never later. */
    for (size_t i = 0; i < sizeof(stages); i++) {
        later |= frame->value[stages[i]] > latest_ns;
    }
    for (size_t i = 0; i < sizeof(other_times); i++) {
        later |= frame->value[other_times[i]] > latest_ns;
    }
    for (size_t i = 0; i < sizeof(times_or_none); i++) {
        int64_t time_ns = frame->value[times_or_none[i]];
        later |= time_ns > latest_ns && time_ns != INT64_MAX;
    }
    return later;
}

/* Returns whether the timestamp of a stage is before earliest_ns. The timestamp is 0 if
 * the frame did not reach the stage. Completion timestamps are not checked here, because
 * is_stale() detects those of earlier frames. */
static bool has_earlier(const struct dj_frame *frame, int64_t earliest_ns)
{
    bool earlier = frame->value[DJ_COLUMN_INTENDED_VSYNC] < earliest_ns;
    for (size_t i = 0; i < sizeof(stages); i++) {
        int64_t time_ns = frame->value[stages[i]];
        earlier |= time_ns > 0 && time_ns < earliest_ns;
    }
    return earlier;
}

static bool is_bounded(const struct dj_stamp_bounds *bounds)
{
    return bounds->earliest_ns != 0 || bounds->latest_ns != 0;
}

/* Returns the usability of a row that contains no time except DisplayPresentTime. */
static enum dj_usability find_present_usability(const struct dj_frame *frame,
                                                const struct dj_summary_rules *rules)
{
    int64_t flags = dj_frame_get(frame, DJ_COLUMN_FLAGS, 0);
    if (is_bounded(&rules->plausible) &&
        (has_later(frame, rules->plausible.latest_ns) ||
         dj_frame_get_time(frame, 0) < rules->plausible.earliest_ns)) {
        return DJ_ROW_IMPLAUSIBLE;
    }
    return (flags & DJ_FLAG_SKIPPED_FRAME) != 0 ? DJ_ROW_SKIPPED : DJ_ROW_PRESENT_ONLY;
}

static enum dj_usability find_row_usability(const struct dj_frame *frame,
                                            const struct dj_summary_rules *rules)
{
    uint64_t required = rules->required;
    bool bounded = is_bounded(&rules->plausible);
    int64_t flags = dj_frame_get(frame, DJ_COLUMN_FLAGS, 0);
    if (dj_frame_has_all(frame, required) && dj_frame_is_present_only(frame)) {
        return find_present_usability(frame, rules);
    }
    if (!dj_frame_has_all(frame, required | DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC) |
                                     DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED))) {
        return DJ_ROW_INCOMPLETE;
    }
    if (bounded && has_later(frame, rules->plausible.latest_ns)) {
        return DJ_ROW_IMPLAUSIBLE;
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
    if (bounded && has_earlier(frame, rules->plausible.earliest_ns)) {
        return DJ_ROW_IMPLAUSIBLE;
    }
    return (flags & DJ_FLAG_WINDOW_CHANGED) != 0 ? DJ_ROW_WINDOW_CHANGED : DJ_ROW_USABLE;
}

/* Marks a row as a duplicate if a later row has the same time (dj_frame_find_time()).
 * `sorted` contains each time, and seen[k] is 1 once a row with the time sorted[k] was
 * found. The loop starts at the last row, so only the last one of several rows with the
 * same time stays unmarked. Truncated rows are ignored. */
static void mark_duplicates(const struct dj_frame *frames, size_t count,
                            struct dj_row_facts *facts, int64_t *sorted, int64_t *seen)
{
    size_t starts = 0;
    for (size_t i = 0; i < count; i++) {
        seen[i] = 0;
        starts += dj_frame_find_time(&frames[i], &sorted[starts]) ? 1 : 0;
    }
    dj_quantile_sort_int64(sorted, starts);
    for (size_t i = count; i-- > 0;) {
        int64_t time_ns;
        if (dj_frame_find_time(&frames[i], &time_ns) &&
            facts[i].usability != DJ_ROW_INCOMPLETE) {
            size_t k = 0;
            size_t end = starts;
            DJ_SEARCH(k, end, at, sorted[at] < time_ns);
            if (seen[k] != 0) {
                facts[i].usability = DJ_ROW_DUPLICATE;
            }
            seen[k] = 1;
        }
    }
}

/* Sets the usability of each row. Searches for duplicates only if the rows are not in the
 * order of their vsyncs. Duplicates occur only if several readings were joined, and
 * joined rows are not in this order. */
static void find_usability(const struct dj_frame *frames, size_t count,
                           const struct dj_summary_rules *rules,
                           struct dj_row_facts *facts, int64_t *scratch)
{
    bool rising = true;
    bool any = false;
    int64_t last_ns = 0;
    for (size_t i = 0; i < count; i++) {
        facts[i] = (struct dj_row_facts){
            .frame_time_ns = -1,
            .usability = (uint8_t)find_row_usability(&frames[i], rules)};
        int64_t start_ns;
        if (dj_frame_find_time(&frames[i], &start_ns)) {
            rising = rising && (!any || start_ns > last_ns);
            any = true;
            last_ns = start_ns;
        }
    }
    if (!rising) {
        mark_duplicates(frames, count, facts, scratch, scratch + count);
    }
}

static void compute_sums(const int64_t *times_ns, size_t count, struct dj_spread *spread)
{
    __int128 sum = 0;
    int64_t least_ns = times_ns[0];
    int64_t most_ns = times_ns[0];
    for (size_t i = 0; i < count; i++) {
        sum += times_ns[i];
        least_ns = times_ns[i] < least_ns ? times_ns[i] : least_ns;
        most_ns = times_ns[i] > most_ns ? times_ns[i] : most_ns;
    }
    spread->min_ns = least_ns;
    spread->max_ns = most_ns;
    spread->total_ns = sum > INT64_MAX   ? INT64_MAX
                       : sum < INT64_MIN ? INT64_MIN
                                         : (int64_t)sum;
    spread->mean_ns = (double)sum / (double)count;
}

void dj_frame_compute_spread(int64_t *times_ns, size_t count, struct dj_spread *spread)
{
    static const double percentiles[] = {0.50, 0.90, 0.95, 0.99};
    *spread = (struct dj_spread){.count = count};
    if (count == 0) {
        return;
    }
    compute_sums(times_ns, count, spread);
    dj_quantile_arrange_int64(times_ns, count, percentiles, 4);
    spread->p50_ns = dj_quantile_compute_int64(times_ns, count, percentiles[0]);
    spread->p90_ns = dj_quantile_compute_int64(times_ns, count, percentiles[1]);
    spread->p95_ns = dj_quantile_compute_int64(times_ns, count, percentiles[2]);
    spread->p99_ns = dj_quantile_compute_int64(times_ns, count, percentiles[3]);
}

/* Results of judging the rows so far. */
struct replay {
    const struct dj_summary_rules *rules;
    struct dj_summary *summary;
    struct dj_tracker tracker;
    const struct dj_frame *last; /* Last frame that was shown. */
    /* Times of the rows. Their numbers are in `summary`. */
    int64_t *frame_times, *guide_totals, *guide;
};

/* Judges a row and adds the verdict. Every row that hwui counted changes the tracker's
 * deadline, even if the exact statistics exclude the row. */
static void judge_row(struct replay *replay, const struct dj_frame *frame,
                      struct dj_row_facts *facts)
{
    struct dj_summary *summary = replay->summary;
    struct dj_verdict verdict;
    if (!dj_frame_tracker_judge(&replay->tracker, frame, &verdict)) {
        return;
    }
    facts->judged = true;
    facts->janky = dj_frame_verdict_is_janky(&verdict);
    facts->frame_time_ns = verdict.frame_time_ns;
    if (facts->usability != DJ_ROW_USABLE) {
        dj_frame_stats_add(&summary->replayed, &verdict);
        return;
    }
    dj_frame_stats_add(&summary->exact, &verdict);
    replay->frame_times[summary->judged++] = verdict.frame_time_ns;
    summary->janky += facts->janky;
    summary->deadline_missed +=
        (verdict.counters & DJ_COUNTER_BIT(DJ_COUNTER_DEADLINE_MISSED)) != 0;
}

/* Adds a row to the guide's statistics. The guide excludes all rows with a flag, even
 * normal frames that the render thread started (flag 2). */
static void add_guide(struct replay *replay, const struct dj_frame *frame)
{
    struct dj_summary *summary = replay->summary;
    int64_t total_ns = dj_checked_subtract_saturated(
        frame->value[DJ_COLUMN_FRAME_COMPLETED], frame->value[DJ_COLUMN_INTENDED_VSYNC]);
    replay->guide_totals[summary->guide_total.count++] = total_ns;
    if (dj_frame_get(frame, DJ_COLUMN_FLAGS, -1) == 0) {
        replay->guide[summary->guide.count++] = total_ns;
        summary->guide_over += total_ns > replay->rules->interval_ns;
    }
}

/* Returns the interval with which the step between two frames is measured. If the
 * display changes its rate, the step may last either interval, so the longer one is
 * used. */
static int64_t get_step_interval(const struct dj_frame *a, const struct dj_frame *b,
                                 int64_t interval_ns)
{
    int64_t of_a = dj_frame_get(a, DJ_COLUMN_FRAME_INTERVAL, 0);
    int64_t of_b = dj_frame_get(b, DJ_COLUMN_FRAME_INTERVAL, 0);
    int64_t longer = of_a > of_b ? of_a : of_b;
    return longer > 0 ? longer : interval_ns;
}

static size_t count_dropped_intervals(int64_t step_ns, int64_t interval_ns)
{
    int64_t half_up_ns = interval_ns - interval_ns / 2;
    /* This is true for nearly all steps, and avoids the slower division. */
    if (step_ns - interval_ns < half_up_ns) {
        return 0;
    }
    return (size_t)(step_ns / interval_ns - 1 + (step_ns % interval_ns >= half_up_ns));
}

static void add_step(struct replay *replay, const struct dj_frame *frame)
{
    struct dj_summary *summary = replay->summary;
    const struct dj_frame *last = replay->last;
    int64_t interval_ns = replay->rules->interval_ns;
    int64_t start_ns = dj_frame_get_time(frame, 0);
    int64_t step_ns = dj_checked_subtract_saturated(start_ns, dj_frame_get_time(last, 0));
    int64_t idle_ns = dj_checked_subtract_saturated(start_ns, dj_frame_get_end(last, 0));
    if (step_ns > 0 && idle_ns / DJ_PAUSE_INTERVALS < interval_ns) {
        summary->making_frames++;
        summary->making_ns = dj_checked_add_saturated(summary->making_ns, step_ns);
        summary->dropped_intervals +=
            count_dropped_intervals(step_ns, get_step_interval(last, frame, interval_ns));
    }
}

/* Computes in a single pass all results that need only one row or two consecutive rows,
 * because reading many rows from memory is the slowest part. */
static void replay_rows(const struct dj_frame *frames, size_t count,
                        const struct dj_summary_rules *rules, struct dj_row_facts *facts,
                        int64_t *scratch, struct dj_summary *summary)
{
    struct replay replay = {.rules = rules,
                            .summary = summary,
                            .frame_times = scratch,
                            .guide_totals = scratch + count,
                            .guide = scratch + 2 * count};
    dj_frame_tracker_init(&replay.tracker, rules->dialect, rules->interval_ns);
    replay.tracker.forgiveness_ns = rules->forgiveness_ns;
    replay.tracker.rejudges = true;
    for (size_t i = 0; i < count; i++) {
        if (!dj_frame_row_was_shown(&facts[i])) {
            continue;
        }
        if (facts[i].usability == DJ_ROW_PRESENT_ONLY) {
            summary->replayed.counter[DJ_COUNTER_TOTAL]++;
        } else {
            judge_row(&replay, &frames[i], &facts[i]);
        }
        if (facts[i].usability == DJ_ROW_USABLE) {
            add_guide(&replay, &frames[i]);
        }
        if (replay.last != NULL) {
            add_step(&replay, &frames[i]);
        }
        replay.last = &frames[i];
    }
    dj_frame_stats_merge(&summary->replayed, &summary->exact);
    dj_frame_compute_spread(replay.frame_times, summary->judged, &summary->frame_time);
    dj_frame_compute_spread(replay.guide_totals, summary->guide_total.count,
                            &summary->guide_total);
    if (summary->guide.count == summary->guide_total.count) {
        summary->guide = summary->guide_total;
    } else {
        dj_frame_compute_spread(replay.guide, summary->guide.count, &summary->guide);
    }
}

/* The times of the stages `first` to `end` − 1, which one pass over the rows measures.
 * One pass measures at most DJ_SUMMARY_SCRATCH stages, because `scratch` has no more
 * space. */
struct stage_times {
    int64_t *times_ns[DJ_SUMMARY_SCRATCH];
    size_t count[DJ_SUMMARY_SCRATCH];
    size_t first, end;
};

/* Adds the stages of consecutive usable rows with the same division. */
static void add_stages(struct stage_times *times,
                       const struct dj_stage_division *division,
                       const struct dj_frame *const *rows, size_t row_count)
{
    for (size_t i = 0; i < times->end - times->first; i++) {
        enum dj_stage stage = (enum dj_stage)(times->first + i);
        if ((division->stages & (1U << stage)) == 0) {
            continue;
        }
        int64_t *times_ns = times->times_ns[i] + times->count[i];
        for (size_t row = 0; row < row_count; row++) {
            times_ns[row] = dj_stages_duration_ns(division, rows[row], stage);
        }
        times->count[i] += row_count;
    }
}

static void measure_stages(const struct dj_frame *frames, size_t count,
                           const struct dj_row_facts *facts, struct stage_times *times)
{
    /* Rows per batch. This many rows stay in the CPU cache for all stages. */
    enum { ROWS = 64 };
    const struct dj_frame *rows[ROWS];
    size_t row_count = 0;
    struct dj_stage_division division;
    dj_frame_divide_stages(0, &division);
    for (size_t i = 0; i < count; i++) {
        if (facts[i].usability != DJ_ROW_USABLE) {
            continue;
        }
        if (row_count == ROWS || frames[i].known != division.known) {
            add_stages(times, &division, rows, row_count);
            row_count = 0;
            dj_frame_divide_stages(frames[i].known, &division);
        }
        rows[row_count++] = &frames[i];
    }
    add_stages(times, &division, rows, row_count);
}

static void compute_stage_spreads(const struct dj_frame *frames, size_t count,
                                  const struct dj_row_facts *facts, int64_t *scratch,
                                  struct dj_summary *summary)
{
    for (size_t first = 0; first < DJ_STAGE_COUNT; first += DJ_SUMMARY_SCRATCH) {
        struct stage_times times = {.first = first, .end = first + DJ_SUMMARY_SCRATCH};
        times.end = times.end < DJ_STAGE_COUNT ? times.end : DJ_STAGE_COUNT;
        for (size_t i = 0; i < DJ_SUMMARY_SCRATCH; i++) {
            times.times_ns[i] = scratch + i * count;
        }
        measure_stages(frames, count, facts, &times);
        for (size_t stage = first; stage < times.end; stage++) {
            dj_frame_compute_spread(times.times_ns[stage - first],
                                    times.count[stage - first], &summary->stage[stage]);
        }
    }
}

void dj_frame_summarize(const struct dj_frame *frames, size_t count,
                        const struct dj_summary_rules *rules, struct dj_row_facts *facts,
                        int64_t *scratch, struct dj_summary *summary)
{
    *summary = (struct dj_summary){.rows = count};
    find_usability(frames, count, rules, facts, scratch);
    for (size_t i = 0; i < count; i++) {
        summary->excluded[facts[i].usability]++;
    }
    summary->usable = summary->excluded[DJ_ROW_USABLE];
    summary->excluded[DJ_ROW_USABLE] = 0;
    replay_rows(frames, count, rules, facts, scratch, summary);
    compute_stage_spreads(frames, count, facts, scratch, summary);
}

double dj_frame_summary_rate_hz(const struct dj_summary *summary)
{
    return summary->making_frames > 0
               ? (double)summary->making_frames * 1e9 / (double)summary->making_ns
               : (double)NAN;
}
