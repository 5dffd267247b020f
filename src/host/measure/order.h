/* In which order the runs of one or two builds are made: interleaved, so that what drifts
 * meanwhile — heat, caches, other load — meets both alike. */
#ifndef DEJANK_MEASURE_ORDER_H
#define DEJANK_MEASURE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A run to be made. */
struct dj_order_slot {
    size_t build;   /* 0: A, 1: B */
    int64_t number; /* of the build's runs, or of its warm-ups; from 1 */
    bool warmup;
};

/* How the order is drawn, in a word for the store: "ABBA". */
#define DJ_ORDER_RULE "ABBA"

/*
 * Fills builds × (warmups + runs) slots: warm-ups first, in turn; then, of two builds,
 * blocks of four, each ABBA or BAAB as the seed draws it, so that neither has a place of
 * its own in them. An odd last pair is drawn, too.
 */
void dj_order_draw(size_t builds, int64_t warmups, int64_t runs, uint64_t seed,
                   struct dj_order_slot *slots);

#endif
