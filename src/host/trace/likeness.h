/* What is no trace that is read here, but often taken for one. Of this room only. */
#ifndef DEJANK_TRACE_LIKENESS_H
#define DEJANK_TRACE_LIKENESS_H

#include "base/error.h"

/* The likeness of a dump, which is refused with the command that reads it. */
extern const char dj_likeness_gfxinfo[];

/* What such bytes are, half a sentence that ends in "; "; "": something else. */
const char *dj_likeness_of(const char *bytes, size_t length);

/* "NAME: byte 0: LIKENESS expected a trace: …": DJ_E_INVALID. */
int dj_likeness_refuse(const char *name, const char *likeness, struct dj_error *err);

#endif
