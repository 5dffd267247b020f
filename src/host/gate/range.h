/*
 * A range of devices. Each has its own verdict. One summary says on which of them it is
 * worse and which property only these share: "worse on 3 of 11 devices, all with ≤ 3 GB
 * of RAM". It never averages over devices, because a device with many runs or long frames
 * would dominate.
 *
 * The devices' own verdicts decide which devices are worse. Nothing is tested here. The
 * summary searches RAM, release, GPU, density and refresh rate, in this order, for a fact
 * with all worse devices on one side and all other known devices on the other. The result
 * describes these devices and does not prove a cause: with few devices a fact may
 * separate them by chance. `chance` says how easily.
 */
#ifndef DEJANK_GATE_RANGE_H
#define DEJANK_GATE_RANGE_H

#include "base/text.h"
#include "compare/verdict.h"
#include "facts/device.h"

/* One device of the range. */
struct dj_range_member {
    const char *name; /* its selector, or its model */
    enum dj_compare_verdict verdict;
    bool measured; /* both sides have it; else the verdict is undefined */
    const struct dj_device_facts *facts; /* NULL: nothing is known */
};

/* Facts that may separate devices. */
enum dj_range_fact {
    DJ_RANGE_RAM,     /* bytes */
    DJ_RANGE_RELEASE, /* Android's API level if known, else the release's text */
    DJ_RANGE_GPU,     /* text */
    DJ_RANGE_DENSITY, /* dpi */
    DJ_RANGE_REFRESH, /* Hz, the highest */
    DJ_RANGE_FACTS,
    DJ_RANGE_NOTHING = DJ_RANGE_FACTS
};

/* Returns "ram", "release", "gpu", "density" or "refresh". NULL for DJ_RANGE_NOTHING. */
const char *dj_gate_range_fact_name(enum dj_range_fact fact);

struct dj_range_summary {
    size_t devices; /* measured */
    size_t missing; /* not measured */
    size_t count[DJ_VERDICT_COUNT];
    enum dj_compare_verdict
        direction;                /* what the summary is about: the first of regression,
                                     likely-regression, improvement and likely-improvement that a device
                                     has; likely verdicts count with the hard ones; inconclusive or
                                     equivalent if no device has one of these */
    size_t chosen;                /* devices with that direction */
    enum dj_range_fact separates; /* separates them from the others; DJ_RANGE_NOTHING: no
                                     fact does, or all or no devices have the direction */
    bool at_most; /* they have at most `bound` and all others more; else at least `bound`
                     and all others less */
    double bound; /* of a number: outermost value of the chosen ones; NaN: a text */
    const char *text; /* of a text: the text that all chosen ones have, as given */
    double chance; /* upper bound, 0 … 1, of the chance that a random choice of as many
                      devices is separated by one of the facts tried; NaN: undefined */
};

/* Computes the summary. Any order of the members gives the same result. */
void dj_gate_range_summarise(const struct dj_range_member *members, size_t count,
                             struct dj_range_summary *summary);

/* Appends "worse on 3 of 11 devices, all with ≤ 3 GB of RAM; 2 not measured". */
void dj_gate_range_format(struct dj_text *text, const struct dj_range_summary *summary);

#endif
