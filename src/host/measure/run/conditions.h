/* The state of a device before and after a run: conditions that may influence the figures
 * and that no figure includes. */
#ifndef DEJANK_MEASURE_RUN_CONDITIONS_H
#define DEJANK_MEASURE_RUN_CONDITIONS_H

#include "device/facts.h"
#include "store/store.h"

enum {
    DJ_CONDITIONS = 16,
    DJ_REASON = 240 /* bytes of a sentence with a reason */
};

/* Unknown numbers are NAN. */
struct dj_conditions {
    struct dj_device_facts facts;
    double busy_pct;   /* load of all CPUs during the last 0.2 s */
    double cpu_cap_hz; /* mean of the CPUs' present maximum frequencies; throttling lowers
                        * it */
    bool saves_power;  /* Android's battery saver is on */
};

/* Reads the conditions. Takes at least 0.2 s. Returns the errors of
 * dj_device_read_facts(); the fields read before an error are set. */
int dj_conditions_read(struct dj_device *device, struct dj_conditions *conditions,
                       struct dj_error *err);

/* Lists the known conditions as the store keeps them. The strings belong to `conditions`.
 * Returns their number. */
size_t dj_conditions_list(const struct dj_conditions *conditions,
                          struct dj_condition list[DJ_CONDITIONS]);

/* Parses the output of the probe: the `cpu` lines of /proc/stat twice, then the maximum
 * frequencies in kHz, one per line. */
void dj_conditions_parse(const char *text, struct dj_conditions *conditions);

/* Limits that make a run anomalous. None of them is a frame figure. */

struct dj_condition_limits {
    double busy_pct;      /* maximum of other load before the run */
    double battery_c;     /* above this temperature, wait until the battery cools down */
    double drift_c;       /* maximum change of the battery temperature since the batch's
                           * first run */
    double cap_ratio;     /* minimum share of the first run's maximum CPU frequency */
    int thermal_wait;     /* Android's thermal status from which dejank waits */
    int thermal_overheat; /* Android's thermal status from which no run counts */
    double overheat_c;    /* battery temperature from which no run counts */
};

struct dj_condition_limits dj_conditions_default_limits(void);

/* Writes a reason. Returns true. */
bool dj_conditions_set_reason(char reason[DJ_REASON], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns whether the device is too warm to begin a run. `reason` receives the reason. */
bool dj_conditions_is_too_warm(const struct dj_conditions *now,
                               const struct dj_condition_limits *limits,
                               char reason[DJ_REASON]);

/* Returns whether the device is so hot that the run does not count. */
bool dj_conditions_is_overheated(const struct dj_conditions *now,
                                 const struct dj_condition_limits *limits,
                                 char reason[DJ_REASON]);

/* Reasons about other load begin with this text. */
#define DJ_ANOMALY_LOAD "load: "

/* Returns whether a run between these conditions is anomalous. `first` are the conditions
 * before the batch's first run. */
bool dj_conditions_is_anomalous(const struct dj_conditions *first,
                                const struct dj_conditions *before,
                                const struct dj_conditions *after,
                                const struct dj_condition_limits *limits,
                                char reason[DJ_REASON]);

#endif
