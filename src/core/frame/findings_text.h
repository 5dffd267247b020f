/* The English text of findings. The text is separate from the rules so that another
 * table can translate it. */
#ifndef DEJANK_FRAME_FINDINGS_TEXT_H
#define DEJANK_FRAME_FINDINGS_TEXT_H

#include "frame/findings.h"

struct dj_frame_finding_text {
    const char *title;   /* Heading, for example "Slow input handling". */
    const char *look_at; /* States what the developer should check next. */
};

/* Returns the text. `id` must be less than DJ_FINDING_COUNT. */
const struct dj_frame_finding_text *dj_frame_finding_get_text(enum dj_finding_id id);

#endif
