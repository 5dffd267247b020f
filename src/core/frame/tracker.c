#include "frame/tracker.h"

#include "base/checked.h"
#include "base/compare.h"
#include "base/count_of.h"

/* hwui considers timestamps that are ten seconds or more apart invalid, and counts them
 * in no counter of a threshold. */
static const int64_t IMPLAUSIBLE_NS = INT64_C(10000000000);

/* A frame is stuffed if it starts while an older frame still waits for the display. hwui
 * assumes this if swap_deadline_ns or unstuffed_start_ns, as the older frames left them,
 * is more than this fraction of an interval after IntendedVsync. */
static const double STUFFED_INTERVALS = 0.1;

static const int64_t SLOW_DEQUEUE_NS = 500000;

void dj_frame_tracker_init(struct dj_tracker *tracker, const struct dj_dialect *dialect,
                           int64_t interval_ns)
{
    *tracker = (struct dj_tracker){
        .dialect = dialect,
        .interval_ns = dialect->interval(interval_ns),
        .swap_deadline_ns = dialect->first_swap_deadline_ns,
        .unstuffed_start_ns = -1,
    };
}

int64_t dj_frame_compute_forgiveness_ns(int64_t sf_offset_ns, int64_t app_offset_ns)
{
    int64_t delta = sf_offset_ns - app_offset_ns;
    return delta >= 0 && delta <= 4000000 ? delta + 4000000 : 0;
}

bool dj_frame_tracker_judge(struct dj_tracker *tracker, const struct dj_frame *frame,
                            struct dj_verdict *verdict)
{
    *verdict =
        (struct dj_verdict){.frame_bucket = DJ_NO_BUCKET, .gpu_bucket = DJ_NO_BUCKET};
    return tracker->dialect->judge(tracker, frame, verdict);
}

bool dj_frame_tracker_count(struct dj_tracker *tracker, const struct dj_frame *frame,
                            struct dj_verdict *verdict)
{
    if (!dj_frame_is_present_only(frame)) {
        return dj_frame_tracker_judge(tracker, frame, verdict);
    }
    bool shown = (dj_frame_get(frame, DJ_COLUMN_FLAGS, 0) & DJ_FLAG_SKIPPED_FRAME) == 0;
    *verdict = (struct dj_verdict){
        .counters = shown ? DJ_COUNTER_BIT(DJ_COUNTER_TOTAL) : 0,
        .frame_bucket = DJ_NO_BUCKET,
        .gpu_bucket = DJ_NO_BUCKET,
        .frame_time_ns = -1,
    };
    return true;
}

/* Returns the part of the frame time in ns that hwui subtracts because the compositor
 * delayed a dequeue (docs/semantics.md). */
static int64_t compute_forgiven_ns(const struct dj_tracker *tracker,
                                   const struct dj_frame *frame)
{
    int64_t dequeue = dj_frame_get(frame, DJ_COLUMN_DEQUEUE_BUFFER_DURATION, 0);
    if (!tracker->dialect->forgives_dequeue || tracker->forgiveness_ns == 0 ||
        dequeue <= SLOW_DEQUEUE_NS) {
        return 0;
    }
    int64_t expected = dj_checked_subtract_saturated(
        dj_checked_add_wrapped(tracker->forgiveness_ns, frame->value[DJ_COLUMN_VSYNC]),
        frame->value[DJ_COLUMN_ISSUE_DRAW_COMMANDS_START]);
    if (expected <= 0) {
        return 0;
    }
    return expected < dequeue ? expected : dequeue;
}

/* Returns whether the columns that every rule needs are known. */
static bool is_complete(const struct dj_frame *frame)
{
    return dj_frame_has_all(
        frame, DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC) | DJ_COLUMN_BIT(DJ_COLUMN_VSYNC) |
                   DJ_COLUMN_BIT(DJ_COLUMN_ISSUE_DRAW_COMMANDS_START) |
                   DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED));
}

/* Computes the frame time by the release's rule. Returns false if a column that every
 * rule needs is unknown. */
static bool measure_total(const struct dj_tracker *tracker, const struct dj_frame *frame,
                          int64_t *total_ns)
{
    return is_complete(frame) &&
           tracker->dialect->total(frame, DJ_COLUMN_INTENDED_VSYNC,
                                   DJ_COLUMN_FRAME_COMPLETED, total_ns);
}

static bool is_exempt(const struct dj_tracker *tracker, const struct dj_frame *frame)
{
    return (dj_frame_get(frame, DJ_COLUMN_FLAGS, 0) & tracker->dialect->exempt_flags) !=
           0;
}

static uint32_t find_reached_thresholds(const struct dj_tracker *tracker,
                                        const struct dj_frame *frame, int64_t interval_ns)
{
    const struct dj_dialect *dialect = tracker->dialect;
    uint32_t counters = 0;
    for (size_t i = 0; i < dialect->threshold_count; i++) {
        const struct dj_threshold *limit = &dialect->thresholds[i];
        int64_t least_ns = limit->least_ns > 0
                               ? limit->least_ns
                               : (int64_t)(limit->intervals * (double)interval_ns);
        int64_t delta_ns;
        if (dialect->span(frame, limit->start, limit->end, &delta_ns) &&
            delta_ns >= least_ns && delta_ns < IMPLAUSIBLE_NS) {
            counters |= DJ_COUNTER_BIT(limit->counter);
        }
    }
    return counters;
}

/* The GPU time is GpuCompleted − SwapBuffers if the GPU completed. hwui excludes only
 * negative GPU times. */
int16_t dj_frame_tracker_gpu_bucket(const struct dj_tracker *tracker,
                                    const struct dj_frame *frame)
{
    int64_t completed = dj_frame_get(frame, DJ_COLUMN_GPU_COMPLETED, 0);
    if (!tracker->dialect->counts_gpu || completed <= 0 ||
        !dj_frame_has(frame, DJ_COLUMN_SWAP_BUFFERS)) {
        return DJ_NO_BUCKET;
    }
    int64_t gpu_ns =
        dj_checked_subtract_saturated(completed, frame->value[DJ_COLUMN_SWAP_BUFFERS]);
    return gpu_ns >= 0 ? (int16_t)dj_frame_histogram_gpu_bucket(gpu_ns) : DJ_NO_BUCKET;
}

static void count_frame(struct dj_tracker *tracker, int64_t frame_time_ns,
                        struct dj_verdict *verdict)
{
    verdict->counters |= DJ_COUNTER_BIT(DJ_COUNTER_TOTAL);
    verdict->frame_bucket = tracker->dialect->bucket(tracker, frame_time_ns);
    verdict->frame_time_ns = frame_time_ns;
}

/* Returns whether start_ns is so long before point_ns that the buffer of another frame
 * still waits for the display. */
static bool is_ahead(int64_t point_ns, int64_t start_ns, int64_t interval_ns)
{
    return (double)dj_checked_subtract_saturated(point_ns, start_ns) >
           (double)interval_ns * STUFFED_INTERVALS;
}

/* Returns the start of the interval after the one that contains completed_ns. Intervals
 * are counted from vsync_ns. If interval_ns is 0, the remainder equals the dividend, as
 * on ARM CPUs. */
static int64_t compute_next_start_ns(int64_t completed_ns, int64_t vsync_ns,
                                     int64_t interval_ns)
{
    int64_t jitter_ns = dj_checked_subtract_saturated(completed_ns, vsync_ns);
    int64_t offset_ns = interval_ns > 0 ? jitter_ns % interval_ns : jitter_ns;
    return dj_checked_add_wrapped(dj_checked_subtract_saturated(completed_ns, offset_ns),
                                  interval_ns);
}

bool dj_tracker_judge_none(struct dj_tracker *tracker, const struct dj_frame *frame,
                           struct dj_verdict *verdict)
{
    int64_t total_ns;
    if (!measure_total(tracker, frame, &total_ns)) {
        return false;
    }
    count_frame(tracker, total_ns, verdict);
    return true;
}

bool dj_tracker_judge_interval(struct dj_tracker *tracker, const struct dj_frame *frame,
                               struct dj_verdict *verdict)
{
    const struct dj_dialect *dialect = tracker->dialect;
    int64_t total_ns;
    if (!measure_total(tracker, frame, &total_ns)) {
        return false;
    }
    total_ns -= compute_forgiven_ns(tracker, frame);
    if (total_ns <= 0 && dialect->aborts_on_nothing) {
        return false;
    }
    bool slow =
        total_ns >= dj_checked_add_wrapped(tracker->interval_ns, tracker->grown_ns);
    if (slow && is_exempt(tracker, frame)) {
        verdict->counters = DJ_COUNTER_BIT(DJ_COUNTER_TOTAL);
        verdict->frame_time_ns = total_ns;
        if (!dialect->drops_slow_exempt) {
            count_frame(tracker, total_ns, verdict);
        }
        return true;
    }
    count_frame(tracker, total_ns, verdict);
    if (slow) {
        verdict->counters |=
            DJ_COUNTER_BIT(DJ_COUNTER_JANKY) |
            find_reached_thresholds(tracker, frame, tracker->interval_ns);
    }
    return true;
}

/* Moves the swap deadline to that of this frame, and returns whether the frame missed it.
 * If the frame is in time but stuffed, adds DJ_COUNTER_HIGH_INPUT_LATENCY to the
 * verdict. */
static bool check_swap_deadline(struct dj_tracker *tracker, const struct dj_frame *frame,
                                int64_t total_ns, struct dj_verdict *verdict)
{
    int64_t interval_ns = tracker->interval_ns;
    int64_t intended_ns = frame->value[DJ_COLUMN_INTENDED_VSYNC];
    int64_t completed_ns = frame->value[DJ_COLUMN_FRAME_COMPLETED];
    bool stuffed = is_ahead(tracker->swap_deadline_ns, intended_ns, interval_ns);
    tracker->swap_deadline_ns =
        DJ_MOST(dj_checked_add_wrapped(tracker->swap_deadline_ns, interval_ns),
                dj_checked_add_wrapped(intended_ns, interval_ns));
    if (completed_ns < tracker->swap_deadline_ns || total_ns < interval_ns) {
        if (stuffed) {
            verdict->counters |= DJ_COUNTER_BIT(DJ_COUNTER_HIGH_INPUT_LATENCY);
        }
        return false;
    }
    tracker->swap_deadline_ns =
        compute_next_start_ns(completed_ns, frame->value[DJ_COLUMN_VSYNC], interval_ns);
    return true;
}

bool dj_tracker_judge_swap_deadline(struct dj_tracker *tracker,
                                    const struct dj_frame *frame,
                                    struct dj_verdict *verdict)
{
    int64_t total_ns;
    if (!measure_total(tracker, frame, &total_ns)) {
        return false;
    }
    total_ns -= compute_forgiven_ns(tracker, frame);
    if (total_ns <= 0) {
        return false;
    }
    count_frame(tracker, total_ns, verdict);
    verdict->gpu_bucket = dj_frame_tracker_gpu_bucket(tracker, frame);
    if (is_exempt(tracker, frame)) {
        return true;
    }
    if (total_ns > tracker->interval_ns) {
        verdict->counters |= DJ_COUNTER_BIT(DJ_COUNTER_JANKY);
    }
    if (check_swap_deadline(tracker, frame, total_ns, verdict)) {
        verdict->counters |=
            DJ_COUNTER_BIT(DJ_COUNTER_DEADLINE_MISSED) |
            find_reached_thresholds(tracker, frame, tracker->interval_ns);
    }
    return true;
}

/* Returns a copy of the frame in which unknown columns that the rule needs have the
 * values that would be printed. */
static struct dj_frame fill_unknown_columns(const struct dj_tracker *tracker,
                                            const struct dj_frame *frame)
{
    static const enum dj_column needed[] = {
        DJ_COLUMN_FRAME_DEADLINE, DJ_COLUMN_FRAME_INTERVAL, DJ_COLUMN_GPU_COMPLETED,
        DJ_COLUMN_SWAP_BUFFERS_COMPLETED};
    struct dj_frame full = *frame;
    for (size_t i = 0; i < COUNT_OF(needed); i++) {
        if (!dj_frame_has(frame, needed[i])) {
            full.value[needed[i]] =
                dj_frame_fallback(frame, needed[i], tracker->interval_ns);
        }
    }
    full.known |= DJ_COLUMN_BIT(DJ_COLUMN_SWAP_BUFFERS_COMPLETED);
    return full;
}

/* Applies the rule of Android 11 without its thresholds, and adds the "(legacy)" counters
 * to the verdict. Uses the display's interval instead of the frame's own interval. */
static void judge_legacy(struct dj_tracker *tracker, const struct dj_frame *frame,
                         struct dj_verdict *verdict)
{
    int64_t total_ns = 0;
    dj_frame_duration(frame, DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_SWAP_BUFFERS_COMPLETED,
                      &total_ns);
    total_ns -= compute_forgiven_ns(tracker, frame);
    if (total_ns <= 0 || is_exempt(tracker, frame)) {
        return;
    }
    if (total_ns > tracker->interval_ns) {
        verdict->counters |= DJ_COUNTER_BIT(DJ_COUNTER_JANKY_LEGACY);
    }
    if (tracker->swap_deadline_ns < 0) {
        tracker->swap_deadline_ns = dj_checked_add_wrapped(
            frame->value[DJ_COLUMN_INTENDED_VSYNC], tracker->interval_ns);
    }
    if (check_swap_deadline(tracker, frame, total_ns, verdict)) {
        verdict->counters |= DJ_COUNTER_BIT(DJ_COUNTER_DEADLINE_MISSED_LEGACY);
    }
}

/* Returns the frame's deadline. If the frame is stuffed, moves the deadline, unless the
 * known FrameDeadline already has its changed value. */
static int64_t find_deadline(const struct dj_tracker *tracker,
                             const struct dj_frame *frame, const struct dj_frame *full,
                             bool stuffed, struct dj_verdict *verdict)
{
    int64_t deadline_ns = full->value[DJ_COLUMN_FRAME_DEADLINE];
    bool known = dj_frame_has(frame, DJ_COLUMN_FRAME_DEADLINE);
    if (!stuffed || (known && tracker->rejudges)) {
        return deadline_ns;
    }
    deadline_ns = tracker->dialect->stuffed_deadline(
        tracker, frame, deadline_ns, full->value[DJ_COLUMN_FRAME_INTERVAL]);
    verdict->deadline_moved = known;
    verdict->deadline_ns = deadline_ns;
    return deadline_ns;
}

static void check_deadline(struct dj_tracker *tracker, const struct dj_frame *frame,
                           const struct dj_frame *full, struct dj_verdict *verdict)
{
    int64_t interval_ns = full->value[DJ_COLUMN_FRAME_INTERVAL];
    int64_t gpu_ns = full->value[DJ_COLUMN_GPU_COMPLETED];
    bool stuffed = is_ahead(tracker->unstuffed_start_ns,
                            frame->value[DJ_COLUMN_INTENDED_VSYNC], interval_ns);
    if (gpu_ns >= find_deadline(tracker, frame, full, stuffed, verdict)) {
        verdict->counters |= DJ_COUNTER_BIT(DJ_COUNTER_DEADLINE_MISSED) |
                             DJ_COUNTER_BIT(DJ_COUNTER_JANKY) |
                             find_reached_thresholds(tracker, frame, interval_ns);
        tracker->unstuffed_start_ns =
            compute_next_start_ns(gpu_ns, frame->value[DJ_COLUMN_VSYNC], interval_ns);
    } else if (stuffed) {
        uint32_t latency = DJ_COUNTER_BIT(DJ_COUNTER_HIGH_INPUT_LATENCY);
        verdict->counters_again = verdict->counters & latency;
        verdict->counters |= latency;
        tracker->unstuffed_start_ns =
            dj_checked_add_wrapped(tracker->unstuffed_start_ns, interval_ns);
    }
}

bool dj_tracker_judge_frame_deadline(struct dj_tracker *tracker,
                                     const struct dj_frame *frame,
                                     struct dj_verdict *verdict)
{
    if (!is_complete(frame)) {
        return false;
    }
    struct dj_frame full = fill_unknown_columns(tracker, frame);
    judge_legacy(tracker, &full, verdict);
    int64_t total_ns = 0;
    tracker->dialect->total(frame, DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_FRAME_COMPLETED,
                            &total_ns);
    if (total_ns <= 0) {
        return false;
    }
    count_frame(tracker, total_ns, verdict);
    if (is_exempt(tracker, frame)) {
        return true;
    }
    check_deadline(tracker, frame, &full, verdict);
    verdict->gpu_bucket = dj_frame_tracker_gpu_bucket(tracker, frame);
    return true;
}
