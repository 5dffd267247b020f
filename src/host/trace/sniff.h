/* Detects whether a file contains a trace. Readers of other file formats use these
 * functions too. */
#ifndef DEJANK_TRACE_SNIFF_H
#define DEJANK_TRACE_SNIFF_H

#include <stdbool.h>

#include "base/error.h"

/* Returns true if the bytes are the start of a trace. Pass some thousand bytes, or the
 * whole file if it is shorter. `file_bytes` is the size of the file, or 0 if unknown.
 * Returns false for traces that cannot be recognized by their first bytes. */
bool dj_trace_sniff(const char *bytes, size_t length, size_t file_bytes);

/* Returns true if the bytes are the start of a trace in a text format, as
 * dj_trace_sniff() does. */
bool dj_trace_sniff_text(const char *bytes, size_t length);

/* The description of a gfxinfo dump that dj_trace_describe_other_file() returns. With
 * this description, the error of dj_trace_refuse_other_file() also names the command that
 * reads the dump. */
extern const char dj_trace_gfxinfo_description[];

/* Describes the format of a file that is not a trace. Returns a phrase that ends in "; ",
 * or "" if the format is unknown. */
const char *dj_trace_describe_other_file(const char *bytes, size_t length);

/* Sets the error "the file NAME is not a trace" and returns DJ_E_INVALID. `description`
 * is a result of dj_trace_describe_other_file(). */
int dj_trace_refuse_other_file(const char *name, const char *description,
                               struct dj_error *err);

#endif
