/* Which keys are one cause. Of this room only. */
#ifndef DEJANK_TRIAGE_CAUSES_H
#define DEJANK_TRIAGE_CAUSES_H

#include "triage/collect.h"

/* Makes the result's causes, in the order of their first keys, and says of each key which
 * one it is. */
void dj_triage_causes_number(struct dj_triage *triage);

#endif
