/* Rules that define which slices or rows are the frames of a trace, and how long a frame
 * may take. */
#ifndef DEJANK_TRIAGE_RULES_H
#define DEJANK_TRIAGE_RULES_H

#include <stdint.h>

#include "triage/rows.h"

struct dj_triage_rules {
    /* Pattern with * and ? for the names of the slices that are frames, or NULL to find
     * frames by their usual names. */
    const char *frames;
    /* Rows of gfxinfo, or frames of another trace, that are used as frames. Or NULL. */
    const struct dj_triage_rows *rows;
    /* Budget of a frame in ns. If it is 0, the frame's own deadline is used, or the
     * display's refresh period, or 1/60 s. */
    int64_t budget_ns;
};

#endif
