/* Writes the result of a command to stdout or to the file of the option -o. The file is
 * replaced completely or not at all. Functions return DJ_E_OUTPUT if the result cannot be
 * written. */
#ifndef DEJANK_OUTPUT_FILE_H
#define DEJANK_OUTPUT_FILE_H

#include <stdbool.h>

#include "base/text.h"
#include "output/stream.h"

/* Checks whether `path` can probably be written. Creates and changes nothing. */
int dj_output_check(const char *path, struct dj_error *err);

/* Writes to a temporary file and renames it to `path`, so that the old file remains after
 * a full disk or a crash. Writes directly to a file that must not be replaced
 * (output/path.h). If `path` is NULL, writes to stdout. */
int dj_output_write(const char *path, const struct dj_text *text, struct dj_error *err);

/*
 * Like dj_output_write(), but if that fails, writes the text to a new file in $TMPDIR or
 * /tmp, or else to stdout. The error message says where the text is.
 */
int dj_output_write_or_save(const char *path, const struct dj_text *text,
                            struct dj_error *err);

/* Writes a complete result to a descriptor. Returns 0 or errno. The function may be
 * called again with another descriptor. */
typedef int dj_output_writer(void *user, int fd);

/* Like dj_output_write(), but the function `write` writes the result. For results that
 * are too large for memory. */
int dj_output_produce(const char *path, dj_output_writer *write, void *user,
                      struct dj_error *err);

/* Like dj_output_write_or_save(), but the function `write` writes the result. */
int dj_output_produce_or_save(const char *path, dj_output_writer *write, void *user,
                              struct dj_error *err);

/* Returns whether a file name ends with the suffix, ignoring case, and is longer than the
 * suffix. */
bool dj_output_has_suffix(const char *name, const char *suffix);

/* Writes the text to stdout. */
int dj_output_print(const struct dj_text *text, struct dj_error *err);

#endif
