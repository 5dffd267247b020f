/* Changes of level in a series. */
#ifndef DEJANK_STATS_CHANGE_H
#define DEJANK_STATS_CHANGE_H

#include <stddef.h>

#include "stats/shift.h"

/* A change between two segments. */
struct dj_change {
    size_t index; /* of the first point after the change; from 0 */
    size_t from;  /* start of the segment before the change, which ends at index */
    size_t to;    /* end of the segment after the change */
    double
        shift; /* after − before: of the neighbouring segments, by Hodges and Lehmann */
    struct dj_bounds bounds; /* of shift, at rules.level */
    double p;                /* exact Mann–Whitney of the two segments */
    int direction;           /* 1: numbers became larger, −1: smaller */
    double before, after;    /* medians of the two segments */
};

struct dj_change_points {
    struct dj_change *changes; /* by increasing index; owned */
    size_t count;
    struct dj_change *hints; /* by increasing index; owned; none if correlation is 0. from
                                and to are limited by hints and changes */
    size_t hint_count;
    double noise;       /* estimated sd of one point about its segment; 0: none */
    double correlation; /* ρ of neighbouring points that the rules allowed for: 0 … 0.7 */
};

#endif
