/* Where the result of a verb goes: stdout, or its user's file (-o), whole or not at all.
 * What cannot be written is DJ_E_OUTPUT, for both. */
#ifndef DEJANK_OUTPUT_FILE_H
#define DEJANK_OUTPUT_FILE_H

#include <stdbool.h>

#include "base/text.h"
#include "output/stream.h"

/* Checks whether `path` can probably be written. Changes nothing. */
int dj_output_check(const char *path, struct dj_error *err);

/* Writes a temporary file and then renames it: after a full disk or a crash the old file
 * is still there. Writes directly to files that must not be replaced
 * (output/path.h). `path` NULL: writes to stdout. */
int dj_output_write(const char *path, const struct dj_text *text, struct dj_error *err);

/*
 * Writes as dj_output_write(). If that fails, writes to a new file in $TMPDIR or /tmp, or
 * to stdout if that fails, too. The returned error says where the text is.
 */
int dj_output_write_or_save(const char *path, const struct dj_text *text,
                            struct dj_error *err);

/* Writes all of a result that is too long for memory to a descriptor: 0, or errno. It is
 * called again for each further place. */
typedef int dj_output_writer(void *user, int fd);

/* The same two for such a result. */
int dj_output_produce(const char *path, dj_output_writer *write, void *user,
                      struct dj_error *err);
int dj_output_produce_or_save(const char *path, dj_output_writer *write, void *user,
                              struct dj_error *err);

/* Whether a file's name ends so, in any case, and has more than that: what -o asks for.
 */
bool dj_output_has_suffix(const char *name, const char *suffix);

/* Writes to stdout. */
int dj_output_print(const struct dj_text *text, struct dj_error *err);

#endif
