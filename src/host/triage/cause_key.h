/* Computes the key under which a piece of a frame is counted. */
#ifndef DEJANK_TRIAGE_CAUSE_KEY_H
#define DEJANK_TRIAGE_CAUSE_KEY_H

#include "triage/collection.h"

struct dj_triage_key dj_triage_key_compute(struct dj_triage *triage,
                                           const struct dj_triage_index *index,
                                           const struct dj_triage_piece *piece);

/* Returns the key's place in triage->keys and adds it if it is new. */
uint32_t dj_triage_key_add(struct dj_triage *triage, const struct dj_triage_key *key);

/* Returns a thread's name, or its id if it has none; "" for 0. */
const char *dj_triage_get_thread_name(struct dj_triage *triage,
                                      const struct dj_triage_index *index, uint32_t tid);

/* Returns the thread's name without its trailing number: threads of one family that had
 * the CPU are counted together. */
const char *dj_triage_get_family_name(struct dj_triage *triage,
                                      const struct dj_triage_index *index, uint32_t tid);

#endif
