/* How fast cores were, and were let be. Of this room only. */
#ifndef DEJANK_TRIAGE_SPEEDS_H
#define DEJANK_TRIAGE_SPEEDS_H

#include "triage/index.h"

/* A core's speed at an instant. */
struct dj_triage_pace {
    int64_t khz;       /* 0: not told */
    int64_t ought_khz; /* what it is held against; 0: it ran as fast as it should */
    bool limited;      /* … since a limit held it below that */
    int64_t core_khz;  /* … since it never has more, and others do; 0: not so */
};

/* Fills the index's speeds. */
void dj_triage_speeds_find(struct dj_triage_index *index);

/* From at_ns to *until_ns. It is held against its full frequency where it ran at a limit
 * below that, against what is usual of it, where it ran well below, or, where its highest
 * is well below that of other cores, against what is usual of all: whichever is most. */
struct dj_triage_pace dj_triage_pace_at(const struct dj_triage_index *index, int32_t cpu,
                                        int64_t at_ns, int64_t *until_ns);

/* How long would have been saved of so much time at that speed. */
int64_t dj_triage_pace_lost(const struct dj_triage_pace *pace, int64_t length_ns);

/* How long frames in time ran at which speed; zero it, settle it. */
struct dj_triage_ran_at {
    uint32_t cpu;
    int64_t khz, ns;
};

struct dj_triage_paces {
    struct dj_triage_ran_at *all;
    size_t count;
};

void dj_triage_paces_add(struct dj_triage_paces *paces,
                         const struct dj_triage_index *index, int32_t cpu, int64_t khz,
                         int64_t length_ns);

/* What is usual of each core, or of those that change their frequency with it, and of
 * all, from now on: the median over that time. Empties `paces`. */
void dj_triage_paces_settle(struct dj_triage_paces *paces, struct dj_triage_index *index);

#endif
