/* Writes an output file (-o) in several steps. The file is replaced completely or not at
 * all. */
#ifndef DEJANK_OUTPUT_STREAM_H
#define DEJANK_OUTPUT_STREAM_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/* Writes all bytes. Returns 0 or errno. */
int dj_output_stream_write_all(int fd, const char *bytes, size_t length);

struct dj_output_stream {
    int fd;           /* Descriptor that the caller writes to. */
    const char *path; /* Path of the output file. Owned by the caller. */
    /* The target of `path` after resolving symbolic links, or NULL if `path` is written
     * directly. */
    char *target;
    /* Path of the temporary file in the folder of `target`, or "" if there is none. */
    struct dj_text temporary;
    bool is_unnamed; /* True while the temporary file has no name. */
    bool is_new;     /* True if the file must not replace an existing file. */
    /* True if the temporary file is kept when it cannot replace `path`. */
    bool has_fallback;
    /* The errno value if `path` cannot be written, otherwise 0. If it is not 0, the data
     * is in a file in $TMPDIR or /tmp. */
    int refusal_errno;
};

/* Opens a temporary file in the folder of `path`, or `path` itself if it must be written
 * directly (output/path.h). `path` must exist as long as the stream. Returns 0,
 * DJ_E_OUTPUT or DJ_E_NO_MEMORY. */
int dj_output_stream_open(struct dj_output_stream *stream, const char *path,
                          struct dj_error *err);

/* Like dj_output_stream_open(), but for a file that must not exist yet.
 * dj_output_stream_commit() fails if another process has created the file after this
 * call. */
int dj_output_stream_open_new(struct dj_output_stream *stream, const char *path,
                              struct dj_error *err);

/* Like dj_output_stream_open(), but for data that cannot be recorded again. If `path`
 * cannot be opened, the data goes to a new file in $TMPDIR or /tmp. If the temporary file
 * cannot be renamed at the end, it remains. In both cases dj_output_stream_commit()
 * returns DJ_E_OUTPUT, and the message contains the path of the file with the data. */
int dj_output_stream_open_with_fallback(struct dj_output_stream *stream, const char *path,
                                        struct dj_error *err);

/* Writes the file to the disk with fsync(), and renames it to `path`. Closes the stream,
 * also after an error. */
int dj_output_stream_commit(struct dj_output_stream *stream, struct dj_error *err);
/* Closes the stream and removes the temporary file. Leaves an existing file at `path`
 * unchanged. */
void dj_output_stream_discard(struct dj_output_stream *stream);

#endif
