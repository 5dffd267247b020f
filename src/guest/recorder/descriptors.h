/*
 * What the app's descriptors are, noted when they are created: a hook that asked the
 * kernel later would make a system call that the app's own call does not make.
 *
 * Any thread. A descriptor whose number was reused by a call that no hook sees (recvmsg,
 * fopen, a call inside a library) keeps its old kind. One that arrived in that way, or
 * whose number is 1024 or more, has none.
 */
#ifndef DEJANK_RECORDER_DESCRIPTORS_H
#define DEJANK_RECORDER_DESCRIPTORS_H

#include <stdbool.h>

enum dj_descriptor_kind {
    DJ_DESCRIPTOR_OTHER, /* a file, a socket, unknown */
    DJ_DESCRIPTOR_WAIT,  /* eventfd, timerfd, signalfd, inotify, a device: a read that
                            blocks waits for an event */
    DJ_DESCRIPTOR_PIPE   /* the same, and its two ends belong together */
};

/* Asks the kernel what the inherited descriptors are. Once, before the app's code runs.
 */
void dj_descriptors_load(void);

/* A descriptor was created; fd < 0: it was not. Not for pipes. */
void dj_descriptor_set_kind(int fd, enum dj_descriptor_kind kind);

void dj_descriptor_add_pipe(int reading, int writing);

enum dj_descriptor_kind dj_descriptor_kind(int fd);

/* A pipe as an object of the wake table, the same for its two ends: an odd number, which
 * is no object's address. NULL if the descriptor is not a pipe. */
const void *dj_descriptor_pipe(int fd);

#endif
