/* Which slices or rows are the frames of a trace, and how long each may take. */
#ifndef DEJANK_TRIAGE_RULES_H
#define DEJANK_TRIAGE_RULES_H

#include <stdint.h>

#include "triage/rows.h"

struct dj_triage_rules {
    const char *frames; /* pattern of the slices that are frames (*, ?); NULL: found in
                         * the trace */
    const struct dj_triage_rows *rows; /* rows that are the frames; NULL: none */
    int64_t budget_ns; /* of a frame; 0: its deadline, the display's refresh period, or
                        * 1/60 s */
};

#endif
