/* Made-up histories of batches: noise of several kinds around a constant level, as
 * logarithms. The caller can add a step or a bump. */
#ifndef DEJANK_ACCURACY_HISTORIES_H
#define DEJANK_ACCURACY_HISTORIES_H

#include <stddef.h>

#include "random.h"

enum { DJ_SIM_HISTORY_MAX = 512 };

enum dj_sim_noise {
    DJ_SIM_NORMAL,
    DJ_SIM_T3,       /* Student's t with 3 degrees of freedom */
    DJ_SIM_OUTLIERS, /* one point in twenty is shifted by 4 to 8 sd */
    DJ_SIM_ROUNDED,  /* normal; the caller rounds to whole percents, like some tools */
    DJ_SIM_BIMODAL,  /* two modes, 1.8 sd apart */
    DJ_SIM_AR3,      /* AR(1) with coefficient 0.3 */
    DJ_SIM_AR5,
    DJ_SIM_NOISES
};
extern const char *const dj_sim_noise_names[DJ_SIM_NOISES];

/* Standard deviation of the noise, of the logarithm. It is large compared with the
 * smallest change that is reported (2 %). So this limit is not the reason why false
 * alarms are rare. */
extern const double dj_sim_noise_sd;

/* Fills `count` logarithms. */
void dj_sim_history_fill(struct dj_random *random, enum dj_sim_noise noise, double *logs,
                         size_t count);

#endif
