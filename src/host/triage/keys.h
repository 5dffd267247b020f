/* As what a piece of a frame counts. Of this room only. */
#ifndef DEJANK_TRIAGE_KEYS_H
#define DEJANK_TRIAGE_KEYS_H

#include "triage/collect.h"

struct dj_triage_key dj_triage_key_of(struct dj_triage *triage,
                                      const struct dj_triage_index *index,
                                      const struct dj_triage_piece *piece);

/* Its place in the struct dj_triage's keys. */
uint32_t dj_triage_key_number(struct dj_triage *triage, const struct dj_triage_key *key);

/* A thread's name, or its id; "" for 0. */
const char *dj_triage_thread_name(struct dj_triage *triage,
                                  const struct dj_triage_index *index, uint32_t tid);

/* The same without the number behind it: who ran on a core are counted by what they are
 * called, all of a family as one. */
const char *dj_triage_family_name(struct dj_triage *triage,
                                  const struct dj_triage_index *index, uint32_t tid);

#endif
