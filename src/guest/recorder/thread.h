/* What the recorder knows of the calling thread. Storage is initial-exec TLS: touching it
 * never allocates. */
#ifndef DEJANK_RECORDER_THREAD_H
#define DEJANK_RECORDER_THREAD_H

#include "recorder/claims.h"
#include "recorder/recorder.h"
#include "recorder/waits.h"

/* The frame a thread is at, before it is a row. */
struct dj_frame_under_way {
    struct dj_frame stages;    /* what was stamped so far */
    struct dj_surface surface; /* whose frame, where it is declared */
    bool declared;             /* between dj_recorder_opens() and _closes(): swaps are
                                  part of it */
    bool swapped;              /* at least one swap was */
    int64_t start_ns;          /* where the loop woke for it */
    int64_t entry_ns;          /* of its first swap */
    int64_t waited_ns;         /* in its swaps, for the display */
    int64_t returned_ns;       /* of its last swap */
};

struct dj_thread {
    struct dj_waits waits;
    struct dj_claim claim;
    struct dj_frame_under_way frame;
    int64_t first_seen_ns; /* first call of the thread that passed through a hook; 0: none
                              yet */
    int64_t swap_waited_ns; /* blocked in poll-like calls since swap was entered */
    int64_t slept_ns;       /* in sleeps outside swap, ever */
    uint32_t finished;      /* frames, recorded or not */
    uint16_t swap_depth;    /* > 0: inside swap, of which only the outermost counts */
    uint16_t reply_depth;   /* > 0: inside a call that waits for the reply to a request */
    uint16_t event_depth;   /* > 0: inside a call that waits for the next X event */
    bool has_no_clock;      /* seccomp's strict mode: reading a clock would be its end */
    int event_fd;           /* > 0: inside a Wayland dispatch, its connection */
    uintptr_t event_stack;  /* where that dispatch was called */
};

#define DJ_STATIC_TLS __attribute__((tls_model("initial-exec")))

extern _Thread_local struct dj_thread dj_thread DJ_STATIC_TLS;

static inline void dj_thread_seen(struct dj_thread *thread, int64_t now_ns)
{
    if (thread->first_seen_ns == 0) {
        thread->first_seen_ns = now_ns;
    }
}

/* Ends the thread's frame, recorded or not. */
struct dj_recorded dj_recorder_finish(struct dj_thread *thread,
                                      struct dj_surface surface);

#endif
