/* The state of a device before and after a run: conditions that may influence the figures
 * but are not part of them. */
#ifndef DEJANK_MEASURE_RUN_CONDITIONS_H
#define DEJANK_MEASURE_RUN_CONDITIONS_H

#include "device/facts.h"
#include "store/store.h"

enum {
    DJ_CONDITIONS = 16,
    DJ_REASON = 240 /* Size in bytes of a sentence with a reason. */
};

/* Numbers that are unknown are NAN. */
struct dj_conditions {
    struct dj_device_facts facts;
    double busy_pct; /* Load of all CPUs during 0.2 s, in percent. */
    /* Mean of the CPUs' current maximum frequencies. Throttling lowers it. */
    double cpu_cap_hz;
    bool saves_power; /* Android's battery saver is on. */
};

/* Reads the conditions, which takes at least 0.2 s. Returns the errors of
 * dj_device_read_facts(). Members that were read before an error are set. */
int dj_conditions_read(struct dj_device *device, struct dj_conditions *conditions,
                       struct dj_error *err);

/* Lists the known conditions in the form in which they are stored. Returns their number.
 * The strings belong to `conditions`. */
size_t dj_conditions_list(const struct dj_conditions *conditions,
                          struct dj_condition list[DJ_CONDITIONS]);

/* Parses the output of the probe: the `cpu` line of /proc/stat twice, and then the
 * maximum frequencies in kHz, one per line. */
void dj_conditions_parse(const char *text, struct dj_conditions *conditions);

/* Limits beyond which a run is anomalous. They apply to conditions only, never to frame
 * figures. */
struct dj_condition_limits {
    double busy_pct; /* Maximum load by other programs before the run, in percent. */
    /* Above this temperature, runs wait until the battery has cooled down. */
    double battery_c;
    /* Maximum difference of the battery's temperature from the first run of the batch. */
    double drift_c;
    /* Minimum of the maximum CPU frequency, as a fraction of that in the first run. */
    double cap_ratio;
    int thermal_wait; /* At this thermal status of Android and above, runs wait. */
    /* At this thermal status of Android and above, runs do not count. */
    int thermal_overheat;
    double overheat_c; /* At this battery temperature and above, runs do not count. */
};

struct dj_condition_limits dj_conditions_default_limits(void);

/* Formats a reason. Always returns true. */
bool dj_conditions_set_reason(char reason[DJ_REASON], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns whether the device is too warm to begin a run, and if so stores why in
 * `reason`. */
bool dj_conditions_is_too_warm(const struct dj_conditions *now,
                               const struct dj_condition_limits *limits,
                               char reason[DJ_REASON]);

/* Returns whether the device is so hot that the run does not count, and if so stores why
 * in `reason`. */
bool dj_conditions_is_overheated(const struct dj_conditions *now,
                                 const struct dj_condition_limits *limits,
                                 char reason[DJ_REASON]);

/* Reasons about the load by other programs begin with this text. */
#define DJ_ANOMALY_LOAD "load: "

/* Returns whether a run between the conditions `before` and `after` is anomalous, and if
 * so stores why in `reason`. `first` are the conditions before the batch's first run. */
bool dj_conditions_is_anomalous(const struct dj_conditions *first,
                                const struct dj_conditions *before,
                                const struct dj_conditions *after,
                                const struct dj_condition_limits *limits,
                                char reason[DJ_REASON]);

#endif
