/* A file's bytes, mapped for reading. For readers of this room, and captures. */
#ifndef DEJANK_TRACE_MAPPED_H
#define DEJANK_TRACE_MAPPED_H

#include <stdbool.h>

#include "trace/event.h"

struct dj_mapped {
    const uint8_t *bytes; /* NULL where there are none */
    size_t size;
    bool mapped; /* dj_mapped_open() did: else the bytes are someone's memory */
};

/* DJ_E_IO, DJ_E_NOT_FOUND. A file that is cut short while it is read ends the process:
 * do not give it one that is being written. */
int dj_mapped_open(const char *path, struct dj_mapped *mapped, struct dj_error *err);

/* What is left behind of a file that is read from its begin to its end. */
struct dj_mapped_trail {
    const uint8_t *from; /* NULL: nothing was read yet */
    bool mapped;
};

/* All before `at` is not needed any more: the process gives its memory back, now and
 * then. The bytes can still be read. */
void dj_mapped_leave(struct dj_mapped_trail *trail, const uint8_t *at);

void dj_mapped_close(struct dj_mapped *mapped);

#endif
