/* What would have been saved without each cause. Of this room only. */
#ifndef DEJANK_TRIAGE_WEIGH_H
#define DEJANK_TRIAGE_WEIGH_H

#include "triage/collect.h"

/* Fills triage->result. */
void dj_triage_weigh_all(struct dj_triage *triage);

#endif
