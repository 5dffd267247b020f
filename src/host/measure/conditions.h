/* How a device is before and after a run: what its figures may depend on, and is none of
 * them. */
#ifndef DEJANK_MEASURE_CONDITIONS_H
#define DEJANK_MEASURE_CONDITIONS_H

#include "device/facts.h"
#include "store/store.h"

enum {
    DJ_CONDITIONS = 16,
    DJ_REASON = 240 /* bytes of a sentence that says why */
};

/* Unknown numbers are NAN. */
struct dj_conditions {
    struct dj_device_facts facts;
    double busy_pct;   /* of all cores, in a fifth of a second just now */
    double cpu_cap_hz; /* mean of what the cores may reach: falls as they are throttled */
    bool dim;          /* Android's battery saver */
};

/* Takes a fifth of a second and more. Errors as of dj_device_facts_read(); what was known
 * until then is there. */
int dj_conditions_read(struct dj_device *device, struct dj_conditions *conditions,
                       struct dj_error *err);

/* As the store keeps them; those that are known. Texts are those of `conditions`. */
size_t dj_conditions_list(const struct dj_conditions *conditions,
                          struct dj_condition list[DJ_CONDITIONS]);

/* The text of the probe: `cpu ` lines of /proc/stat twice, then the caps in kHz, one a
 * line. */
void dj_conditions_parse(const char *text, struct dj_conditions *conditions);

/* ---- what makes a run anomalous: never a frame figure ---- */

struct dj_condition_limits {
    double busy_pct;      /* other load before the run; above is anomalous */
    double battery_c;     /* warmer: wait for it to cool down */
    double drift_c;       /* of the battery, from the batch's first run */
    double cap_ratio;     /* cores may reach less than this share of the first run's */
    int thermal_wait;     /* Android's thermal status from which on we wait… */
    int thermal_overheat; /* …and from which on nothing counts */
    double overheat_c;    /* of the battery: nothing counts */
};

struct dj_condition_limits dj_condition_limits_default(void);

/* Writes why something holds, and returns true. */
bool dj_reason_set(char reason[DJ_REASON], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Is the device too warm to begin? `says` tells. */
bool dj_conditions_hot(const struct dj_conditions *now,
                       const struct dj_condition_limits *limits, char says[DJ_REASON]);

/* Overheated: the run counts not. */
bool dj_conditions_overheated(const struct dj_conditions *now,
                              const struct dj_condition_limits *limits,
                              char says[DJ_REASON]);

/* What it says of other load begins so. */
#define DJ_ANOMALY_LOAD "load: "

/* Is a run between these anomalous, of a batch whose first run began at `first`? */
bool dj_conditions_anomalous(const struct dj_conditions *first,
                             const struct dj_conditions *before,
                             const struct dj_conditions *after,
                             const struct dj_condition_limits *limits,
                             char says[DJ_REASON]);

#endif
