/* What a finding says to a person, in English. Apart from the rules: to translate it is
 * to write another table. */
#ifndef DEJANK_FRAME_FINDINGS_TEXT_H
#define DEJANK_FRAME_FINDINGS_TEXT_H

#include "frame/findings.h"

struct dj_finding_text {
    const char *title;   /* a heading: "Slow input handling" */
    const char *look_at; /* one sentence on what to look at next */
};

/* id < DJ_FINDING_COUNT. */
const struct dj_finding_text *dj_finding_text(enum dj_finding_id id);

#endif
