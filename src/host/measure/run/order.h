/* The order of the runs of one or two builds. Runs of two builds alternate, so that drift
 * (heat, caches, other load) affects both equally. */
#ifndef DEJANK_MEASURE_RUN_ORDER_H
#define DEJANK_MEASURE_RUN_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One run at its position in the order. */
struct dj_order_slot {
    size_t build;   /* 0 for A, 1 for B. */
    int64_t number; /* Number among the build's runs or warm-ups, from 1. */
    bool warmup;
};

/* Name of the rule in the store. */
#define DJ_ORDER_RULE "ABBA"

/* Fills builds × (warmups + runs) slots. The warm-ups come first and alternate. The runs
 * of two builds follow in blocks of four. The seed decides whether a block is ABBA or
 * BAAB, so that neither build has a fixed position. An odd last pair is AB or BA, decided
 * in the same way. */
void dj_order_draw(size_t builds, int64_t warmups, int64_t runs, uint64_t seed,
                   struct dj_order_slot *slots);

#endif
