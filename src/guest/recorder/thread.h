/* What the recorder knows of the calling thread. Storage is initial-exec TLS: touching it
 * never allocates. */
#ifndef DEJANK_RECORDER_THREAD_H
#define DEJANK_RECORDER_THREAD_H

#include "recorder/waits.h"

struct dj_thread {
    struct dj_waits waits;
    int64_t first_seen_ns; /* first call of the thread that passed through a hook; 0: none
                              yet */
    int64_t swap_waited_ns; /* blocked in poll-like calls since swap was entered */
    uint16_t swap_depth;    /* > 0: inside swap, of which only the outermost counts */
    uint16_t reply_depth;   /* > 0: inside a call that waits for the reply to a request */
    uint16_t event_depth;   /* > 0: inside a call that waits for the next X event */
    int event_fd;           /* > 0: inside a Wayland dispatch, its connection */
    uintptr_t event_stack;  /* where that dispatch was called */
};

#define DJ_STATIC_TLS __attribute__((tls_model("initial-exec")))

extern _Thread_local struct dj_thread dj_thread DJ_STATIC_TLS;

#endif
