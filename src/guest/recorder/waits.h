/*
 * recorder: the writer inside an app — where a frame starts and ends, and its row in the
 * segment. Not how calls are caught (hooks). Guest code: after the first frame it neither
 * allocates nor blocks; it never prints or exits.
 *
 * This header: where a frame starts. The rule (each part was tried on real programs):
 *
 * - At the return of the thread's last loop wait: one that blocked longer than 100 µs,
 * outside swap, not for the reply to a request, and no deeper on the stack than the loop.
 * - The loop stands where the shallowest wait of the last 60 frames was called, or a swap
 * that itself waited for the display. A wait for the next X event counts at any depth.
 * - A thread woken by another starts where that one woke, however short the wait; but a
 * wake-up that the swapping thread itself caused starts nothing (its own helpers'
 * answers).
 * - Without any such wait since the previous swap returned: at that return.
 *
 * Thus idle time is never part of a frame, and a slow reply in mid-frame is.
 *
 * Pure: times and stack positions come in as arguments. One struct per thread, used by
 * that thread only; the wake table is shared by all threads and lock-free.
 */
#ifndef DEJANK_RECORDER_WAITS_H
#define DEJANK_RECORDER_WAITS_H

#include <stdbool.h>
#include <stdint.h>

/* usleep(0) takes 75 µs: a pause that short is no wait. */
enum { DJ_LOOP_WAIT_NS = 100000 };

struct dj_waits {
    int64_t woke_ns;    /* return of the last loop wait, or the waker's; 0: none yet */
    int64_t swapped_ns; /* return of the previous swap; 0: none yet */
    int64_t started_ns; /* where the previous frame started */
    uintptr_t
        shallowest[2]; /* highest stack address of a wait: this epoch, the one before */
    uint32_t epoch_events;
    int64_t last_ns;      /* return of the last wait, at whatever depth */
    uintptr_t last_stack; /* and that */
    bool swaps;           /* this thread has presented a frame */
};

/* A wait has returned. `stack` is an address in the frame of the call that waited (stacks
 * grow down). */
void dj_waits_returned(struct dj_waits *waits, int64_t begin_ns, int64_t end_ns,
                       uintptr_t stack);

/* A wait for the window system's next event has returned: a loop wait at whatever depth.
 */
void dj_waits_event_came(struct dj_waits *waits, int64_t begin_ns, int64_t end_ns);

/* Swap has waited for the display: where it was called from, the loop stands. */
void dj_waits_swap_waited(struct dj_waits *waits, int64_t waited_ns, uintptr_t stack);

/*
 * Counts the threads that wait on an object, so that a wake-up that no thread waits for
 * need not be recorded. A wait adds its waiter first and reads the clock for its begin
 * after that. A wake-up that does not find the waiter is therefore earlier than that
 * begin, and dj_waits_woken() takes no notice of such a wake-up.
 *
 * The count is an upper bound: objects may share one, and a wait that never returns
 * (thread cancellation, or fork() in another thread) stays counted.
 */
void dj_waits_add_waiter(const void *object);
void dj_waits_remove_waiter(const void *object);
bool dj_waits_has_waiter(const void *object);

/* This thread is about to wake whoever waits on `object` (a condition variable, a
 * semaphore). */
void dj_waits_waking(const struct dj_waits *waits, const void *object, int64_t now_ns);

/* A wait on `object` has returned because it was woken (not: timed out). */
void dj_waits_woken(struct dj_waits *waits, const void *object, int64_t begin_ns,
                    int64_t end_ns, uintptr_t stack);

/* True if a wait there is no deeper on the stack than the thread's loop. */
bool dj_waits_is_loop(const struct dj_waits *waits, uintptr_t stack);

/* True if the last wake-up of `object` tells of a wait of this thread: it was this
 * thread's own request, or another's wake-up and nothing else was waited for (`alone`).
 * An event loop that a worker wakes has not been at work since that worker woke. */
bool dj_waits_concerns(const struct dj_waits *waits, const void *object, bool alone);

/* A toolkit tells that an event loop within the thread's one makes the next frame, or has
 * ended: the thread's last wait was that loop's, at whatever depth. */
void dj_waits_loop_moved(struct dj_waits *waits);

/* The thread enters swap: where its frame started. born_ns stands in for a first frame
 * without any wait. */
int64_t dj_waits_frame_start(struct dj_waits *waits, int64_t born_ns);

/* The same without entering: what dj_waits_frame_start() would say. */
int64_t dj_waits_would_start(const struct dj_waits *waits, int64_t born_ns);

/* Swap has returned. */
void dj_waits_frame_done(struct dj_waits *waits, int64_t now_ns);

#endif
