/* The order of the runs of one or two builds. Runs of two builds are interleaved, so that
 * drift (heat, caches, other load) affects both equally. */
#ifndef DEJANK_MEASURE_RUN_ORDER_H
#define DEJANK_MEASURE_RUN_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A run in the order. */
struct dj_order_slot {
    size_t build;   /* 0: A, 1: B */
    int64_t number; /* number among the build's runs or warm-ups; from 1 */
    bool warmup;
};

/* Name of the rule, as stored: "ABBA". */
#define DJ_ORDER_RULE "ABBA"

/* Fills builds × (warmups + runs) slots. The warm-ups come first, alternating. Two builds
 * then alternate in blocks of four: the seed decides whether a block is ABBA or BAAB, so
 * that no build has a fixed position. An odd last pair is drawn in the same way. */
void dj_order_draw(size_t builds, int64_t warmups, int64_t runs, uint64_t seed,
                   struct dj_order_slot *slots);

#endif
