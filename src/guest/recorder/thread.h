/* The recorder's data about the calling thread. The storage is initial-exec TLS, so
 * that an access never allocates. */
#ifndef DEJANK_RECORDER_THREAD_H
#define DEJANK_RECORDER_THREAD_H

#include "frame/frame.h"
#include "recorder/claim.h"
#include "recorder/surface.h"
#include "recorder/waits.h"

/* A frame in progress, before it is a row. */
struct dj_frame_in_progress {
    struct dj_frame stages;    /* stamps so far */
    struct dj_surface surface; /* surface of a declared frame */
    bool declared;     /* between dj_recorder_open_frame() and dj_recorder_close_frame():
                        * swaps are part of the frame */
    bool swapped;      /* at least one swap was part of it */
    int64_t start_ns;  /* time at which the loop woke for it */
    int64_t entry_ns;  /* of its first swap */
    int64_t waited_ns; /* wait for the display in its swaps */
    int64_t returned_ns; /* of its last swap */
};

struct dj_recorder_thread {
    struct dj_waits waits;
    struct dj_claim claim;
    struct dj_frame_in_progress frame;
    int64_t first_seen_ns;  /* first call of the thread to a hook; 0: none yet */
    int64_t swap_waited_ns; /* time in poll-like calls since the swap began */
    int64_t slept_ns;       /* time in sleeps outside swaps, in total */
    uint32_t finished;      /* number of frames, recorded or not */
    uint16_t swap_depth;    /* > 0: inside a swap; only the outermost one counts */
    uint16_t reply_depth;   /* > 0: inside a call that waits for the reply to a request */
    uint16_t event_depth;   /* > 0: inside a call that waits for the next X event */
    bool has_no_clock;      /* seccomp's strict mode: reading a clock would kill the
                             * thread */
    int event_fd; /* descriptor from which a Wayland dispatch reads now; 0: none */
    uintptr_t event_stack; /* stack address of the call of that dispatch */
};

#define DJ_STATIC_TLS __attribute__((tls_model("initial-exec")))

extern _Thread_local struct dj_recorder_thread dj_recorder_thread DJ_STATIC_TLS;

static inline void dj_thread_note_seen(struct dj_recorder_thread *thread, int64_t now_ns)
{
    if (thread->first_seen_ns == 0) {
        thread->first_seen_ns = now_ns;
    }
}

/* Ends the thread's frame, recorded or not. */
struct dj_recorded_frame dj_recorder_finish_frame(struct dj_recorder_thread *thread,
                                                  struct dj_surface surface);

#endif
