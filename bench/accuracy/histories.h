/* Histories of batches that were never measured: noise of several kinds about a level, in
 * which a step or a bump may have been planted. Logarithms. */
#ifndef DEJANK_ACCURACY_HISTORIES_H
#define DEJANK_ACCURACY_HISTORIES_H

#include <stddef.h>

#include "random.h"

enum { DJ_SIM_HISTORY_MAX = 512 };

enum dj_sim_noise {
    DJ_SIM_NORMAL,
    DJ_SIM_T3,       /* Student's t with 3 degrees of freedom */
    DJ_SIM_OUTLIERS, /* one in twenty lies 4 to 8 deviations off */
    DJ_SIM_ROUNDED,  /* to whole percents, as tools that print few digits do */
    DJ_SIM_BIMODAL,  /* two modes, 2 deviations apart */
    DJ_SIM_AR3,      /* remembers the one before by 0.3 */
    DJ_SIM_AR5,
    DJ_SIM_NOISES
};
extern const char *const dj_sim_noise_names[DJ_SIM_NOISES];

/* The deviation of the noise, of the logarithm. Large against the least change that is
 * told (2 %), so that it is not this that keeps false alarms away. */
extern const double dj_sim_noise_sd;

/* Fills `count` logarithms. */
void dj_sim_history_fill(struct dj_random *random, enum dj_sim_noise noise, double *logs,
                         size_t count);

#endif
