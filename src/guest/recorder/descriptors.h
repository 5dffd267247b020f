/* The kinds of the app's file descriptors. The recorder stores a descriptor's kind when
 * the descriptor is created. Asking the kernel later would be an additional system call,
 * which a seccomp filter of the app might forbid.
 *
 * Any thread may call these functions. Some descriptors are created by calls that no hook
 * sees (recvmsg, fopen, calls inside a library). Such a descriptor keeps the kind of an
 * earlier descriptor with the same number, or has the kind DJ_DESCRIPTOR_OTHER. Numbers
 * of 1024 or more always have the kind DJ_DESCRIPTOR_OTHER. */
#ifndef DEJANK_RECORDER_DESCRIPTORS_H
#define DEJANK_RECORDER_DESCRIPTORS_H

#include <stdbool.h>

enum dj_descriptor_kind {
    DJ_DESCRIPTOR_OTHER, /* A file, a socket, or a descriptor of unknown kind. */
    DJ_DESCRIPTOR_WAIT,  /* An eventfd, timerfd, signalfd, inotify descriptor or
                          * device. A read that blocks waits for an event. */
    DJ_DESCRIPTOR_PIPE   /* One end of a pipe. A read that blocks waits for an event. */
};

/* Asks the kernel for the kinds of the descriptors that the process inherited. Call this
 * function once, before the app's code runs. */
void dj_descriptors_load(void);

/* Stores the kind of a new descriptor that is not a pipe. Does nothing if fd is
 * negative, because then the app's call has failed. */
void dj_recorder_descriptor_set_kind(int fd, enum dj_descriptor_kind kind);

void dj_recorder_descriptor_add_pipe(int reading, int writing);

enum dj_descriptor_kind dj_descriptor_kind(int fd);

/* Returns a pointer that identifies the pipe in the wake table (waits.h). Both ends of
 * a pipe have the same pointer. The pointer is an odd number, so it differs from every
 * address of an object. Returns NULL if the descriptor is not a pipe. */
const void *dj_descriptor_pipe(int fd);

#endif
