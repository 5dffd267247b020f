/* Items of a trace by what they are of: a thread's states, a core's interrupts. Of this
 * room only. */
#ifndef DEJANK_TRIAGE_GROUP_H
#define DEJANK_TRIAGE_GROUP_H

#include "triage/index.h"

/* Items of a key in 0 … groups − 1, in their order; −1: left out. */
struct dj_triage_grouping {
    size_t count, groups;
    ptrdiff_t (*key)(const struct dj_triage_index *index, size_t item);
    uint32_t *order;                /* owned by the caller, … */
    struct dj_triage_range *ranges; /* … and so are these */
};

/* Sets order and ranges. */
void dj_triage_group(const struct dj_triage_index *index,
                     struct dj_triage_grouping *grouping);

/* A thread's place in index->threads; −1: there is none. */
ptrdiff_t dj_triage_place_of(const struct dj_triage_index *index, uint32_t tid);

#endif
