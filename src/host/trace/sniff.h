/* Whether bytes are of a trace, for readers of other files. */
#ifndef DEJANK_TRACE_SNIFF_H
#define DEJANK_TRACE_SNIFF_H

#include <stdbool.h>

#include "base/error.h"

/* Looks at the first bytes of a file, a few thousand of them or all; `file_bytes` is its
 * size, 0: unknown. False for a trace that shows it later. */
bool dj_trace_sniff(const char *bytes, size_t length, size_t file_bytes);

/* The same for traces that are text. */
bool dj_trace_sniff_text(const char *bytes, size_t length);

/* The likeness of a dump, which is refused with the command that reads it. */
extern const char dj_likeness_gfxinfo[];

/* What such bytes are, half a sentence that ends in "; "; "": something else. */
const char *dj_likeness_of(const char *bytes, size_t length);

/* "NAME: byte 0: LIKENESS expected a trace: …": DJ_E_INVALID. */
int dj_likeness_refuse(const char *name, const char *likeness, struct dj_error *err);

#endif
