/* A stored batch as a suite of JUnit: a case for each of its runs. */
#ifndef DEJANK_REPORT_JUNIT_BATCH_H
#define DEJANK_REPORT_JUNIT_BATCH_H

#include "report/batches.h"
#include "report/junit.h"

/* Appends it. A run is the attempts of one number: it passes where one of them counts,
 * is skipped where it is left out by hand, and else fails by its last attempt's outcome.
 * Warm-ups are none. */
void dj_junit_add_batch(struct dj_junit *junit, const struct dj_batch *batch);

#endif
