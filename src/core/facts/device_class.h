/*
 * Classes of devices: what a person calls "low-end" is conditions on the facts of a
 * device, as a plan says them, or one of the names that need no words. Pure.
 */
#ifndef DEJANK_FACTS_DEVICE_CLASS_H
#define DEJANK_FACTS_DEVICE_CLASS_H

#include "base/text.h"
#include "facts/device.h"

enum {
    DJ_CLASS_NEEDS = 12,  /* conditions of one class */
    DJ_CLASSES_KNOWN = 6, /* names that need no words */
};

/* What of a device a class may ask for. */
enum dj_class_fact {
    DJ_FACT_RAM, /* bytes */
    DJ_FACT_CORES,
    DJ_FACT_CPU_HZ,   /* the fastest core's highest */
    DJ_FACT_API,      /* Android's */
    DJ_FACT_DENSITY,  /* dpi */
    DJ_FACT_REFRESH,  /* Hz: the highest the display can do */
    DJ_FACT_WIDTH,    /* of the shorter side, dp: 600 and more is a tablet */
    DJ_FACT_EMULATOR, /* 1 yes, 0 no */
    DJ_FACT_COUNT
};

/* least ≤ the fact ≤ most, each bound itself only where it says so. */
struct dj_class_need {
    enum dj_class_fact fact;
    double least, most; /* −∞, ∞: no bound */
    bool above, below;  /* the bound is not part of it */
};

struct dj_device_class {
    const char *name; /* "low-end" */
    struct dj_class_need needs[DJ_CLASS_NEEDS];
    size_t need_count;
    const char *model; /* part of the model's name, whatever its case; NULL: any */
};

/* Whether a device is of a class. What is unknown of it meets no need. */
bool dj_device_class_holds(const struct dj_device_class *class,
                           const struct dj_device_facts *facts);

/* The fact as a number; NaN: unknown. */
double dj_class_fact_of(const struct dj_device_facts *facts, enum dj_class_fact fact);

/* Appends "ram < 3 GB, width ≥ 600 dp". */
void dj_device_class_words(struct dj_text *text, const struct dj_device_class *class);

/* How the facts are called in a plan: "ram", …; behind them, at DJ_FACT_COUNT, "model".
 */
extern const char *const dj_class_keys[];
extern const size_t dj_class_key_count;

/* The unit in which a fact is shown: "GB"; "": none. */
const char *dj_class_unit(enum dj_class_fact fact);

/* "< 3 GB", "2..4 GB", "8 GB"; of an emulator "yes", "no". False: it is none of these. */
bool dj_class_need_read(const char *text, enum dj_class_fact fact,
                        struct dj_class_need *need);

/* "low-end", "high-end", "tablet", "phone", "high-refresh", "any". NULL: none of them. */
const struct dj_device_class *dj_device_class_find(const char *name);
size_t dj_device_class_names(const char *names[DJ_CLASSES_KNOWN]);

#endif
