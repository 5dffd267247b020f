/* The recorder's data about the calling thread. The data is in initial-exec TLS,
 * because an access to such storage never allocates memory. */
#ifndef DEJANK_RECORDER_THREAD_H
#define DEJANK_RECORDER_THREAD_H

#include "frame/frame.h"
#include "recorder/claim.h"
#include "recorder/surface.h"
#include "recorder/waits.h"

/* A frame in progress, before it is written as a row. */
struct dj_frame_in_progress {
    struct dj_frame stages;    /* Stages that have been stamped so far. */
    struct dj_surface surface; /* Surface of a declared frame. */
    /* True between dj_recorder_open_frame() and dj_recorder_close_frame(). Swaps are
     * then part of the frame. */
    bool declared;
    bool swapped;        /* True after the first swap that is part of the frame. */
    int64_t start_ns;    /* Time at which the loop woke for the frame. */
    int64_t entry_ns;    /* Time at which the frame's first swap was called. */
    int64_t waited_ns;   /* Total wait for the display in the frame's swaps. */
    int64_t returned_ns; /* Time at which the frame's last swap returned. */
};

/* Maximum number of windows to which a thread sends images between two waits. */
enum { DJ_SOFTWARE_FRAMES = 4 };

/* The frames of images that a thread has not finished yet (software.h). */
struct dj_software_frames {
    struct dj_software_frame {
        struct dj_surface surface;
        /* Identifies the place of the frame's first image in the window. */
        uint64_t area;
        int64_t start_ns;    /* Start of the frame. */
        int64_t entry_ns;    /* Time at which the call for the first image began. */
        int64_t returned_ns; /* Time at which the call for the last image returned. */
        /* Bits of enum dj_pipeline: the ways in which the images of the frame were
         * sent. */
        uint32_t ways;
    } frames[DJ_SOFTWARE_FRAMES];
    uint32_t count;
    /* Time at which the thread's loop last woke before the first image of these
     * frames. */
    int64_t woke_ns;
};

struct dj_recorder_thread {
    struct dj_waits waits;
    struct dj_claim claim;
    struct dj_frame_in_progress frame;
    struct dj_software_frames software;
    int64_t first_seen_ns;  /* Time of the thread's first call of a hook, or 0 if there
                             * was none. */
    int64_t swap_waited_ns; /* Total time in poll-like calls since the current swap
                             * began. */
    int64_t slept_ns;       /* Total time in sleeps outside swaps. */
    uint32_t finished;      /* Number of finished frames, recorded or not. */
    uint16_t swap_depth;    /* Greater than 0 inside a swap. Only the outermost swap
                             * counts. */
    uint16_t present_depth; /* Greater than 0 inside a present call of a toolkit. */
    uint16_t reply_depth;   /* Greater than 0 inside a call that waits for the reply to
                             * a request, or for room to send one. */
    uint16_t event_depth;   /* Greater than 0 inside a call that waits for the next X
                             * event. */
    bool has_declared;      /* True after the thread's first declared frame. */
    bool has_no_clock;      /* True in seccomp's strict mode, where reading a clock
                             * would kill the thread. */
    int event_fd; /* Descriptor that a Wayland dispatch reads now, or 0 if no dispatch
                   * is running. */
    /* Stack address of the Wayland dispatch that reads event_fd. */
    uintptr_t event_stack;
};

#define DJ_STATIC_TLS __attribute__((tls_model("initial-exec")))

extern _Thread_local struct dj_recorder_thread dj_recorder_thread DJ_STATIC_TLS;

static inline void dj_thread_note_seen(struct dj_recorder_thread *thread, int64_t now_ns)
{
    if (thread->first_seen_ns == 0) {
        thread->first_seen_ns = now_ns;
    }
}

/* Ends the thread's frame. Records it if possible, and otherwise counts it as dropped. */
struct dj_recorded_frame dj_recorder_finish_frame(struct dj_recorder_thread *thread,
                                                  struct dj_surface surface);

#endif
