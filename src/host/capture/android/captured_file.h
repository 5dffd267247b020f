/* Writes a device's trace to a file, completely or not at all. */
#ifndef DEJANK_CAPTURE_ANDROID_CAPTURED_FILE_H
#define DEJANK_CAPTURE_ANDROID_CAPTURED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

struct dj_captured_file {
    int fd;             /* −1: none is open */
    char *path, *fresh; /* final path, and temporary path until then; owned */
    bool direct;        /* `path` is a device or pipe: it is written to at the end, not
                         * replaced */
    int64_t bytes, maximum;
    bool cut; /* there was more than `maximum` */
    /* Of atrace's output, where messages precede the title of the trace: */
    bool titled;         /* a title is expected, or was seen */
    bool seen;           /* the title was seen */
    bool crlf;           /* the title ended with \r\n: a terminal changed every \n */
    bool held_return;    /* the last byte was \r, and the next one is not known yet */
    struct dj_text talk; /* text before the title; owned */
};

/* Opens a temporary file next to `path`, or in $TMPDIR or /tmp if `path` cannot be
 * replaced (output/path.h). `path` does not change until
 * dj_captured_file_commit(). `maximum` > 0. DJ_E_OUTPUT. */
int dj_captured_file_open(struct dj_captured_file *save, const char *path,
                          int64_t maximum, struct dj_error *err);
/* Writes data. DJ_E_OUTPUT; DJ_E_LIMIT once the maximum is reached: the file contains
 * what fits. */
int dj_captured_file_write(struct dj_captured_file *save, const char *bytes,
                           size_t length, struct dj_error *err);
/* Call it after the last data. */
int dj_captured_file_end(struct dj_captured_file *save, struct dj_error *err);
/* Moves the complete file to its place. DJ_E_OUTPUT: the message says where the file is
 * instead. */
int dj_captured_file_commit(struct dj_captured_file *save, struct dj_error *err);
/* Removes the temporary file if it was not moved. */
void dj_captured_file_finish(struct dj_captured_file *save);

#endif
