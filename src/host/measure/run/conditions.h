/* The conditions of a device before and after a run, for example its temperature. They
 * may influence the measured figures but are not part of them. */
#ifndef DEJANK_MEASURE_RUN_CONDITIONS_H
#define DEJANK_MEASURE_RUN_CONDITIONS_H

#include "device/facts.h"
#include "store/store.h"

enum {
    DJ_CONDITIONS = 16,
    /* Size in bytes of a text that contains a reason, including the NUL. */
    DJ_REASON = 240
};

/* The conditions of a device. A number is NAN if it is unknown. */
struct dj_conditions {
    struct dj_device_facts facts;
    double busy_pct; /* Load of all CPUs in percent, measured during 0.2 s. */
    /* Mean of the frequencies to which the CPUs are currently limited. Thermal throttling
     * lowers these limits. */
    double cpu_cap_hz;
    bool saves_power; /* True if Android's battery saver is on. */
};

/* Reads the conditions. Blocks for at least 0.2 s. Returns the errors of
 * dj_device_read_facts(). After an error, the members that were already read are set. */
int dj_conditions_read(struct dj_device *device, struct dj_conditions *conditions,
                       struct dj_error *err);

/* Fills `list` with the known conditions, in the form in which the store contains them.
 * Returns their number. The strings belong to `conditions`. */
size_t dj_conditions_list(const struct dj_conditions *conditions,
                          struct dj_condition list[DJ_CONDITIONS]);

/* Sets the conditions from the output of the probe command. The output contains the `cpu`
 * line of /proc/stat twice, and then one line per CPU group with its maximum frequency in
 * kHz. */
void dj_conditions_parse(const char *text, struct dj_conditions *conditions);

/* Limits for the conditions. A run outside of a limit is anomalous or does not count.
 * Frame figures have no limits, because selecting runs by their results would falsify the
 * results. */
struct dj_condition_limits {
    double busy_pct; /* Maximum load by other programs before the run, in percent. */
    /* Runs wait while the battery is warmer than this temperature. */
    double battery_c;
    /* Maximum difference between the battery's temperature and its temperature in the
     * first run of the batch. */
    double drift_c;
    /* Minimum of cpu_cap_hz, as a fraction of cpu_cap_hz in the first run. */
    double cap_ratio;
    /* Runs wait while Android's thermal status is this value or higher. */
    int thermal_wait;
    /* A run does not count if Android's thermal status is this value or higher. */
    int thermal_overheat;
    /* A run does not count if the battery has this temperature or a higher one. */
    double overheat_c;
};

struct dj_condition_limits dj_conditions_default_limits(void);

/* Writes a formatted text to `reason`. Returns true, so that a rule can return the
 * result. */
bool dj_conditions_set_reason(char reason[DJ_REASON], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns true if the device is too warm to begin a run. Writes the reason to `reason`.
 */
bool dj_conditions_is_too_warm(const struct dj_conditions *now,
                               const struct dj_condition_limits *limits,
                               char reason[DJ_REASON]);

/* Returns true if the device is so hot that the run does not count. Writes the reason to
 * `reason`. */
bool dj_conditions_is_overheated(const struct dj_conditions *now,
                                 const struct dj_condition_limits *limits,
                                 char reason[DJ_REASON]);

/* Start of each reason that reports a load by other programs. */
#define DJ_ANOMALY_LOAD "load: "

/* Returns true if a run is anomalous, and writes the reason to `reason`. `before` and
 * `after` are the conditions before and after the run. `first` are the conditions before
 * the first run of the batch. */
bool dj_conditions_is_anomalous(const struct dj_conditions *first,
                                const struct dj_conditions *before,
                                const struct dj_conditions *after,
                                const struct dj_condition_limits *limits,
                                char reason[DJ_REASON]);

#endif
