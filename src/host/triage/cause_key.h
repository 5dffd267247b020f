/* Computes the key to which the time of a piece of a critical path is added. */
#ifndef DEJANK_TRIAGE_CAUSE_KEY_H
#define DEJANK_TRIAGE_CAUSE_KEY_H

#include "triage/collection.h"

struct dj_triage_key dj_triage_key_compute(struct dj_triage *triage,
                                           const struct dj_triage_index *index,
                                           const struct dj_triage_piece *piece);

/* Adds the key if it is new. Returns its index in triage->keys. */
uint32_t dj_triage_key_add(struct dj_triage *triage, const struct dj_triage_key *key);

/* Returns the thread's name, or its id if the thread has no name, or "" if tid is 0. */
const char *dj_triage_get_thread_name(struct dj_triage *triage,
                                      const struct dj_triage_index *index, uint32_t tid);

/* Returns the thread's name without its trailing number, so that for example all threads
 * "pool-N" share one name. */
const char *dj_triage_get_family_name(struct dj_triage *triage,
                                      const struct dj_triage_index *index, uint32_t tid);

#endif
