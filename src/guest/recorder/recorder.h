/* The interface of the recorder for hooks and for the API. A hook reports each swap,
 * wait and fork of the app, and the recorder writes each frame as a row of the
 * process's segment. */
#ifndef DEJANK_RECORDER_RECORDER_H
#define DEJANK_RECORDER_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frame/frame.h"
#include "recorder/clock.h"
#include "recorder/surface.h"

/* Reads the settings that `dejank record` set in the environment. Call this function
 * once, before the app's own code runs. */
void dj_recorder_load(void);

/* Same as dj_recorder_load(), but for a process in which no hooks see the app's waits.
 * Declared frames then start when they are opened. */
void dj_recorder_load_without_hooks(void);

/* Ways in which an app gives up rights to make system calls or to read the clock. */
enum dj_confinement {
    DJ_NOT_CONFINED,
    DJ_CONFINED_FILES,  /* Landlock: the app can open no new files. */
    DJ_CONFINED_CALLS,  /* A seccomp filter, which may kill the process for a system
                         * call that the app itself does not make. */
    DJ_CONFINED_STRICT, /* seccomp's strict mode: the app can only read, write and
                         * exit. Reading the clock is forbidden. */
    DJ_CONFINED_TICKS   /* PR_SET_TSC: the app cannot read the time-stamp counter. */
};

/* The state before dj_recorder_confine(), for dj_recorder_undo_confine(). */
struct dj_confined {
    bool sealed;
    bool has_no_clock;
    bool thread_has_no_clock;
};

/* Returns true if the recorder may make system calls of its own. Returns false if the app
 * has confined itself, or if this process is a vfork() child, which runs in its parent's
 * memory. */
bool dj_recorder_may_prepare(void);

/* Returns true if the process may call the dynamic linker and the allocator. Returns
 * false in a child that was forked from a process with several threads. In the parent,
 * another thread may have held a lock of the dynamic linker or of the allocator. The
 * child does not have this thread, so nothing would release the lock. */
bool dj_recorder_may_look_up(void);

/* Sets the address of __libc_single_threaded, the C library's flag for a process with one
 * thread, or NULL if the C library does not have it. Call this function once, before the
 * app's own code runs. */
void dj_recorder_set_thread_flag(const char *is_single_threaded);

/* Prepares for a call with which the app is about to confine itself. Creates the
 * segment, with memory for further windows. The segment stays hidden until its first
 * frame. After this call the recorder makes no system call, and it records only frames
 * of windows that have memory. If reading the clock is a system call, it records no
 * frames and writes the reason into the segment. Blocks for file I/O. */
void dj_recorder_confine(enum dj_confinement kind, struct dj_confined *before);

/* Restores the state before dj_recorder_confine(), because the call that should
 * confine the app failed. */
void dj_recorder_undo_confine(const struct dj_confined *before);

/* Marks this process as a forked child, so that it does not write to its parent's
 * segment. fork() calls this function automatically. Hooks call it after other calls
 * that fork. Async-signal-safe. */
void dj_recorder_note_fork(void);

/* A call that presents a frame, such as glXSwapBuffers(). Swaps may be nested, and
 * only the outermost swap of a thread is a frame. */
struct dj_swap {
    int64_t start_ns; /* Start of the frame. */
    /* Time at which the swap was called, and therefore the frame was submitted. */
    int64_t entry_ns;
    uintptr_t stack; /* An address in the stack frame of the hook. The hook sets it. */
    bool outermost;  /* False if the swap is nested in another swap. */
};

/* Marks the beginning of a swap. Sets the start of the frame, and begins to sum up the
 * waits for the display. */
void dj_recorder_begin_swap(struct dj_swap *swap);

/* Marks the return of a swap. Records a frame of the surface, with the stages that were
 * stamped for it. If the swap failed (`presented` is false), records nothing, and the
 * work counts for the next frame. If the swap is inside a declared frame, it is part of
 * that frame and is not recorded on its own. In these two cases, and if recording is
 * impossible, .valid of the result is false. The first frame of the process creates the
 * segment (file I/O). */
struct dj_recorded_frame dj_recorder_end_swap(const struct dj_swap *swap,
                                              struct dj_surface surface, bool presented);

/* If a swap has presented to several surfaces, adds a row with the same stages for one of
 * them. Call this function for all surfaces but one. Then pass the remaining surface to
 * dj_recorder_end_swap(). */
struct dj_recorded_frame dj_recorder_add_swap_surface(const struct dj_swap *swap,
                                                      struct dj_surface surface);

/* Returns the frame interval in ns that applies to the surface's next frame. */
int64_t dj_recorder_get_interval(struct dj_surface surface);

/* Adds a wait for the display inside a swap that was not a poll-like call. For Vulkan
 * this is the time that an acquire blocked. */
void dj_recorder_add_swap_wait(int64_t ns);

/* Sets the time of a stage of the calling thread's next frame, in CLOCK_MONOTONIC. If a
 * stage is stamped several times, only the first stamp is used. The time of a stage
 * without a stamp is derived from the swap, or is unknown. */
void dj_recorder_stamp_stage(enum dj_column column, int64_t at_ns);

/* Opens a declared frame of the surface. The calling thread works on the frame until
 * dj_recorder_close_frame(), and its swaps until then are part of the frame. If the
 * toolkit does not stamp IntendedVsync, the frame starts when the thread's loop woke.
 * Discards a declared frame that is still open. */
void dj_recorder_open_frame(struct dj_surface surface);

/* Closes the declared frame. Records the frame if something was drawn, otherwise
 * discards it. The frame is complete at the return of its last swap, or now if it had
 * no swap. */
struct dj_recorded_frame dj_recorder_close_frame(bool drawn);

/* A call of a toolkit that presents, such as SDL_RenderPresent(). The call may contain
 * a swap. */
struct dj_present {
    int64_t start_ns;
    int64_t entry_ns;
    int64_t slept_ns;  /* Sum of the thread's sleeps until entry_ns. */
    uint32_t finished; /* Number of frames that the thread had finished at entry_ns. */
};

/* Mark the beginning and the return of a toolkit's present call. The call is a frame
 * of this surface (drawn by the CPU) only if no swap inside the call was a frame and
 * no declared frame is open. The thread's sleep inside the call then counts as the
 * wait for the display. */
void dj_recorder_begin_present(struct dj_present *present);
struct dj_recorded_frame dj_recorder_end_present(const struct dj_present *present,
                                                 struct dj_surface surface);

/* A function that is called at the end of each frame on the frame's own thread.
 * recorded->valid is false if the frame was not recorded. A process has only one watcher,
 * which must be set before the first frame. */
typedef void dj_frame_watcher(const struct dj_recorded_frame *recorded);
void dj_recorder_set_watcher(dj_frame_watcher *function);

/* Discards the calling thread's frame in progress, with its stamps and swaps. */
void dj_recorder_discard_frame(void);

/* Adds a value that became known after the frame was recorded, such as GpuCompleted or
 * DisplayPresentTime. Any thread may call it. Returns false if the ring no longer
 * contains the frame. */
bool dj_recorder_amend_frame(const struct dj_recorded_frame *frame, enum dj_column column,
                             int64_t value);

/* Creates the surface's window before its first frame. Returns false if nothing is
 * recorded. May do file I/O. */
bool dj_recorder_announce_surface(struct dj_surface surface);

/* Set a property of a surface that has had a frame or was announced. Return false for
 * any other surface. */
bool dj_recorder_set_title(struct dj_surface surface, const char *title);
bool dj_recorder_set_interval(struct dj_surface surface, int64_t interval_ns);
bool dj_recorder_set_visibility(struct dj_surface surface, enum dj_visibility visibility);
bool dj_recorder_set_views(struct dj_surface surface, uint32_t views);

/* Marks the beginning of a poll-like call. A poll inside a swap waits for the display.
 * Returns the current time, to be passed to dj_recorder_end_poll() or
 * dj_recorder_end_fd_poll(). Returns 0 if the duration of the call does not matter,
 * because the thread waits for the reply to a request. */
int64_t dj_recorder_begin_poll(void);

/* Marks the return of the poll. `stack` is an address in the hook's stack frame. */
void dj_recorder_end_poll(int64_t begin_ns, uintptr_t stack);

/* Ends a wait on file descriptors, like dj_recorder_end_poll(). `ready` is the
 * descriptor that ended the wait, or −1 if no descriptor or several descriptors ended
 * the wait. `alone` is true if the app waited for no other descriptor. */
void dj_recorder_end_fd_poll(int ready, bool alone, int64_t begin_ns, uintptr_t stack);

/* Reports that the app wrote to a descriptor. The write may be a request of this
 * thread, or it may wake another thread. */
void dj_recorder_note_write(int fd, size_t size);

/* Reports that a read has returned. A read that blocked on a clock, a device, a pipe
 * or an eventfd counts as a wait. A read from a file counts as work, and a read from a
 * socket as part of a request. */
void dj_recorder_note_read(int fd, int64_t begin_ns, uintptr_t stack);

/* Marks the beginning of a wait that another thread ends: for a condition variable, a
 * semaphore or a futex. Returns the current time, for dj_recorder_end_wait(). Returns 0
 * if the duration does not matter. This is the case for a wait inside a swap, which waits
 * for the GPU, and for a part of a wait for a reply. */
int64_t dj_recorder_begin_wait(const void *object);

/* Marks the return of the wait. is_woken is true if another thread ended the wait, and
 * false if the wait timed out or was interrupted. */
void dj_recorder_end_wait(const void *object, bool is_woken, int64_t begin_ns,
                          uintptr_t stack);

/* Reports that the thread has slept since begin_ns. */
void dj_recorder_note_sleep(int64_t begin_ns, uintptr_t stack);

/* Reports that the calling thread is about to wake the threads that wait on the
 * object. */
void dj_recorder_note_wake_up(const void *object);

#endif
