/* The recording of one process: from a swap that a hook sees to its row in the
 * segment. */
#ifndef DEJANK_RECORDER_RECORDER_H
#define DEJANK_RECORDER_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frame/frame.h"
#include "recorder/clock.h"
#include "recorder/surface.h"

/* Reads the settings that `dejank record` set in the environment. Call it once, before
 * the app's own code runs. */
void dj_recorder_load(void);

/* Same as dj_recorder_load() for a process without hooks on the app's waits. Declared
 * frames then start when they are opened. */
void dj_recorder_load_without_hooks(void);

/* Ways in which an app gives up system calls. */
enum dj_confinement {
    DJ_NOT_CONFINED,
    DJ_CONFINED_FILES,  /* Landlock: no new files can be opened */
    DJ_CONFINED_CALLS,  /* a seccomp filter, which may kill the process for any other
                         * call */
    DJ_CONFINED_STRICT, /* seccomp's strict mode: only read, write and exit; no clock */
    DJ_CONFINED_TICKS   /* PR_SET_TSC: the time-stamp counter cannot be read */
};

/* The previous state, restored if the call fails. */
struct dj_confined {
    bool sealed;
    bool has_no_clock;
    bool thread_has_no_clock;
};

/* Returns true while the process may make system calls of its own: it is not confined,
 * and it is not a child that uses its parent's memory (vfork). */
bool dj_recorder_may_prepare(void);

/* Returns false in a child that was forked from a process with several threads:
 * another thread may have held a lock of the dynamic linker or of the allocator, and
 * no thread is left to release it. */
bool dj_recorder_may_look_up(void);

/* Sets the address of the C library's flag for a single-threaded process
 * (__libc_single_threaded); NULL: it has none. Call it once, before the app's own code
 * runs. */
void dj_recorder_set_thread_flag(const char *is_single_threaded);

/* The app is about to confine itself. Creates the segment now, hidden until its first
 * frame, with memory for further windows. From now on the recorder makes no system
 * call. Frames go to the windows that have memory. If reading the clock is a system
 * call, no frames are recorded and the segment states the reason. Blocks for file I/O. */
void dj_recorder_confine(enum dj_confinement kind, struct dj_confined *before);

/* The call that should confine the app has failed. */
void dj_recorder_undo_confine(const struct dj_confined *before);

/* This process is a forked child, so the parent's segment is not its own. fork() calls
 * this automatically. Hooks call it after other calls that fork. Async-signal-safe. */
void dj_recorder_note_fork(void);

/* The outermost swap of a thread, between entry and return. */
struct dj_swap {
    int64_t start_ns; /* start of the frame */
    int64_t entry_ns; /* time at which the frame is submitted */
    uintptr_t stack;  /* set by the hook: an address in its stack frame */
    bool outermost;   /* false: nested in another swap, so not a frame */
};

/* The swap begins: fixes the start of the frame, and starts to add up waits for the
 * display. */
void dj_recorder_begin_swap(struct dj_swap *swap);

/* The swap has returned. Records the frame for the surface with the stages stamped for
 * it. If the swap failed (presented false), there is no frame, and the work counts for
 * the next one. Inside a declared frame the swap is part of that frame; .valid is
 * false then, as it is when nothing is recorded. The first frame of the process
 * creates the segment (file I/O, once). */
struct dj_recorded_frame dj_recorder_end_swap(const struct dj_swap *swap,
                                              struct dj_surface surface, bool presented);

/* The swap has also presented to this surface: adds a row with the same stages. Call
 * it before dj_recorder_end_swap(), which gets one of the surfaces. */
struct dj_recorded_frame dj_recorder_add_swap_surface(const struct dj_swap *swap,
                                                      struct dj_surface surface);

/* Returns the frame interval that applies to the surface's next frame. */
int64_t dj_recorder_get_interval(struct dj_surface surface);

/* A part of the swap waited for the display without a poll: everything that blocked in
 * a Vulkan acquire. */
void dj_recorder_add_swap_wait(int64_t ns);

/* Stamps a stage of the calling thread's next frame, in CLOCK_MONOTONIC. If a column
 * is stamped several times, the first stamp is kept. Columns without a stamp are
 * derived from the swap, or are unknown. */
void dj_recorder_stamp_stage(enum dj_column column, int64_t at_ns);

/* Opens a declared frame: the calling thread works on a frame of the surface until
 * dj_recorder_close_frame(), and swaps until then are part of it. If the toolkit does not
 * stamp IntendedVsync, the frame starts when the thread's loop woke. A frame that is
 * still open is discarded. */
void dj_recorder_open_frame(struct dj_surface surface);

/* Closes the declared frame. Records it if something was drawn, otherwise discards it.
 * It is complete when its last swap returned, or now if it had none. */
struct dj_recorded_frame dj_recorder_close_frame(bool drawn);

/* A present that may contain a swap, between entry and return. */
struct dj_present {
    int64_t start_ns;
    int64_t entry_ns;
    int64_t slept_ns;  /* the thread's sleep until entry */
    uint32_t finished; /* frames of the thread until entry */
};

/* A toolkit's present call begins or has returned. It is a frame of this surface (of
 * pixels that the CPU drew) only if no swap inside it was a frame and no frame is
 * declared. The thread's sleep inside it is the wait for the display. */
void dj_recorder_begin_present(struct dj_present *present);
struct dj_recorded_frame dj_recorder_end_present(const struct dj_present *present,
                                                 struct dj_surface surface);

/* Called at the end of each frame on the frame's own thread, whether it is recorded
 * (.valid) or not. There is one function, which is set before the first frame. */
typedef void dj_frame_watcher(const struct dj_recorded_frame *recorded);
void dj_recorder_set_watcher(dj_frame_watcher *function);

/* Discards the calling thread's frame, with its stamps and swaps. */
void dj_recorder_discard_frame(void);

/* Adds a value to a recorded frame that became known later: GpuCompleted,
 * DisplayPresentTime and similar. Any thread. Returns false if the ring no longer
 * contains the frame. */
bool dj_recorder_amend_frame(const struct dj_recorded_frame *frame, enum dj_column column,
                             int64_t value);

/* Creates the surface's window before its first frame. Returns false if nothing is
 * recorded. May do file I/O. */
bool dj_recorder_announce_surface(struct dj_surface surface);

/* These set properties of a surface at any time after its first frame or its
 * announcement. Before that they return false. */
bool dj_recorder_set_title(struct dj_surface surface, const char *title);
bool dj_recorder_set_interval(struct dj_surface surface, int64_t interval_ns);
bool dj_recorder_set_visibility(struct dj_surface surface, enum dj_visibility visibility);
bool dj_recorder_set_views(struct dj_surface surface, uint32_t views);

/* A poll-like call is about to begin. Inside a swap it waits for the display. Returns
 * the time, for the functions below; 0 if the length of the call has no effect,
 * because the thread waits for the reply to a request. */
int64_t dj_recorder_begin_poll(void);

/* The poll has returned. `stack` is an address in the hook's stack frame. */
void dj_recorder_end_poll(int64_t begin_ns, uintptr_t stack);

/* Same as dj_recorder_end_poll() for a wait on descriptors: `ready` is the only one that
 * ended it, −1 if none or several did. `alone`: no other descriptor was waited for. */
void dj_recorder_end_fd_poll(int ready, bool alone, int64_t begin_ns, uintptr_t stack);

/* The app wrote to a descriptor: a request of this thread, or a wake-up of another
 * thread. */
void dj_recorder_note_write(int fd, size_t size);

/* A read has returned. If it blocked, it is a wait if the descriptor is a clock, a
 * device, a pipe or an eventfd. From a file it is work, and on a socket a reply. */
void dj_recorder_note_read(int fd, int64_t begin_ns, uintptr_t stack);

/* A wait that another thread ends is about to begin: for a condition variable, a
 * semaphore, a futex. Returns the time, for dj_recorder_end_wait(); 0 if the wait has
 * no effect, because it is the GPU's work inside a swap or part of a wait for a reply. */
int64_t dj_recorder_begin_wait(const void *object);

/* The wait has returned. is_woken: another thread ended it; otherwise it timed out or
 * was interrupted. */
void dj_recorder_end_wait(const void *object, bool is_woken, int64_t begin_ns,
                          uintptr_t stack);

/* The thread has slept since begin_ns. */
void dj_recorder_note_sleep(int64_t begin_ns, uintptr_t stack);

/* The thread is about to wake the threads that wait on the object. */
void dj_recorder_note_wake_up(const void *object);

#endif
