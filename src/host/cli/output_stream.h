/* A result that is written piece by piece into its user's file (-o): whole, or not at
 * all, as output_file.h has it for results that fit into memory. */
#ifndef DEJANK_CLI_OUTPUT_STREAM_H
#define DEJANK_CLI_OUTPUT_STREAM_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

struct dj_output_stream {
    int fd;                   /* where to write */
    const char *path;         /* the caller's */
    struct dj_text temporary; /* the file beside it; empty: written to directly */
    bool nameless;            /* that one has no name yet */
};

/* Opens a file beside `path`, or `path` itself where that exists and is no regular file
 * (a device, a pipe). DJ_E_OUTPUT, DJ_E_NO_MEMORY. */
int dj_output_stream_open(struct dj_output_stream *stream, const char *path,
                          struct dj_error *err);

/* All is written: puts it in its place, once it is on the disk. Closes in every case. */
int dj_output_stream_keep(struct dj_output_stream *stream, struct dj_error *err);
/* It is not: what was there before stays. */
void dj_output_stream_drop(struct dj_output_stream *stream);

#endif
