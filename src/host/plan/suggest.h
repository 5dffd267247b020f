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
    struct dj_str word; /* The mistyped word. */
    /* Best suggestion so far. Empty if no candidate is similar enough. */
    struct dj_str best;
    size_t distance; /* Number of edits between `word` and the candidate of `best`. */
};

/* Compares the word with a candidate. If the candidate is the most similar one so far,
 * `suggested` becomes the suggestion. The maximum number of edits is one for every three
 * bytes of the shorter word, but at least one and at most three. */
void dj_plan_suggestion_add(struct dj_suggestion *suggestion, struct dj_str candidate,
                            struct dj_str suggested);

#endif
