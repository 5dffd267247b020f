/* Files that a verb reads for its user, whole. */
#ifndef DEJANK_CLI_INPUT_FILE_H
#define DEJANK_CLI_INPUT_FILE_H

#include "base/error.h"
#include "base/text.h"

/* What an input is called in messages: its path, or "standard input" for "-". */
const char *dj_input_name(const char *path);

/* Appends the whole file ("-": the standard input) to *text, at most 4 GiB. DJ_E_IO with
 * the system's reason, or DJ_E_LIMIT; a directory is an error. */
int dj_input_read(const char *path, struct dj_text *text, struct dj_error *err);

#endif
