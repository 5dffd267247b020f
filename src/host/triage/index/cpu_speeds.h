/* Finds how fast CPUs ran, and how fast they could have run. */
#ifndef DEJANK_TRIAGE_INDEX_CPU_SPEEDS_H
#define DEJANK_TRIAGE_INDEX_CPU_SPEEDS_H

#include "triage/index/index.h"

/* The speed of a CPU at a time, and the speed at which it was expected to run. */
struct dj_triage_pace {
    int64_t khz; /* Frequency, or 0 if it is unknown. */
    /* Frequency that was expected, or 0 if the CPU was not slower than expected. */
    int64_t expected_khz;
    /* True if the CPU was below expected_khz because of a frequency limit. */
    bool is_limited;
    /* Highest frequency of the CPU, if other CPUs have a higher one. Otherwise 0. */
    int64_t core_khz;
};

/* Sets the members of the index about speeds and clusters, and the highest frequencies.
 */
void dj_triage_find_speeds(struct dj_triage_index *index);

/* Returns the speed of a CPU, which is valid from at_ns to *until_ns. The expected
 * frequency is the highest one of these:
 * - the CPU's full frequency, if a limit kept the CPU below it
 * - the CPU's usual frequency, if the CPU ran well below it
 * - the usual frequency of all CPUs, if other CPUs are faster than this CPU. */
struct dj_triage_pace dj_triage_find_pace(const struct dj_triage_index *index,
                                          int32_t cpu, int64_t at_ns, int64_t *until_ns);

/* Returns the part of length_ns that would have been saved at the expected frequency. */
int64_t dj_triage_compute_lost_ns(const struct dj_triage_pace *pace, int64_t length_ns);

/* Running time of one CPU at one frequency, during frames that were in time. */
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

/* Sets the usual frequencies of the index: the median for each CPU or cluster, and the
 * median for all CPUs. Empties `paces`. */
void dj_triage_paces_set_usual(struct dj_triage_paces *paces,
                               struct dj_triage_index *index);

#endif
