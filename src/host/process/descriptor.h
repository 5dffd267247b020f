/* Reads, writes and closes ends of pipes. */
#ifndef DEJANK_PROCESS_DESCRIPTOR_H
#define DEJANK_PROCESS_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/text.h"

/* Closes a descriptor and sets it to −1. −1 is allowed. */
void dj_descriptor_close(int *fd);

/* Appends what is available, and closes *fd at the end of the pipe. Returns whether
 * anything was read. −1 is allowed. */
bool dj_descriptor_read(int *fd, struct dj_text *text);

/* Calls write() without SIGPIPE for a pipe without a reader. */
ssize_t dj_descriptor_write(int fd, const void *bytes, size_t size);

#endif
