/* Bytes on their way into a file: collected, and written in large pieces. Of this room
 * only. */
#ifndef DEJANK_TRACE_FILE_OUT_H
#define DEJANK_TRACE_FILE_OUT_H

#include "base/error.h"
#include "base/text.h"

/* Whatever is appended to `text` is written, once it is much. Zero it but for fd. */
struct dj_file_out {
    int fd;              /* the caller's */
    char *name;          /* of the file, for errors; owned */
    struct dj_text text; /* what has not been written yet */
    uint64_t written;    /* bytes before it */
    int failure;         /* errno of the first write that failed; then all is lost */
};

void dj_file_out_init(struct dj_file_out *out, int fd, const char *name);
void dj_file_out_finish(struct dj_file_out *out);

/* Writes what has been collected once it is a piece's worth, or all of it. 0 or
 * DJ_E_OUTPUT, and the same again ever after; err may be NULL. */
int dj_file_out_go_on(struct dj_file_out *out);
int dj_file_out_flush(struct dj_file_out *out, struct dj_error *err);

#endif
