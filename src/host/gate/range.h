/*
 * A range of devices: each has its own verdict, and then one summary that says on which
 * of them it is worse and what these have in common that no other has — "worse on 3 of 11
 * devices, all with ≤ 3 GB of RAM". Never a pooled average: a device with many runs, or
 * with long frames, would speak for all.
 *
 * Which devices are worse is what their own verdicts say; nothing is tested here. What
 * separates them is looked for among RAM, release, GPU, density and refresh rate, in this
 * order, and told where all worse devices lie on one side and all others that are known
 * on the other. It describes these devices, and is no proof of a cause: with few devices
 * a fact may separate them by chance, and `chance` says how easily.
 */
#ifndef DEJANK_GATE_RANGE_H
#define DEJANK_GATE_RANGE_H

#include "base/text.h"
#include "compare/verdict.h"
#include "facts/device.h"

/* One device of the range. */
struct dj_range_member {
    const char *name; /* its selector, or its model */
    enum dj_judgement verdict;
    bool measured; /* both sides have it; else the verdict means nothing */
    const struct dj_device_facts *facts; /* NULL: nothing is known */
};

/* What may tell devices apart. */
enum dj_range_fact {
    DJ_RANGE_RAM,     /* bytes */
    DJ_RANGE_RELEASE, /* Android's API level where it is known, else the release's text */
    DJ_RANGE_GPU,     /* text */
    DJ_RANGE_DENSITY, /* dpi */
    DJ_RANGE_REFRESH, /* Hz: the highest */
    DJ_RANGE_FACTS,
    DJ_RANGE_NOTHING = DJ_RANGE_FACTS
};

/* "ram", "release", "gpu", "density", "refresh"; NULL of nothing. */
const char *dj_range_fact_name(enum dj_range_fact fact);

struct dj_range_summary {
    size_t devices; /* measured */
    size_t missing; /* not */
    size_t count[DJ_VERDICT_COUNT];
    enum dj_judgement direction;  /* what the summary is about: the first of regression,
                                   likely-regression, improvement, likely-improvement that
                                   a device has, the likely ones counted with the hard;
                                   inconclusive or equivalent where none has */
    size_t chosen;                /* devices of that direction */
    enum dj_range_fact separates; /* them from the others; DJ_RANGE_NOTHING: none of the
                                     facts does, or all or none are of it */
    bool at_most;     /* they have ≤ bound, all others more; else ≥ and less */
    double bound;     /* of a number: the chosen ones' outermost; NaN: of a text */
    const char *text; /* of a text: what all chosen ones have; theirs, as given */
    double chance;    /* that of all ways to choose as many devices at random one of the
                         facts tried separates them so; an upper bound, 0 … 1; NaN */
};

/* Pure; any order of the members gives the same. */
void dj_range_summarise(const struct dj_range_member *members, size_t count,
                        struct dj_range_summary *summary);

/* Appends "worse on 3 of 11 devices, all with ≤ 3 GB of RAM; 2 not measured". */
void dj_range_words(struct dj_text *text, const struct dj_range_summary *summary);

#endif
