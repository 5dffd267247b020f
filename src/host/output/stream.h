/* Writes an output file (-o) piece by piece. The file is replaced completely or not at
 * all. */
#ifndef DEJANK_OUTPUT_STREAM_H
#define DEJANK_OUTPUT_STREAM_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/* Writes all bytes. Returns 0 or errno. */
int dj_output_stream_write_all(int fd, const char *bytes, size_t length);

struct dj_output_stream {
    int fd;           /* the caller writes to it */
    const char *path; /* owned by the caller */
    char *target;     /* `path` without links; NULL: it is written directly */
    struct dj_text
        temporary;     /* path of the temporary file in the same folder; "": none */
    bool is_unnamed;   /* the temporary file has no name yet */
    bool is_new;       /* it must not replace a file */
    bool has_fallback; /* the temporary file is kept if it cannot replace `path` */
    int refusal_errno; /* errno: `path` cannot be written, so the file is in the temporary
                    folder; 0: it can */
};

/* Opens a temporary file in the folder of `path`, or `path` itself if it must be written
 * directly (output_place.h). `path` must live as long as the stream. DJ_E_OUTPUT,
 * DJ_E_NO_MEMORY. */
int dj_output_stream_open(struct dj_output_stream *stream, const char *path,
                          struct dj_error *err);

/* The same for a file that must not exist. dj_output_stream_commit() replaces no file,
 * and fails if another process has created it meanwhile. */
int dj_output_stream_open_new(struct dj_output_stream *stream, const char *path,
                              struct dj_error *err);

/* The same for data that cannot be collected again. If `path` cannot be written, the data
 * goes to a new file in $TMPDIR or /tmp. If the file cannot be renamed, it keeps its
 * temporary name. dj_output_stream_commit() then returns DJ_E_OUTPUT, and its message
 * contains the path. */
int dj_output_stream_open_with_fallback(struct dj_output_stream *stream, const char *path,
                                        struct dj_error *err);

/* Syncs the file to the disk and renames it to `path`. Closes the stream, also after an
 * error. */
int dj_output_stream_commit(struct dj_output_stream *stream, struct dj_error *err);
/* Closes the stream and removes the temporary file. The file at `path` does not
 * change. */
void dj_output_stream_discard(struct dj_output_stream *stream);

#endif
