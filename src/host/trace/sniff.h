/* Detects whether bytes belong to a trace, also for readers of other files. */
#ifndef DEJANK_TRACE_SNIFF_H
#define DEJANK_TRACE_SNIFF_H

#include <stdbool.h>

#include "base/error.h"

/* Checks the first bytes of a file, some thousand or all of them. `file_bytes` is the
 * file's size; 0: unknown. Returns false for a trace that shows its kind only later. */
bool dj_trace_sniff(const char *bytes, size_t length, size_t file_bytes);

/* The same, only for traces in text. */
bool dj_trace_sniff_text(const char *bytes, size_t length);

/* The description of a gfxinfo dump. The error message names the command that reads it.
 */
extern const char dj_trace_likeness_gfxinfo[];

/* Describes the bytes in half a sentence that ends in "; ". Returns "" if it does not
 * know them. */
const char *dj_trace_describe_other_file(const char *bytes, size_t length);

/* Sets the error "NAME: byte 0: LIKENESS expected a trace: …" and returns DJ_E_INVALID.
 */
int dj_trace_refuse_other_file(const char *name, const char *likeness,
                               struct dj_error *err);

#endif
