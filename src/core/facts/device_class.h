/*
 * Classes of devices, such as "low-end": conditions on the facts of a device, from a plan
 * or built in. Pure.
 */
#ifndef DEJANK_FACTS_DEVICE_CLASS_H
#define DEJANK_FACTS_DEVICE_CLASS_H

#include "base/text.h"
#include "facts/device.h"

enum {
    DJ_CLASS_NEEDS = 12,  /* conditions of one class */
    DJ_CLASSES_KNOWN = 6, /* built-in classes */
};

/* The facts that a class can restrict. */
enum dj_class_fact {
    DJ_FACT_RAM, /* bytes */
    DJ_FACT_CORES,
    DJ_FACT_CPU_HZ,   /* maximum of the fastest CPU */
    DJ_FACT_API,      /* Android's */
    DJ_FACT_DENSITY,  /* dpi */
    DJ_FACT_REFRESH,  /* Hz: the highest rate that the display supports */
    DJ_FACT_WIDTH,    /* of the shorter side, dp: 600 and more is a tablet */
    DJ_FACT_EMULATOR, /* 1 yes, 0 no */
    DJ_FACT_COUNT
};

/* A condition: least ≤ the fact ≤ most, without a bound if it is excluded. */
struct dj_class_need {
    enum dj_class_fact fact;
    double least, most; /* −∞, ∞: no bound */
    bool above, below;  /* the bound itself is excluded */
};

struct dj_device_class {
    const char *name; /* "low-end" */
    struct dj_class_need needs[DJ_CLASS_NEEDS];
    size_t need_count;
    const char *model; /* part of the name of the model, ignoring case; NULL: any */
};

/* Returns whether a device belongs to a class. An unknown fact meets no condition. */
bool dj_facts_class_matches(const struct dj_device_class *class,
                            const struct dj_device_facts *facts);

/* Returns the fact as a number, NaN if it is unknown. */
double dj_facts_class_value(const struct dj_device_facts *facts, enum dj_class_fact fact);

/* Appends "ram < 3 GB, width ≥ 600 dp". */
void dj_facts_class_format(struct dj_text *text, const struct dj_device_class *class);

/* Names of the facts in a plan: "ram", …; the one at DJ_FACT_COUNT is "model". */
extern const char *const dj_facts_class_keys[];
extern const size_t dj_facts_class_key_count;

/* Returns the unit in which a fact is shown: "GB"; "": none. */
const char *dj_facts_class_unit(enum dj_class_fact fact);

/* Parses "< 3 GB", "2..4 GB", "8 GB"; "yes" and "no" for an emulator. Returns false for
 * anything else. */
bool dj_facts_class_parse_need(const char *text, enum dj_class_fact fact,
                               struct dj_class_need *need);

/* Finds a built-in class: "low-end", "high-end", "tablet", "phone", "high-refresh",
 * "any". NULL: there is none of that name. */
const struct dj_device_class *dj_facts_class_find(const char *name);
size_t dj_facts_class_names(const char *names[DJ_CLASSES_KNOWN]);

#endif
