/* Compares batches for the page of a comparison and its JSON. */
#ifndef DEJANK_SERVE_COMPARED_H
#define DEJANK_SERVE_COMPARED_H

#include "compare/compare.h"
#include "serve/router.h"

/* Initialise it with zeros. */
struct dj_compared {
    struct dj_side a, b;
    struct dj_comparison comparison;
};

/* Compares what the words name: batches or builds. Call dj_serve_finish_compared() in
 * every case. */
int dj_serve_compare(const struct dj_call *call, const char *a, const char *b,
                     struct dj_compared *compared, struct dj_error *err);
void dj_serve_finish_compared(struct dj_compared *compared);

#endif
