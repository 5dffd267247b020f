/* Ends of pipes. */
#ifndef DEJANK_PROCESS_DESCRIPTOR_H
#define DEJANK_PROCESS_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/text.h"

/* Closes a descriptor and sets it to −1. −1 is allowed. */
void dj_descriptor_close(int *fd);

/* Appends what is there, and closes *fd at its end. True where anything came. −1 is
 * allowed. */
bool dj_descriptor_read(int *fd, struct dj_text *text);

/* write() without the signal for a pipe that nothing reads. */
ssize_t dj_descriptor_write(int fd, const void *bytes, size_t size);

#endif
