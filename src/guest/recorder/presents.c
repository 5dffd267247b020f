/* Records a toolkit's present call as a frame, if the call contains no swap that is a
 * frame. */
#include "recorder/recorder.h"
#include "recorder/thread.h"

void dj_recorder_begin_present(struct dj_present *present)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    present->entry_ns = dj_recorder_clock_ns();
    dj_thread_note_seen(thread, present->entry_ns);
    /* The start must be computed before the call, because a sleep inside the call
     * counts as the wake-up of the loop for the next frame. */
    present->start_ns = dj_waits_get_frame_start(&thread->waits, thread->first_seen_ns);
    present->slept_ns = thread->slept_ns;
    present->finished = thread->finished;
    thread->present_depth++;
}

struct dj_recorded_frame dj_recorder_end_present(const struct dj_present *present,
                                                 struct dj_surface surface)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    struct dj_frame_in_progress *frame = &thread->frame;
    bool nested = frame->declared || thread->swap_depth > 0;
    if (nested || thread->finished != present->finished) {
        return (struct dj_recorded_frame){0};
    }
    frame->start_ns = present->start_ns;
    frame->entry_ns = present->entry_ns;
    frame->waited_ns = thread->slept_ns - present->slept_ns;
    frame->returned_ns = dj_recorder_clock_ns();
    thread->waits.started_ns = present->start_ns;
    dj_waits_end_frame(&thread->waits, frame->returned_ns);
    return dj_recorder_finish_frame(thread, surface);
}
