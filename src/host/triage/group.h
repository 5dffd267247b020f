/* Items of a trace by what they are of: a thread's states, a core's interrupts. Of this
 * room only. */
#ifndef DEJANK_TRIAGE_GROUP_H
#define DEJANK_TRIAGE_GROUP_H

#include "triage/index.h"

/* The place of an item's thread or CPU in the index; −1: it is left out. */
typedef ptrdiff_t dj_triage_group_key(const struct dj_triage_index *index, size_t item);

/* Sorts the numbers 0 … count − 1 of items by thread or CPU; those of one keep their
 * order. Returns them, owned by the caller. `member`: the offset of the struct
 * dj_triage_range in struct dj_triage_thread or dj_triage_cpu that receives the part of
 * each. */
uint32_t *dj_triage_group_by_thread(struct dj_triage_index *index, size_t count,
                                    dj_triage_group_key *key, size_t member);
uint32_t *dj_triage_group_by_cpu(struct dj_triage_index *index, size_t count,
                                 dj_triage_group_key *key, size_t member);

/* A thread's place in index->threads; −1: there is none. */
ptrdiff_t dj_triage_place_of(const struct dj_triage_index *index, uint32_t tid);

/* The same of the thread of a mark, which may be unknown (≤ 0). */
ptrdiff_t dj_triage_place_of_known(const struct dj_triage_index *index, int32_t tid);

#endif
