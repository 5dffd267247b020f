/* A result that is written piece by piece into its user's file (-o): whole, or not at
 * all. */
#ifndef DEJANK_DEVICE_OUTPUT_STREAM_H
#define DEJANK_DEVICE_OUTPUT_STREAM_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/* Writes all of the bytes: 0, or errno. */
int dj_output_write_all(int fd, const char *bytes, size_t length);

struct dj_output_stream {
    int fd;                   /* where to write */
    const char *path;         /* the caller's */
    char *target;             /* what that is in the end; NULL: it is written directly */
    struct dj_text temporary; /* the file beside it; empty: it is written directly */
    bool nameless;            /* that one has no name yet */
    bool fresh;               /* it replaces no file */
    bool surely;              /* it is not lost where it cannot take its place */
    int refused;              /* errno: `path` cannot be written, it goes aside */
};

/* Opens a file beside `path`, or `path` itself where nothing may take its place
 * (output_place.h). DJ_E_OUTPUT, DJ_E_NO_MEMORY. */
int dj_output_stream_open(struct dj_output_stream *stream, const char *path,
                          struct dj_error *err);

/* The same for a file that must not be there yet: dj_output_stream_keep() replaces none,
 * and fails if another process has created it. */
int dj_output_stream_open_fresh(struct dj_output_stream *stream, const char *path,
                                struct dj_error *err);

/* The same for what cannot be had again: where it cannot be written there it goes into a
 * new file of $TMPDIR or /tmp, and where it cannot take its place it stays beside.
 * dj_output_stream_keep() then answers DJ_E_OUTPUT, and says where it is. */
int dj_output_stream_open_surely(struct dj_output_stream *stream, const char *path,
                                 struct dj_error *err);

/* All is written: puts it in its place, once it is on the disk. Closes in every case. */
int dj_output_stream_keep(struct dj_output_stream *stream, struct dj_error *err);
/* It is not: what was there before stays. */
void dj_output_stream_drop(struct dj_output_stream *stream);

#endif
