/* Groups the events of a trace by thread or by CPU. */
#ifndef DEJANK_TRIAGE_INDEX_GROUP_H
#define DEJANK_TRIAGE_INDEX_GROUP_H

#include "triage/index/index.h"

/* Returns the index of the thread or CPU to which the item belongs, or −1 if the item
 * should be left out. */
typedef ptrdiff_t dj_triage_group_key(const struct dj_triage_index *index, size_t item);

/* Sort the numbers 0 … count − 1 of items by the thread or CPU to which each item
 * belongs. Items of the same thread or CPU keep their order. Return the sorted numbers.
 * The caller frees the array. `member` is the offset of a struct dj_triage_range in
 * struct dj_triage_thread or struct dj_triage_cpu. This range is set for each thread or
 * CPU. */
uint32_t *dj_triage_group_by_thread(struct dj_triage_index *index, size_t count,
                                    dj_triage_group_key *key, size_t member);
uint32_t *dj_triage_group_by_cpu(struct dj_triage_index *index, size_t count,
                                 dj_triage_group_key *key, size_t member);

/* Returns the thread's index in index->threads, or −1 if the thread is unknown. */
ptrdiff_t dj_triage_find_thread_place(const struct dj_triage_index *index, uint32_t tid);

/* Returns the thread's index in index->threads, as dj_triage_find_thread_place() does.
 * Accepts a signed id, and returns −1 if tid is 0 or less. */
ptrdiff_t dj_triage_find_known_thread_place(const struct dj_triage_index *index,
                                            int32_t tid);

#endif
