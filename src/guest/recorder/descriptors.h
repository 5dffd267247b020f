/* The kinds of the app's descriptors, noted when they are created. If a hook asked the
 * kernel later, it would make a system call that the app's own call does not make.
 *
 * Any thread. If a call that no hook sees (recvmsg, fopen, a call inside a library)
 * reuses a number, the number keeps its old kind. A descriptor that arrived in that
 * way, or with a number of 1024 or more, has no kind. */
#ifndef DEJANK_RECORDER_DESCRIPTORS_H
#define DEJANK_RECORDER_DESCRIPTORS_H

#include <stdbool.h>

enum dj_descriptor_kind {
    DJ_DESCRIPTOR_OTHER, /* a file, a socket, unknown */
    DJ_DESCRIPTOR_WAIT,  /* eventfd, timerfd, signalfd, inotify, a device: a read that
                          * blocks waits for an event */
    DJ_DESCRIPTOR_PIPE   /* the same, and its two ends belong together */
};

/* Asks the kernel for the kinds of inherited descriptors. Call it once, before the
 * app's code runs. */
void dj_descriptors_load(void);

/* Notes a new descriptor. fd < 0: it was not created. Not for pipes. */
void dj_recorder_descriptor_set_kind(int fd, enum dj_descriptor_kind kind);

void dj_recorder_descriptor_add_pipe(int reading, int writing);

enum dj_descriptor_kind dj_descriptor_kind(int fd);

/* Returns a pipe as an object of the wake table, the same for both ends: an odd
 * number, which is no object's address. Returns NULL if the descriptor is not a pipe. */
const void *dj_descriptor_pipe(int fd);

#endif
