/*
 * Many tests at once: p made larger, so that it can be held against alpha as if it were
 * one. Heap: scratch only, freed before it returns; any thread.
 *
 * Holm (1979) bounds the chance of any false alarm: for gates. Benjamini and Hochberg
 * (1995) bound the share of false ones among the alarms, where the tests are independent
 * or rise together, as the percentiles of one run do: for tables to look through.
 *
 * adjusted[i] belongs to p[i]; both may be one array. NaN in p is a test that was not
 * made: it stays NaN and does not count. DJ_E_INVALID: a p outside 0 … 1.
 * DJ_E_NO_MEMORY. In both cases nothing is written. None is fine.
 */
#ifndef DEJANK_STATS_ADJUST_H
#define DEJANK_STATS_ADJUST_H

#include <stddef.h>

int dj_holm(const double *p, size_t count, double *adjusted);
int dj_benjamini_hochberg(const double *p, size_t count, double *adjusted);

#endif
