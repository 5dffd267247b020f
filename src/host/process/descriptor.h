/* Reads from pipes, writes to them and closes them. */
#ifndef DEJANK_PROCESS_DESCRIPTOR_H
#define DEJANK_PROCESS_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/text.h"

/* Closes *fd unless it is −1, and sets it to −1. */
void dj_descriptor_close(int *fd);

/* Appends the available bytes to `text`. Closes *fd at the end of the pipe. Does nothing
 * if *fd is −1. Returns whether bytes were read. */
bool dj_descriptor_read(int *fd, struct dj_text *text);

/* Like write(), but raises no SIGPIPE if the pipe has no reader. */
ssize_t dj_descriptor_write(int fd, const void *bytes, size_t size);

#endif
