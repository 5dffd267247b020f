/* Changes of level in a series. */
#ifndef DEJANK_STATS_CHANGE_H
#define DEJANK_STATS_CHANGE_H

#include <stddef.h>

#include "stats/shift.h"

/* A change between two segments. */
struct dj_change {
    size_t index; /* of the first point after it; from 0 */
    size_t from;  /* where the segment before it begins; it ends at index */
    size_t to;    /* behind the segment after it */
    double
        shift; /* after − before: of the neighbouring segments, by Hodges and Lehmann */
    struct dj_bounds bounds; /* of shift, at rules.level */
    double p;                /* exact Mann–Whitney of the two segments */
    int direction;           /* 1: numbers became larger, −1: smaller */
    double before, after;    /* medians of the two segments */
};

struct dj_change_points {
    struct dj_change *changes; /* by rising index; owned */
    size_t count;
    struct dj_change *hints; /* by rising index; owned; none where correlation is 0. from
                                and to: by hints and changes */
    size_t hint_count;
    double noise;       /* sd of one point about its segment, as estimated; 0: none */
    double correlation; /* ρ of neighbouring points that was allowed for: 0 … 0.7 */
};

#endif
