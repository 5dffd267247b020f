/*
 * The rules of two other tools, for the same numbers. They are written from the
 * descriptions of these tools for this comparison. They are not the tools themselves.
 *
 * Otava (Hunter): energy statistics in windows of 50, and a t test with population
 * deviations. It first accepts weak changes with ten times its p. Then it removes the
 * weakest ones until all have at most p.
 * Perfherder: Student's t of weighted windows above 7, and a change of at least 2 %.
 */
#ifndef DEJANK_ACCURACY_RIVALS_H
#define DEJANK_ACCURACY_RIVALS_H

#include <stdbool.h>
#include <stddef.h>

/* Write the indices at which a series of positive numbers changes to `changes`, in
 * ascending order. An index is the first point after a change. `changes` has space for
 * `count` indices. Return the number of changes. */
size_t dj_otava_changes(const double *values, size_t count, double p, size_t *changes);
size_t dj_perfherder_changes(const double *values, size_t count, size_t *changes);

/* Return whether these tools report a change in a series of A's runs followed by B's
 * runs. */
bool dj_otava_alarm(const double *a, const double *b, size_t runs, double p);
bool dj_perfherder_alarm(const double *a, const double *b, size_t runs);

#endif
