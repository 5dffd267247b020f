/* One process's recording: the frame path from a caught swap to its row in the segment.
 */
#ifndef DEJANK_RECORDER_RECORDER_H
#define DEJANK_RECORDER_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frame/frame.h"
#include "segment/layout.h"

/* CLOCK_MONOTONIC in ns. 0 where the clock cannot be read without a system call, in an
 * app that has confined itself. */
int64_t dj_clock_ns(void);

/* Reads the settings that `dejank record` left in the environment. Once, before the app's
 * own code runs. */
void dj_recorder_load(void);

/* The same where no hooks tell of the app's waits: declared frames then start where they
 * are opened. */
void dj_recorder_load_blind(void);

/* How an app gives up system calls. */
enum dj_confinement {
    DJ_NOT_CONFINED,
    DJ_CONFINED_FILES,  /* Landlock: new files cannot be opened */
    DJ_CONFINED_CALLS,  /* a seccomp filter, which may kill for any other call */
    DJ_CONFINED_STRICT, /* seccomp's strict mode: read, write and exit, no clock */
    DJ_CONFINED_TICKS   /* PR_SET_TSC: the time-stamp counter cannot be read */
};

/* What was known before, for a call that fails. */
struct dj_confined {
    bool sealed;
    bool has_no_clock;
    bool thread_has_no_clock;
};

/* True while the process may make system calls of its own accord: it is not confined, and
 * it is not a child that borrows the memory of its parent (vfork). */
bool dj_recorder_may_prepare(void);

/* False in a child that was forked from a process with several threads: another one may
 * have held a lock of the dynamic linker or of the allocator. No thread is left to
 * release it. */
bool dj_recorder_may_look_up(void);

/* Where the C library notes that the process has one thread (__libc_single_threaded);
 * NULL: it does not. Once, before the app's own code runs. */
void dj_recorder_watch_threads(const char *is_single_threaded);

/*
 * The app is about to confine itself. The segment is created now, hidden until its first
 * frame, with memory for further windows: from now on the recorder makes no system call.
 * Frames go to the windows that have memory. Where the clock itself is a system call,
 * none are recorded and the segment states why. Blocks for file I/O.
 */
void dj_recorder_confine(enum dj_confinement kind, struct dj_confined *before);

/* The call that was to confine the app has failed. */
void dj_recorder_release(const struct dj_confined *before);

/* This process is a forked child: the parent's segment is not its own. fork() calls this
 * by itself; hooks do where another call has forked. Async-signal-safe. */
void dj_recorder_forked(void);

/*
 * Whose frames they are: one window of the dump. A swap's surface is known by the
 * drawable; a toolkit's, or one the app declares, by any number unique among those of its
 * pipeline.
 */
struct dj_surface {
    enum dj_pipeline pipeline;
    uint64_t id;
};

static inline bool dj_surface_equal(struct dj_surface one, struct dj_surface other)
{
    return one.id == other.id && one.pipeline == other.pipeline;
}

/* A recorded frame, for what becomes known of it later. */
struct dj_recorded {
    struct dj_surface surface;
    uint64_t index; /* of its row */
    bool valid;     /* false: it was not recorded */
};

/* The outermost swap of a thread, between entry and return. */
struct dj_swap {
    int64_t start_ns; /* where the frame started */
    int64_t entry_ns; /* the hand-over */
    uintptr_t stack;  /* set by the hook: an address in its own frame */
    bool outermost;   /* false: nested in another swap, and no frame of its own */
};

/* Swap is entered: fixes where the frame started, and begins to sum up what it waits. */
void dj_recorder_swap_begins(struct dj_swap *swap);

/*
 * Swap has returned. Records the frame for the surface, with the stages stamped for it;
 * where the swap failed (presented false) no frame came to be and the work counts to the
 * next one. Within a declared frame the swap is part of that and no frame of its own:
 * .valid is false then, as where nothing is recorded. The first frame ever creates the
 * segment (file I/O, once).
 */
struct dj_recorded dj_recorder_swap_ends(const struct dj_swap *swap,
                                         struct dj_surface surface, bool presented);

/* The swap has presented to this surface, too: a row of its own with the same stages.
 * Before dj_recorder_swap_ends(), which is told of one of the surfaces. */
struct dj_recorded dj_recorder_swap_shows(const struct dj_swap *swap,
                                          struct dj_surface surface);

/* The interval that holds for the surface's next frame. */
int64_t dj_recorder_interval(struct dj_surface surface);

/* A part of swap was waiting for the display though it did not poll: of a Vulkan acquire
 * anything that blocked. */
void dj_recorder_swap_waited(int64_t ns);

/* Stamps a stage of the calling thread's next frame, in CLOCK_MONOTONIC. Of several
 * stamps of one column the first stays. Columns not stamped are told from the swap, or
 * are unknown. */
void dj_recorder_stage(enum dj_column column, int64_t at_ns);

/*
 * A frame is declared: the calling thread works on one of the surface until
 * dj_recorder_closes(), and swaps in between are part of it. Where the toolkit does not
 * stamp IntendedVsync itself the frame starts where the thread's loop woke. A frame left
 * open is given up.
 */
void dj_recorder_opens(struct dj_surface surface);

/* The declared frame is done: recorded where something was drawn, else forgotten.
 * Completed at the return of its last swap, or where it had none now. */
struct dj_recorded dj_recorder_closes(bool drawn);

/* A present that may go through a swap, between entry and return. */
struct dj_present {
    int64_t start_ns;
    int64_t entry_ns;
    int64_t slept_ns;  /* by the thread until entry */
    uint32_t finished; /* frames of the thread until entry */
};

/*
 * A toolkit's present call is entered, or has returned. It is a frame of its own, of this
 * surface, only where no swap within it was one and none is declared: of pixels that the
 * processor drew. What the thread slept within it is the wait for the display.
 */
void dj_recorder_present_begins(struct dj_present *present);
struct dj_recorded dj_recorder_present_ends(const struct dj_present *present,
                                            struct dj_surface surface);

/* Called on its own thread at the end of every frame, recorded (.valid) or not. One
 * function, set before the first frame. */
typedef void dj_frame_watcher(const struct dj_recorded *recorded);
void dj_recorder_watch(dj_frame_watcher *function);

/* Forgets the calling thread's frame, with what was stamped and swapped for it. */
void dj_recorder_forgets(void);

/* Adds to a recorded frame what became known later: GpuCompleted, DisplayPresentTime and
 * their like. Any thread. False where the ring no longer holds it. */
bool dj_recorder_amend(const struct dj_recorded *frame, enum dj_column column,
                       int64_t value);

/* Makes the surface's window known before its first frame. False where nothing is
 * recorded. May do file I/O. */
bool dj_recorder_announce(struct dj_surface surface);

/* What becomes known of a surface, at any time after its first frame or its announcement;
 * false before. */
bool dj_recorder_set_title(struct dj_surface surface, const char *title);
bool dj_recorder_set_interval(struct dj_surface surface, int64_t interval_ns);
bool dj_recorder_set_visibility(struct dj_surface surface, enum dj_visibility visibility);
bool dj_recorder_set_views(struct dj_surface surface, uint32_t views);

/*
 * A poll-like call is about to start. Inside swap it waits for the display. Returns the
 * time, for the functions below; 0 if the length of the call has no effect, because the
 * thread waits for the reply to a request.
 */
int64_t dj_recorder_begin_poll(void);

/* It has returned. `stack` is an address in the hook's own frame. */
void dj_recorder_polled(int64_t begin_ns, uintptr_t stack);

/* The same for a wait on descriptors: `ready` is the only one that ended it, −1 where
 * none or several did; `alone` where no other was waited for. */
void dj_recorder_polled_fd(int ready, bool alone, int64_t begin_ns, uintptr_t stack);

/* The app wrote to a descriptor: a request of this thread, or a wake-up of another. */
void dj_recorder_wrote(int fd, size_t size);

/* A read has returned. One that blocked is a wait where the descriptor is a clock, a
 * device, a pipe or an eventfd; from a file it is work, and on a socket a reply. */
void dj_recorder_read(int fd, int64_t begin_ns, uintptr_t stack);

/*
 * A wait that another thread ends is about to start: for a condition variable, a
 * semaphore, a futex. Returns the time, for dj_recorder_end_wait(); 0 if the wait has no
 * effect, because it is the GPU's work inside swap or part of a wait for a reply.
 */
int64_t dj_recorder_begin_wait(const void *object);

/* It has returned. is_woken: by another thread; otherwise the wait timed out or was
 * interrupted. */
void dj_recorder_end_wait(const void *object, bool is_woken, int64_t begin_ns,
                          uintptr_t stack);

/* The thread has slept since begin_ns. */
void dj_recorder_slept(int64_t begin_ns, uintptr_t stack);

/* The thread is about to wake the threads that wait on the object. */
void dj_recorder_waking(const void *object);

#endif
