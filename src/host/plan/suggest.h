/* Finds the word that a mistyped word was probably meant to be. */
#ifndef DEJANK_PLAN_SUGGEST_H
#define DEJANK_PLAN_SUGGEST_H

#include "base/str.h"

/* Returns the number of edits that change `a` to `b`. An edit inserts, removes or
 * replaces a byte, or swaps two adjacent bytes. Words of more than 40 bytes are 41 edits
 * apart. */
size_t dj_suggest_distance(struct dj_str a, struct dj_str b);

/* The most similar candidate so far. Start with only `word` set. */
struct dj_suggestion {
    struct dj_str word; /* the mistyped word */
    struct dj_str best; /* suggestion, or empty while no candidate is similar enough */
    size_t distance;    /* between `word` and the candidate of `best` */
};

/* Considers a candidate, for which `suggested` would be suggested. A candidate is similar
 * enough with at most one edit for every three bytes of the shorter word, but at least
 * with one edit and at most with three. */
void dj_plan_suggestion_add(struct dj_suggestion *suggestion, struct dj_str candidate,
                            struct dj_str suggested);

#endif
