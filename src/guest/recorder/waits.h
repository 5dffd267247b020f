/*
 * recorder: records frames inside an app: decides where a frame starts and ends, and
 * writes its row to the segment. It does not intercept calls (hooks does). Guest code:
 * after the first frame it neither allocates nor blocks. It never prints or exits.
 *
 * This header: where a frame starts. The rule, with each part tried on real programs:
 *
 * - At the return of the thread's last loop wait. A loop wait blocked longer than 100 µs,
 *   outside a swap, not for the reply to a request, and no deeper on the stack than the
 *   loop.
 * - The loop is where the shallowest wait of the last 60 frames was called, or a swap
 * that waited for the display itself. A wait for the next X event counts at any depth.
 * - A thread that another thread wakes starts when that one woke, even after a short
 * wait. But a wake-up that the swapping thread itself caused (the answer of its own
 * helper) starts nothing.
 * - Without any such wait since the previous swap returned: at that return.
 *
 * So idle time is never part of a frame, and a slow reply during the frame is.
 *
 * Pure: times and stack positions are arguments. Each thread uses only its own struct.
 * The wake table is shared by all threads and lock-free.
 */
#ifndef DEJANK_RECORDER_WAITS_H
#define DEJANK_RECORDER_WAITS_H

#include <stdbool.h>
#include <stdint.h>

/* usleep(0) takes 75 µs, so a shorter pause is not a wait. */
enum { DJ_LOOP_WAIT_NS = 100000 };

struct dj_waits {
    int64_t woke_ns;    /* return of the last loop wait, or the time at which the waker
                         * woke; 0: none yet */
    int64_t swapped_ns; /* return of the previous swap; 0: none yet */
    int64_t started_ns; /* start of the previous frame */
    uintptr_t shallowest[2]; /* highest stack address of a wait: in this epoch, in the
                              * previous one */
    uint32_t epoch_events;
    int64_t last_ns;      /* return of the last wait at any depth */
    uintptr_t last_stack; /* its stack address */
    bool swaps;           /* this thread has presented a frame */
};

/* A wait has returned. `stack` is an address in the stack frame of the call that
 * waited (stacks grow down). */
void dj_waits_end_wait(struct dj_waits *waits, int64_t begin_ns, int64_t end_ns,
                       uintptr_t stack);

/* A wait for the window system's next event has returned: a loop wait at any depth. */
void dj_waits_end_event_wait(struct dj_waits *waits, int64_t begin_ns, int64_t end_ns);

/* A swap has waited for the display. The loop is at the place where it was called. */
void dj_recorder_waits_swap_waited(struct dj_waits *waits, int64_t waited_ns,
                                   uintptr_t stack);

/* Counts the threads that wait on an object, so that wake-ups without a waiting thread
 * need not be recorded. A wait adds its waiter first and reads the clock for its begin
 * after that. A wake-up that does not find the waiter is therefore earlier than that
 * begin, and dj_waits_note_woken() ignores it.
 *
 * The count is an upper bound: objects may share one, and a wait that never returns
 * (thread cancellation, or fork() in another thread) stays counted. */
void dj_waits_add_waiter(const void *object);
void dj_waits_remove_waiter(const void *object);
bool dj_waits_has_waiter(const void *object);

/* This thread is about to wake the threads that wait on `object` (a condition
 * variable, a semaphore). */
void dj_waits_note_waking(const struct dj_waits *waits, const void *object,
                          int64_t now_ns);

/* A wait on `object` has returned because another thread ended it, not because of a
 * timeout. */
void dj_waits_note_woken(struct dj_waits *waits, const void *object, int64_t begin_ns,
                         int64_t end_ns, uintptr_t stack);

/* Returns true if a wait at this address is no deeper on the stack than the thread's
 * loop. */
bool dj_waits_is_loop(const struct dj_waits *waits, uintptr_t stack);

/* Returns true if the last wake-up of `object` affects a wait of this thread: it was
 * this thread's own request, or another thread's wake-up while nothing else was waited
 * for (`alone`). An event loop that a worker wakes has not worked since that worker
 * woke. */
bool dj_waits_is_affected(const struct dj_waits *waits, const void *object, bool alone);

/* A toolkit reports that an event loop inside the thread's loop makes the next frame,
 * or has ended. The thread's last wait belonged to that loop, at any depth. */
void dj_recorder_waits_loop_moved(struct dj_waits *waits);

/* The thread enters a swap: returns the start of its frame. born_ns is used for a
 * first frame without any wait. */
int64_t dj_waits_begin_frame(struct dj_waits *waits, int64_t born_ns);

/* Returns what dj_waits_begin_frame() would return, without entering a swap. */
int64_t dj_waits_get_frame_start(const struct dj_waits *waits, int64_t born_ns);

/* The swap has returned. */
void dj_waits_end_frame(struct dj_waits *waits, int64_t now_ns);

#endif
