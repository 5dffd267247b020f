/* Computes the key of a piece. A piece is a part of a critical path. A key is a possible
 * cause to which the time of the piece is added. */
#ifndef DEJANK_TRIAGE_CAUSE_KEY_H
#define DEJANK_TRIAGE_CAUSE_KEY_H

#include "triage/collection.h"

struct dj_triage_key dj_triage_key_compute(struct dj_triage *triage,
                                           const struct dj_triage_index *index,
                                           const struct dj_triage_piece *piece);

/* Returns the index of the key in triage->keys. Adds the key if it is new. */
uint32_t dj_triage_key_add(struct dj_triage *triage, const struct dj_triage_key *key);

/* Returns the name of the thread, or its id as text if the thread has no name. Returns ""
 * if tid is 0. */
const char *dj_triage_get_thread_name(struct dj_triage *triage,
                                      const struct dj_triage_index *index, uint32_t tid);

/* Returns the name of the thread without its trailing number. For example, the threads
 * "pool-1" and "pool-2" have the same family name. */
const char *dj_triage_get_family_name(struct dj_triage *triage,
                                      const struct dj_triage_index *index, uint32_t tid);

#endif
