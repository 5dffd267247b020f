/* One process's recording: the frame path from a caught swap to its row in the segment.
 */
#ifndef DEJANK_RECORDER_RECORDER_H
#define DEJANK_RECORDER_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segment/layout.h"

/* CLOCK_MONOTONIC in ns. */
int64_t dj_clock_ns(void);

/* Reads the settings that `dejank record` left in the environment. Once, before the app's
 * own code runs. */
void dj_recorder_load(void);

/* The outermost swap of a thread, between entry and return. */
struct dj_swap {
    int64_t start_ns; /* where the frame started */
    int64_t entry_ns; /* the hand-over */
    uintptr_t stack;  /* set by the hook: an address in its own frame */
    bool outermost;   /* false: nested in another swap, and no frame of its own */
};

/* Swap is entered: fixes where the frame started, and begins to sum up what it waits. */
void dj_recorder_swap_begins(struct dj_swap *swap);

/* Swap has returned. Records the frame for the surface; where the swap failed (presented
 * false) no frame came to be and the work counts to the next one. The first frame ever
 * creates the segment (file I/O, once). */
void dj_recorder_swap_ends(const struct dj_swap *swap, enum dj_pipeline pipeline,
                           uint64_t surface, bool presented);

/* A call that may block is about to start or has returned: poll-like ones (inside swap
 * they wait for the display) and others (inside swap they are the GPU's work). `stack` is
 * an address in the hook's own frame. */
void dj_recorder_polled(int64_t begin_ns, uintptr_t stack);

/* The same for a wait on descriptors: `ready` is the only one that ended it, −1 where
 * none or several did; `alone` where no other was waited for. */
void dj_recorder_polled_fd(int ready, bool alone, int64_t begin_ns, uintptr_t stack);

/* The app wrote to a descriptor: a request of this thread, or a wake-up of another. */
void dj_recorder_wrote(int fd, size_t size);

/* A read has returned. One that blocked is a wait where the descriptor is a clock, a
 * device, a pipe or an eventfd; from a file it is work, and on a socket a reply. */
void dj_recorder_read(int fd, int64_t begin_ns, uintptr_t stack);
void dj_recorder_slept(int64_t begin_ns, uintptr_t stack);
void dj_recorder_waking(const void *object);
void dj_recorder_woken(const void *object, int64_t begin_ns, uintptr_t stack);

#endif
