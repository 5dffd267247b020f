/* Groups events of a trace by thread or CPU. */
#ifndef DEJANK_TRIAGE_INDEX_GROUP_H
#define DEJANK_TRIAGE_INDEX_GROUP_H

#include "triage/index/index.h"

/* Returns the index of the item's thread or CPU, or −1 to exclude the item. */
typedef ptrdiff_t dj_triage_group_key(const struct dj_triage_index *index, size_t item);

/* Sort the item numbers 0 … count − 1 by thread or CPU. Items of one thread or CPU keep
 * their order. Return an array that the caller frees. `member` is the offset of the
 * struct dj_triage_range, in struct dj_triage_thread or dj_triage_cpu, that receives the
 * range of each thread or CPU. */
uint32_t *dj_triage_group_by_thread(struct dj_triage_index *index, size_t count,
                                    dj_triage_group_key *key, size_t member);
uint32_t *dj_triage_group_by_cpu(struct dj_triage_index *index, size_t count,
                                 dj_triage_group_key *key, size_t member);

/* Returns the thread's index in index->threads, or −1 if the thread is unknown. */
ptrdiff_t dj_triage_find_thread_place(const struct dj_triage_index *index, uint32_t tid);

/* As dj_triage_find_thread_place(), for a signed id. Returns −1 if tid ≤ 0. */
ptrdiff_t dj_triage_find_known_thread_place(const struct dj_triage_index *index,
                                            int32_t tid);

#endif
