/* The words of the next step, in English. Apart from its rules: to translate them is to
 * write another table. */
#ifndef DEJANK_REPORT_NEXT_STEP_TEXT_H
#define DEJANK_REPORT_NEXT_STEP_TEXT_H

#include "report/next_step.h"

/* A sentence or two, to be followed by the commands. step < DJ_NEXT_COUNT. */
const char *dj_next_step_text(enum dj_next_step step);

#endif
