/* recorder: records frames inside an app. It decides where a frame starts and ends, and
 * writes the frame's row to the segment. It does not intercept calls (hooks does). Guest
 * code: after the first frame it neither allocates nor blocks. It never prints or exits.
 *
 * This header decides where a frame starts. The rules, which were all tested with real
 * programs:
 *
 * - A frame starts when the thread's last loop wait returned. A loop wait is a wait of
 *   more than 100 µs at the stack depth of the event loop or shallower. It is outside a
 *   swap, and it waits neither for the reply to a request nor for room to write one.
 * - The depth of the event loop is the depth of the shallowest wait during the last 60
 *   frames. If a swap itself waited for the display, the swap counts as such a wait. A
 *   wait for the next X event is a loop wait at any depth.
 * - If another thread wakes this thread, the frame starts when that other thread woke,
 *   even after a short wait. There is one exception: if the other thread only answers
 *   a request of this thread, its wake-up starts no frame.
 * - If there was neither a loop wait nor such a wake-up since the previous swap
 *   returned, the frame starts at that return.
 *
 * So a frame never contains idle time, but it does contain a slow reply.
 *
 * Pure: times and stack positions are arguments. Each thread uses only its own struct.
 * All threads share the wake table, which is lock-free. It stores the last wake-up of
 * each object that threads wait on. */
#ifndef DEJANK_RECORDER_WAITS_H
#define DEJANK_RECORDER_WAITS_H

#include <stdbool.h>
#include <stdint.h>

/* usleep(0) takes 75 µs, so a shorter pause is not a wait. */
enum { DJ_LOOP_WAIT_NS = 100000 };

struct dj_waits {
    /* Return of the last loop wait, or the time at which the thread that woke this one
     * woke itself. 0 before the first loop wait. */
    int64_t woke_ns;
    int64_t swapped_ns;      /* Return of the previous swap, or 0 if there was none. */
    int64_t started_ns;      /* Start of the previous frame. */
    uintptr_t shallowest[2]; /* Highest stack address of a wait, in this epoch and in
                              * the previous one. An epoch is 60 frames (waits.c). */
    uint32_t epoch_events;
    int64_t last_ns;      /* Return of the last wait at any depth. */
    uintptr_t last_stack; /* Stack address of the last wait. */
    bool swaps;           /* True if this thread has presented a frame. */
};

/* Reports that a wait has returned. `stack` is an address in the stack frame of the
 * call that waited. Stacks grow down. */
void dj_waits_end_wait(struct dj_waits *waits, int64_t begin_ns, int64_t end_ns,
                       uintptr_t stack);

/* Reports that a wait for the window system's next event has returned. It is a loop
 * wait at any depth. */
void dj_waits_end_event_wait(struct dj_waits *waits, int64_t begin_ns, int64_t end_ns);

/* Reports that a swap has waited for the display. The call of the swap then shows the
 * stack depth of the event loop. */
void dj_recorder_waits_swap_waited(struct dj_waits *waits, int64_t waited_ns,
                                   uintptr_t stack);

/* Count the threads that wait on an object, so that a wake-up without a waiting thread
 * need not be recorded. A waiting thread must add itself before it reads the clock for
 * the begin of its wait. If a waking thread finds no waiting thread, its wake-up is
 * earlier than the begin of the wait. dj_waits_note_woken() would ignore such a wake-up
 * anyway.
 *
 * The count is an upper bound, because several objects may share one count, and because a
 * wait that never returns (thread cancellation, or fork() in another thread) stays
 * counted. */
void dj_waits_add_waiter(const void *object);
void dj_waits_remove_waiter(const void *object);
bool dj_waits_has_waiter(const void *object);

/* Records that this thread is about to wake the threads that wait on `object` (a
 * condition variable, a semaphore). */
void dj_waits_note_waking(const struct dj_waits *waits, const void *object,
                          int64_t now_ns);

/* Reports that a wait on `object` has returned because another thread ended it, and
 * not because of a timeout. */
void dj_waits_note_woken(struct dj_waits *waits, const void *object, int64_t begin_ns,
                         int64_t end_ns, uintptr_t stack);

/* Returns true if a wait at this stack address is at the depth of the thread's event loop
 * or shallower. */
bool dj_waits_is_loop(const struct dj_waits *waits, uintptr_t stack);

/* Returns true if the last wake-up of `object` matters for a wait of this thread. It
 * matters in two cases. This thread made the wake-up itself, as a request. Or this thread
 * waited for nothing else (`alone`), so its event loop has done no work since the other
 * thread woke. */
bool dj_waits_is_affected(const struct dj_waits *waits, const void *object, bool alone);

/* Changes the depth of the thread's event loop to the depth of its last wait. The hooks
 * of a toolkit call this when a nested event loop begins to make frames, or has ended. */
void dj_recorder_waits_loop_moved(struct dj_waits *waits);

/* Returns the start of the frame that the thread's swap presents. Stores it in
 * started_ns, for the next frame. born_ns is the start of the thread's first frame if the
 * thread has not waited before. */
int64_t dj_waits_begin_frame(struct dj_waits *waits, int64_t born_ns);

/* Like dj_waits_begin_frame(), but for the thread's next frame, and without changing the
 * struct. */
int64_t dj_waits_get_frame_start(const struct dj_waits *waits, int64_t born_ns);

/* Reports that the frame has ended at now_ns, when its swap returned. A wait that
 * returned later may have been reported before. */
void dj_waits_end_frame(struct dj_waits *waits, int64_t now_ns);

#endif
