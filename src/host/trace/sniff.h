/* Detects whether a file contains a trace. Readers of other file formats also use these
 * functions. */
#ifndef DEJANK_TRACE_SNIFF_H
#define DEJANK_TRACE_SNIFF_H

#include <stdbool.h>

#include "base/error.h"

/* Checks the first bytes of a file. The caller passes some thousand bytes, or the whole
 * file if it is shorter. `file_bytes` is the size of the file, or 0 if unknown. Returns
 * false for a trace that cannot be recognized by its first bytes. */
bool dj_trace_sniff(const char *bytes, size_t length, size_t file_bytes);

/* Does the same check for traces in text formats only. */
bool dj_trace_sniff_text(const char *bytes, size_t length);

/* Description of a gfxinfo dump. With this description, dj_trace_refuse_other_file()
 * also names the command that reads the dump. */
extern const char dj_trace_gfxinfo_description[];

/* Returns a description of a file that is not a trace, as half a sentence that ends in
 * "; ". Returns "" if the format of the file is unknown. */
const char *dj_trace_describe_other_file(const char *bytes, size_t length);

/* Sets an error that says that the file `name` is not a trace, and returns
 * DJ_E_INVALID. `description` is a result of dj_trace_describe_other_file(). */
int dj_trace_refuse_other_file(const char *name, const char *description,
                               struct dj_error *err);

#endif
