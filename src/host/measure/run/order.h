/* Chooses the order of the runs of one or two builds. The runs of two builds alternate,
 * so that changes over time (heat, caches, other programs) affect both builds equally. */
#ifndef DEJANK_MEASURE_RUN_ORDER_H
#define DEJANK_MEASURE_RUN_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A run and the build to which it belongs. */
struct dj_order_slot {
    size_t build; /* Index of the build: 0 for A, 1 for B. */
    /* Number of the run among the runs of its build, or of the warm-up among the warm-ups
     * of its build. The first number is 1. */
    int64_t number;
    bool warmup;
};

/* Name of the rule by which the runs are ordered, as in the store. */
#define DJ_ORDER_RULE "ABBA"

/* Fills `slots` with builds × (warmups + runs) runs. The warm-ups come first, and the
 * builds alternate in them. The other runs of two builds follow in blocks of four. Each
 * block is either ABBA or BAAB, as the seed decides. So neither build always comes first.
 * If a pair remains at the end, the seed decides whether it is AB or BA. */
void dj_order_draw(size_t builds, int64_t warmups, int64_t runs, uint64_t seed,
                   struct dj_order_slot *slots);

#endif
