/* Presents that are frames of their own because no swap inside them is one. */
#include "recorder/recorder.h"
#include "recorder/thread.h"

void dj_recorder_present_begins(struct dj_present *present)
{
    struct dj_thread *thread = &dj_thread;
    present->entry_ns = dj_clock_ns();
    dj_thread_seen(thread, present->entry_ns);
    /* Computed now, because a sleep inside the call already wakes the loop for the
     * next frame. */
    present->start_ns = dj_waits_would_start(&thread->waits, thread->first_seen_ns);
    present->slept_ns = thread->slept_ns;
    present->finished = thread->finished;
}

struct dj_recorded dj_recorder_present_ends(const struct dj_present *present,
                                            struct dj_surface surface)
{
    struct dj_thread *thread = &dj_thread;
    struct dj_frame_under_way *frame = &thread->frame;
    bool nested = frame->declared || thread->swap_depth > 0;
    if (nested || thread->finished != present->finished) {
        return (struct dj_recorded){0};
    }
    frame->start_ns = present->start_ns;
    frame->entry_ns = present->entry_ns;
    frame->waited_ns = thread->slept_ns - present->slept_ns;
    frame->returned_ns = dj_clock_ns();
    thread->waits.started_ns = present->start_ns;
    dj_waits_frame_done(&thread->waits, frame->returned_ns);
    return dj_recorder_finish(thread, surface);
}
