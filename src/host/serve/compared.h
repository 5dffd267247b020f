/* Compares batches for the comparison page and for its JSON. */
#ifndef DEJANK_SERVE_COMPARED_H
#define DEJANK_SERVE_COMPARED_H

#include "compare/compare.h"
#include "serve/router.h"

/* The result of dj_serve_compare(). Zero the struct before use. */
struct dj_compared {
    struct dj_side a, b;
    struct dj_comparison comparison;
};

/* Compares two sides. `a` and `b` are ids of batches or names of builds. Call
 * dj_serve_finish_compared() even after an error. */
int dj_serve_compare(const struct dj_call *call, const char *a, const char *b,
                     struct dj_compared *compared, struct dj_error *err);
void dj_serve_finish_compared(struct dj_compared *compared);

#endif
