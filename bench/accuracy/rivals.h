/*
 * What two other tools would say of the same numbers, by their rules as they are
 * described: Otava (Hunter) — energy statistics in windows of 50, a t test with the
 * population's deviation that lets weak changes in at ten times its p, then the weakest
 * are taken out again until all stand at p — and Perfherder: Student's t of weighted
 * windows above 7, and at least 2 %. Written from the descriptions for this comparison,
 * and nothing else: not those tools themselves.
 */
#ifndef DEJANK_ACCURACY_RIVALS_H
#define DEJANK_ACCURACY_RIVALS_H

#include <stdbool.h>
#include <stddef.h>

/* Where a series of positive numbers changes, ascending: indices of the first point after
 * it. `changes` has room for `count`. Returns how many. */
size_t dj_otava_changes(const double *values, size_t count, double p, size_t *changes);
size_t dj_perfherder_changes(const double *values, size_t count, size_t *changes);

/* Two sides, as those tools would meet them: B's runs after A's. */
bool dj_otava_alarm(const double *a, const double *b, size_t runs, double p);
bool dj_perfherder_alarm(const double *a, const double *b, size_t runs);

#endif
