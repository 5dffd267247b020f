/* What the files of objectives share. Private to the objective*.c files. */
#ifndef DEJANK_JUDGE_OBJECTIVES_PARTS_H
#define DEJANK_JUDGE_OBJECTIVES_PARTS_H

#include "judge/objectives.h"

/* The guide speaks of smooth frames; the store has the janky ones. */
#define DJ_OBJECTIVE_SMOOTH "smooth_pct"

/* Sets metric, its name and `smooth`. False: there is none of that name. */
bool dj_objective_metric(const char *name, struct dj_objective *objective);

/* Appends one; its texts are copied. DJ_E_LIMIT, DJ_E_NO_MEMORY. */
int dj_objectives_add(struct dj_objectives *objectives,
                      const struct dj_objective *objective, struct dj_error *err);

#endif
