/* The English text of findings. Separate from the rules: a translation is another
 * table. */
#ifndef DEJANK_FRAME_FINDINGS_TEXT_H
#define DEJANK_FRAME_FINDINGS_TEXT_H

#include "frame/findings.h"

struct dj_frame_finding_get_text {
    const char *title;   /* a heading: "Slow input handling" */
    const char *look_at; /* one sentence with the next thing to check */
};

/* id < DJ_FINDING_COUNT. */
const struct dj_frame_finding_get_text *dj_frame_finding_get_text(enum dj_finding_id id);

#endif
