/* How fast CPUs ran, and how fast they could have run. */
#ifndef DEJANK_TRIAGE_INDEX_CPU_SPEEDS_H
#define DEJANK_TRIAGE_INDEX_CPU_SPEEDS_H

#include "triage/index/index.h"

/* The speed of a CPU at a time, and the speed that was expected. */
struct dj_triage_pace {
    int64_t khz; /* Frequency, or 0 if it is unknown. */
    /* The frequency that was expected, or 0 if the CPU was fast enough. */
    int64_t expected_khz;
    bool is_limited; /* True if a frequency limit kept the CPU below expected_khz. */
    /* Highest frequency of this CPU if the CPU is of a slower kind than others. Otherwise
     * 0. */
    int64_t core_khz;
};

/* Sets speeds, clusters and highest frequencies of the index. */
void dj_triage_find_speeds(struct dj_triage_index *index);

/* Returns the speed from at_ns to *until_ns. The expected frequency is the highest of:
 * the CPU's full frequency if the CPU ran at a lower limit; the CPU's usual frequency if
 * it ran well below that; the usual frequency of all CPUs if this CPU is of a slower kind
 * than others. */
struct dj_triage_pace dj_triage_find_pace(const struct dj_triage_index *index,
                                          int32_t cpu, int64_t at_ns, int64_t *until_ns);

/* Returns the part of length_ns that the expected frequency would have saved. */
int64_t dj_triage_compute_lost_ns(const struct dj_triage_pace *pace, int64_t length_ns);

/* Running time at one frequency of one CPU, in frames that were in time. */
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

/* Sets the usual frequency of each CPU or cluster, and of all CPUs, to the median over
 * that time. Empties `paces`. */
void dj_triage_paces_set_usual(struct dj_triage_paces *paces,
                               struct dj_triage_index *index);

#endif
