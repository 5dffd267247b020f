#include "frame/tracker.h"
#include "segment/snapshot.h"

/* Judges a frame and adds it to the statistics. If the tracker changes the deadline,
 * stores the new deadline in the frame, because Android 12 and later print it. The
 * tracker does not change a deadline again that was already changed during recording. */
static void judge_frame(struct dj_tracker *tracker, struct dj_frame *frame,
                        struct dj_stats *stats)
{
    struct dj_verdict verdict;
    if (!dj_frame_tracker_count(tracker, frame, &verdict)) {
        return;
    }
    if (verdict.deadline_moved) {
        frame->value[DJ_COLUMN_FRAME_DEADLINE] = verdict.deadline_ns;
    }
    dj_frame_stats_add(stats, &verdict);
}

static void recount_window(struct dj_snapshot_window *window,
                           const struct dj_dialect *dialect, bool rejudges)
{
    struct dj_stats stats = {.since_ns = window->stats.since_ns};
    struct dj_tracker tracker;
    dj_frame_tracker_init(&tracker, dialect, window->interval_ns);
    tracker.rejudges = rejudges;
    for (size_t i = 0; i < window->frame_count; i++) {
        judge_frame(&tracker, &window->frames[i], &stats);
    }
    window->stats = stats;
    window->process = stats;
}

struct dj_recount dj_segment_snapshot_recount(struct dj_snapshot *snapshot,
                                              const struct dj_dialect *dialect)
{
    struct dj_recount recount = {.from = snapshot->dialect};
    bool rejudges = snapshot->dialect->judge == dj_tracker_judge_frame_deadline;
    for (size_t i = 0; i < snapshot->window_count; i++) {
        struct dj_snapshot_window *window = &snapshot->windows[i];
        recount.counted += window->process.counter[DJ_COUNTER_TOTAL];
        recount_window(window, dialect, rejudges);
        recount.kept += window->process.counter[DJ_COUNTER_TOTAL];
    }
    snapshot->dialect = dialect;
    return recount;
}
