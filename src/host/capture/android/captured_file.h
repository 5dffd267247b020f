/* Writes the trace of an Android device to a file. The data is written to a temporary
 * file. This file replaces an older file at the path only after the trace is complete. */
#ifndef DEJANK_CAPTURE_ANDROID_CAPTURED_FILE_H
#define DEJANK_CAPTURE_ANDROID_CAPTURED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

struct dj_captured_file {
    int fd; /* Descriptor of the temporary file, or −1 if none is open. */
    char *path, *temporary; /* Path of the output and path of the temporary file. Owned
                             * by this struct. */
    bool direct;            /* True if `path` is a device or a pipe. The temporary file is
                             * then copied to it at the end. */
    int64_t bytes, maximum;
    bool cut; /* True if the trace was longer than `maximum`. */
    /* The following members are used for the output of atrace. atrace prints messages,
     * then the title "TRACE:", then the trace. */
    bool titled; /* True if a title must precede the trace. */
    bool seen;   /* True after the title was found. */
    /* True if the title ended with \r\n. The data has then passed through a terminal,
     * which changes every \n to \r\n. */
    bool crlf;
    /* True if the last byte was \r and the byte after it has not arrived yet. */
    bool pending_return;
    struct dj_text messages; /* The text before the title. Owned by this struct. */
};

/* Opens a temporary file in the folder of `path`. If `path` cannot be replaced
 * (output/path.h), the file is in $TMPDIR or /tmp. `path` does not change until
 * dj_captured_file_commit(). `maximum` must be greater than 0. Returns 0, DJ_E_OUTPUT
 * or DJ_E_NO_MEMORY. */
int dj_captured_file_open(struct dj_captured_file *save, const char *path,
                          int64_t maximum, struct dj_error *err);
/* Writes data. Returns 0, DJ_E_OUTPUT, or DJ_E_LIMIT if the file would exceed `maximum`.
 * After DJ_E_LIMIT the file contains the first `maximum` bytes. */
int dj_captured_file_write(struct dj_captured_file *save, const char *bytes,
                           size_t length, struct dj_error *err);
/* Completes the file. Call this function after the last data. */
int dj_captured_file_end(struct dj_captured_file *save, struct dj_error *err);
/* Moves the complete file to `path`. After DJ_E_OUTPUT the message names the path at
 * which the file remained. */
int dj_captured_file_commit(struct dj_captured_file *save, struct dj_error *err);
/* Frees the struct. Removes the temporary file if it was not moved. */
void dj_captured_file_finish(struct dj_captured_file *save);

#endif
