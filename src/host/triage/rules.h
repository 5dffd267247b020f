/* Defines which slices or rows are the frames of a trace, and how long each may take. */
#ifndef DEJANK_TRIAGE_RULES_H
#define DEJANK_TRIAGE_RULES_H

#include <stdint.h>

#include "triage/rows.h"

struct dj_triage_rules {
    /* Pattern of the names of slices that are frames (*, ?), or NULL to find frames by
     * their usual names. */
    const char *frames;
    const struct dj_triage_rows *rows; /* Rows that are the frames, or NULL. */
    /* Budget of a frame. If it is 0, a frame's deadline, the display's refresh period or
     * 1/60 s is used. */
    int64_t budget_ns;
};

#endif
