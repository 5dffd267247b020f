/*
 * Classes of devices, such as "low-end". A class is a set of conditions on the facts of a
 * device. Classes are built in or defined in a plan. No I/O.
 */
#ifndef DEJANK_FACTS_DEVICE_CLASS_H
#define DEJANK_FACTS_DEVICE_CLASS_H

#include "base/text.h"
#include "facts/device.h"

enum {
    DJ_CLASS_NEEDS = 12,  /* Maximum number of conditions of a class. */
    DJ_CLASSES_KNOWN = 6, /* Number of built-in classes. */
};

/* Facts that a condition can test. */
enum dj_class_fact {
    DJ_FACT_RAM, /* RAM in bytes. */
    DJ_FACT_CORES,
    DJ_FACT_CPU_HZ,  /* Maximum frequency of the fastest CPU. */
    DJ_FACT_API,     /* Android API level. */
    DJ_FACT_DENSITY, /* Density of the display in dpi. */
    DJ_FACT_REFRESH, /* Highest refresh rate that the display supports, in Hz. */
    /* Width of the display's shorter side in dp. Tablets have 600 dp or more. */
    DJ_FACT_WIDTH,
    DJ_FACT_EMULATOR, /* 1 for an emulator, 0 for a real device. */
    DJ_FACT_COUNT
};

/* A condition: the fact is in the interval from `least` to `most`. */
struct dj_class_need {
    enum dj_class_fact fact;
    double least, most; /* −∞ or ∞ if there is no limit. */
    /* `above` excludes `least` from the interval, and `below` excludes `most`. */
    bool above, below;
};

struct dj_device_class {
    const char *name; /* Name of the class, such as "low-end". */
    struct dj_class_need needs[DJ_CLASS_NEEDS];
    size_t need_count;
    /* Part of the model name that must occur, ignoring case. NULL if any model
     * matches. */
    const char *model;
};

/* Returns whether a device meets all conditions of a class. An unknown fact meets no
 * condition. */
bool dj_facts_class_matches(const struct dj_device_class *class,
                            const struct dj_device_facts *facts);

/* Returns the fact as a number, or NaN if it is unknown. */
double dj_facts_class_value(const struct dj_device_facts *facts, enum dj_class_fact fact);

/* Appends the conditions as text, such as "ram < 3 GB, width ≥ 600 dp". */
void dj_facts_class_format(struct dj_text *text, const struct dj_device_class *class);

/* Names of the facts in a plan, such as "ram", indexed by enum dj_class_fact.
 * dj_facts_class_keys[DJ_FACT_COUNT] is "model". */
extern const char *const dj_facts_class_keys[];
extern const size_t dj_facts_class_key_count;

/* Returns the unit in which output shows a fact, such as "GB", or "" if the fact has no
 * unit. */
const char *dj_facts_class_unit(enum dj_class_fact fact);

/* Parses a condition such as "< 3 GB", "2..4 GB" or "8 GB". For DJ_FACT_EMULATOR, parses
 * "yes" or "no". Returns false if the text is invalid. */
bool dj_facts_class_parse_need(const char *text, enum dj_class_fact fact,
                               struct dj_class_need *need);

/* dj_facts_class_find() returns the built-in class with a name, or NULL if there is none.
 * dj_facts_class_names() writes the names of all built-in classes and returns their
 * number. */
const struct dj_device_class *dj_facts_class_find(const char *name);
size_t dj_facts_class_names(const char *names[DJ_CLASSES_KNOWN]);

#endif
