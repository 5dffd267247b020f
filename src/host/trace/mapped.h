/* A file's bytes, mapped for reading. Of this room only. */
#ifndef DEJANK_TRACE_MAPPED_H
#define DEJANK_TRACE_MAPPED_H

#include "trace/event.h"

struct dj_mapped {
    const uint8_t *bytes; /* NULL where there are none */
    size_t size;
};

/* DJ_E_IO, DJ_E_NOT_FOUND. A file that is cut short while it is read ends the process:
 * do not give it one that is being written. */
int dj_mapped_open(const char *path, struct dj_mapped *mapped, struct dj_error *err);
void dj_mapped_close(struct dj_mapped *mapped);

#endif
