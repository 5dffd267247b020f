/*
 * Summarises the verdicts of several devices. The summary names the devices on which the
 * candidate is worse and a property that only these devices have: "worse on 3 of 11
 * devices, all with ≤ 3 GB of RAM". The summary never averages over devices, because a
 * device with many runs or long frames would dominate.
 *
 * Each device already has its own verdict. This module performs no further test. It
 * searches RAM, release, GPU, density and refresh rate, in this order, for a fact that
 * separates all worse devices from all other devices for which the fact is known. The
 * result describes these devices and does not prove a cause: with few devices a fact may
 * separate them by accident. `chance` is an upper bound of the probability of such an
 * accident.
 */
#ifndef DEJANK_GATE_RANGE_H
#define DEJANK_GATE_RANGE_H

#include "base/text.h"
#include "compare/verdict.h"
#include "facts/device.h"

/* One device of the range. */
struct dj_range_member {
    const char *name; /* The device's selector or model. */
    enum dj_compare_verdict verdict;
    /* True if both sides were measured on the device. If false, the verdict is
     * undefined. */
    bool measured;
    /* Facts of the device, or NULL if nothing is known about the device. */
    const struct dj_device_facts *facts;
};

/* Facts that may separate devices. */
enum dj_range_fact {
    DJ_RANGE_RAM, /* RAM in bytes. */
    /* Android's API level if known, else the text of the release. */
    DJ_RANGE_RELEASE,
    DJ_RANGE_GPU,     /* The name of the GPU, which is a text. */
    DJ_RANGE_DENSITY, /* Pixel density in dpi. */
    DJ_RANGE_REFRESH, /* The highest refresh rate in Hz. */
    DJ_RANGE_FACTS,
    DJ_RANGE_NOTHING = DJ_RANGE_FACTS
};

/* Returns "ram", "release", "gpu", "density" or "refresh", or NULL for
 * DJ_RANGE_NOTHING. */
const char *dj_gate_range_fact_name(enum dj_range_fact fact);

struct dj_range_summary {
    size_t devices; /* Number of devices that were measured. */
    size_t missing; /* Number of devices that were not measured. */
    size_t count[DJ_VERDICT_COUNT];
    /* The verdict that the summary describes. It is the first of regression,
     * likely-regression, improvement and likely-improvement that a device has. If no
     * device has one of these verdicts, `direction` is inconclusive or equivalent. */
    enum dj_compare_verdict direction;
    /* Number of chosen devices, which are those with this direction. A likely verdict has
     * the same direction as the verdict without "likely". */
    size_t chosen;
    /* The fact that separates the chosen devices from the others. DJ_RANGE_NOTHING if
     * there is no such fact, or if all or no devices are chosen. */
    enum dj_range_fact separates;
    /* True if the chosen devices have at most `bound` and all others more. False if the
     * chosen devices have at least `bound` and all others less. */
    bool at_most;
    /* For a fact that is a number, the value of a chosen device that is nearest to the
     * others. NaN for a text. */
    double bound;
    /* For a fact that is a text, the text that all chosen devices have. */
    const char *text;
    /* Upper bound, 0 … 1, of the chance that one of the facts separates a random choice
     * of the same number of devices. NaN if undefined. */
    double chance;
};

/* Computes the summary. The order of the members does not matter. */
void dj_gate_range_summarise(const struct dj_range_member *members, size_t count,
                             struct dj_range_summary *summary);

/* Appends a text such as "worse on 3 of 11 devices, all with ≤ 3 GB of RAM; 2 not
 * measured". */
void dj_gate_range_format(struct dj_text *text, const struct dj_range_summary *summary);

#endif
