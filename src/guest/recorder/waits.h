/*
 * recorder: the writer inside an app — where a frame starts and ends, and its row in the
 * segment. Not how calls are caught (hooks). Guest code: after the first frame it neither
 * allocates nor blocks; it never prints or exits.
 *
 * This header: where a frame starts. The rule (each part was tried on real programs):
 *   1. at the return of the thread's last loop wait: one that blocked longer than 100 µs,
 * outside swap, not for the reply to a request, and no deeper on the stack than the loop,
 * that is than the shallowest wait of the last 60 frames (a wait for the next event
 * counts at any depth);
 *   2. a thread woken by another starts where that one woke, however short the wait; but
 * a wake-up that the swapping thread itself caused starts nothing (its own helpers'
 * answers);
 *   3. without any such wait since the previous swap returned: at that return.
 * Thus idle time is never part of a frame, and a slow reply in mid-frame is.
 *
 * Pure: times and stack positions come in as arguments. One struct per thread, used by
 * that thread only; the wake table is shared by all threads and lock-free.
 */
#ifndef DEJANK_RECORDER_WAITS_H
#define DEJANK_RECORDER_WAITS_H

#include <stdbool.h>
#include <stdint.h>

struct dj_waits {
    int64_t woke_ns;    /* return of the last loop wait, or the waker's; 0: none yet */
    int64_t swapped_ns; /* return of the previous swap; 0: none yet */
    int64_t started_ns; /* where the previous frame started */
    uintptr_t
        shallowest[2]; /* highest stack address of a wait: this epoch, the one before */
    uint32_t epoch_events;
    bool swaps; /* this thread has presented a frame */
};

/* A wait has returned. `stack` is an address in the frame of the call that waited (stacks
 * grow down). */
void dj_waits_returned(struct dj_waits *waits, int64_t begin_ns, int64_t end_ns,
                       uintptr_t stack);

/* A wait for the window system's next event has returned: a loop wait at whatever depth.
 */
void dj_waits_event_came(struct dj_waits *waits, int64_t begin_ns, int64_t end_ns);

/* This thread is about to wake whoever waits on `object` (a condition variable, a
 * semaphore). */
void dj_waits_waking(const struct dj_waits *waits, const void *object, int64_t now_ns);

/* A wait on `object` has returned because it was woken (not: timed out). */
void dj_waits_woken(struct dj_waits *waits, const void *object, int64_t begin_ns,
                    int64_t end_ns, uintptr_t stack);

/* The thread enters swap: where its frame started. born_ns stands in for a first frame
 * without any wait. */
int64_t dj_waits_frame_start(struct dj_waits *waits, int64_t born_ns);

/* Swap has returned. */
void dj_waits_frame_done(struct dj_waits *waits, int64_t now_ns);

#endif
