#include "frame/tracker.h"

#include "base/checked.h"

/* Deltas of ten seconds and more are garbage stamps to hwui, and count for no type. */
static const int64_t IMPLAUSIBLE_NS = INT64_C(10000000000);

/* hwui's share of an interval by which a deadline must lie ahead for the frame to count as buffered twice. */
static const double STUFFED_INTERVALS = 0.1;

static const int64_t SLOW_DEQUEUE_NS = 500000;

void dj_tracker_init(struct dj_tracker *tracker, const struct dj_dialect *dialect,
                     int64_t interval_ns)
{
    *tracker = (struct dj_tracker){.dialect = dialect, .interval_ns = interval_ns};
}

int64_t dj_forgiveness_ns(int64_t sf_offset_ns, int64_t app_offset_ns)
{
    int64_t delta = sf_offset_ns - app_offset_ns;
    return delta >= 0 && delta <= 4000000 ? delta + 4000000 : 0;
}

bool dj_tracker_judge(struct dj_tracker *tracker, const struct dj_frame *frame,
                      struct dj_verdict *verdict)
{
    return tracker->dialect->judge(tracker, frame, verdict);
}

/* What a dequeue that the compositor held up takes out of a frame's time (§3.3). */
static int64_t forgiven_ns(const struct dj_tracker *tracker, const struct dj_frame *frame)
{
    int64_t dequeue = dj_frame_get(frame, DJ_COLUMN_DEQUEUE_BUFFER_DURATION, 0);
    if (tracker->forgiveness_ns == 0 || dequeue <= SLOW_DEQUEUE_NS) {
        return 0;
    }
    int64_t expected = dj_subtract_saturated(
        dj_add_wrapped(tracker->forgiveness_ns, frame->value[DJ_COLUMN_VSYNC]),
        frame->value[DJ_COLUMN_ISSUE_DRAW_COMMANDS_START]);
    if (expected <= 0) {
        return 0;
    }
    return expected < dequeue ? expected : dequeue;
}

static uint32_t passed_thresholds(const struct dj_tracker *tracker, const struct dj_frame *frame)
{
    uint32_t counters = 0;
    for (size_t i = 0; i < tracker->dialect->threshold_count; i++) {
        const struct dj_threshold *limit = &tracker->dialect->thresholds[i];
        int64_t least_ns = limit->least_ns > 0
                               ? limit->least_ns
                               : (int64_t)(limit->intervals * (double)tracker->interval_ns);
        int64_t delta_ns;
        if (dj_frame_duration(frame, limit->start, limit->end, &delta_ns) &&
            delta_ns >= least_ns && delta_ns < IMPLAUSIBLE_NS) {
            counters |= DJ_COUNTER_BIT(limit->counter);
        }
    }
    return counters;
}

static int16_t gpu_bucket(const struct dj_tracker *tracker, const struct dj_frame *frame)
{
    int64_t completed = dj_frame_get(frame, DJ_COLUMN_GPU_COMPLETED, 0);
    if (!tracker->dialect->counts_gpu || completed <= 0 ||
        !dj_frame_has(frame, DJ_COLUMN_SWAP_BUFFERS)) {
        return DJ_NO_BUCKET;
    }
    int64_t gpu_ns = dj_subtract_saturated(completed, frame->value[DJ_COLUMN_SWAP_BUFFERS]);
    return gpu_ns > 0 ? (int16_t)dj_gpu_bucket(gpu_ns) : DJ_NO_BUCKET;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

bool dj_judge_swap_deadline(struct dj_tracker *tracker, const struct dj_frame *frame,
                            struct dj_verdict *verdict)
{
    int64_t total_ns;
    if (!dj_frame_has_all(frame, DJ_COLUMN_BIT(DJ_COLUMN_VSYNC) |
                                     DJ_COLUMN_BIT(DJ_COLUMN_ISSUE_DRAW_COMMANDS_START)) ||
        !dj_frame_duration(frame, DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_FRAME_COMPLETED, &total_ns)) {
        return false;
    }
    total_ns -= forgiven_ns(tracker, frame);
    if (total_ns <= 0) {
        return false;
    }
    *verdict = (struct dj_verdict){
        .counters = DJ_COUNTER_BIT(DJ_COUNTER_TOTAL),
        .frame_bucket = (int16_t)dj_frame_bucket(total_ns),
        .gpu_bucket = gpu_bucket(tracker, frame),
        .frame_time_ns = total_ns,
    };
    if ((dj_frame_get(frame, DJ_COLUMN_FLAGS, 0) & DJ_FLAG_SURFACE_CANVAS) != 0) {
        return true;
    }
    int64_t interval_ns = tracker->interval_ns;
    int64_t intended_ns = frame->value[DJ_COLUMN_INTENDED_VSYNC];
    int64_t completed_ns = frame->value[DJ_COLUMN_FRAME_COMPLETED];
    if (total_ns > interval_ns) {
        verdict->counters |= DJ_COUNTER_BIT(DJ_COUNTER_JANKY);
    }
    bool stuffed = (double)dj_subtract_saturated(tracker->swap_deadline_ns, intended_ns) >
                   (double)interval_ns * STUFFED_INTERVALS;
    tracker->swap_deadline_ns = later(dj_add_wrapped(tracker->swap_deadline_ns, interval_ns),
                                      dj_add_wrapped(intended_ns, interval_ns));
    if (completed_ns < tracker->swap_deadline_ns || total_ns < interval_ns) {
        if (stuffed) {
            verdict->counters |= DJ_COUNTER_BIT(DJ_COUNTER_HIGH_INPUT_LATENCY);
        }
        return true;
    }
    int64_t late_ns =
        dj_subtract_saturated(completed_ns, frame->value[DJ_COLUMN_VSYNC]) % interval_ns;
    tracker->swap_deadline_ns =
        dj_add_wrapped(dj_subtract_saturated(completed_ns, late_ns), interval_ns);
    verdict->counters |=
        DJ_COUNTER_BIT(DJ_COUNTER_DEADLINE_MISSED) | passed_thresholds(tracker, frame);
    return true;
}
