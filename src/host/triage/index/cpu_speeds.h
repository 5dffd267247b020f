/* How fast CPUs ran, and how fast they could have run. */
#ifndef DEJANK_TRIAGE_INDEX_CPU_SPEEDS_H
#define DEJANK_TRIAGE_INDEX_CPU_SPEEDS_H

#include "triage/index/index.h"

/* A CPU's speed at a time. */
struct dj_triage_pace {
    int64_t khz;          /* 0: unknown */
    int64_t expected_khz; /* the frequency that it is compared with; 0: it ran as fast as
                           * it should */
    bool is_limited;      /* a limit kept the CPU below that */
    int64_t core_khz;     /* the highest of this CPU, if others are faster; 0: not the
                           * reason */
};

/* Fills the index's speeds, clusters and highest frequencies. */
void dj_triage_find_speeds(struct dj_triage_index *index);

/* Returns the pace from at_ns to *until_ns. It is compared with the CPU's full frequency
 * if it ran at a lower limit, with the CPU's usual frequency if it ran well below that,
 * or with the usual frequency of all CPUs if its highest is well below that of others.
 * The highest of these counts. */
struct dj_triage_pace dj_triage_find_pace(const struct dj_triage_index *index,
                                          int32_t cpu, int64_t at_ns, int64_t *until_ns);

/* Returns how much of length_ns would have been saved at expected speed. */
int64_t dj_triage_compute_lost_ns(const struct dj_triage_pace *pace, int64_t length_ns);

/* How long frames that were in time ran at each speed. Zero-initialise it, and end with
 * dj_triage_paces_set_usual(). */
struct dj_triage_pace_time {
    uint32_t cpu;
    int64_t khz, ns;
};

struct dj_triage_paces {
    struct dj_triage_pace_time *all;
    size_t count;
};

void dj_triage_paces_add(struct dj_triage_paces *paces,
                         const struct dj_triage_index *index, int32_t cpu, int64_t khz,
                         int64_t length_ns);

/* Sets the usual frequency of each CPU, or of each cluster, and of all CPUs: the median
 * over that time. Empties `paces`. */
void dj_triage_paces_set_usual(struct dj_triage_paces *paces,
                               struct dj_triage_index *index);

#endif
