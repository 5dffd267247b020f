#include "measure/run/conditions.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBE_NS (10 * DJ_SECOND_NS)

/* Reads all values with one command. If a device has no cpufreq, cat finds no file and
 * prints nothing. */
static const char probe[] =
    "head -n 1 /proc/stat; sleep 0.2; head -n 1 /proc/stat; "
    "cat /sys/devices/system/cpu/cpufreq/policy*/scaling_max_freq 2>/dev/null; true";

struct dj_condition_limits dj_conditions_default_limits(void)
{
    return (struct dj_condition_limits){
        .busy_pct = 80,
        .battery_c = 38,
        .drift_c = 6,
        .cap_ratio = 0.9,
        .thermal_wait = 2,
        .thermal_overheat = 3,
        .overheat_c = 45,
    };
}

/* Reads a line such as "cpu user nice system idle iowait irq softirq steal guest
 * guest_nice", in which each word stands for a number of clock ticks. */
static bool read_ticks(const char *line, double *busy, double *all)
{
    double ticks[8] = {0};
    const char *at = line + 3;
    for (size_t i = 0; i < 8; i++) {
        char *end;
        ticks[i] = strtod(at, &end);
        if (end == at) {
            return false;
        }
        at = end;
        *all += ticks[i];
    }
    *busy = *all - ticks[3] - ticks[4];
    return true;
}

void dj_conditions_parse(const char *text, struct dj_conditions *conditions)
{
    double busy[2] = {0}, all[2] = {0}, caps = 0;
    size_t line_count = 0, cores = 0;
    for (const char *line = text; line != NULL && *line != '\0';
         line = strchr(line, '\n'), line = line != NULL ? line + 1 : NULL) {
        if (strncmp(line, "cpu ", 4) == 0 && line_count < 2) {
            line_count += read_ticks(line, &busy[line_count], &all[line_count]) ? 1 : 0;
        } else if (*line >= '1' && *line <= '9') {
            caps += strtod(line, NULL);
            cores++;
        }
    }
    /* The load is rounded to one decimal. More decimals would have no meaning, because a
     * tick is a hundredth of a second and the load covers only 0.2 s. */
    conditions->busy_pct = line_count == 2 && all[1] > all[0]
                               ? round(1e3 * (busy[1] - busy[0]) / (all[1] - all[0])) / 10
                               : NAN;
    conditions->cpu_cap_hz = cores > 0 ? 1e3 * caps / (double)cores : NAN;
}

int dj_conditions_read(struct dj_device *device, struct dj_conditions *conditions,
                       struct dj_error *err)
{
    static const char *const command[] = {"sh", "-c", probe, NULL};
    struct dj_device_result result = {0};
    *conditions = (struct dj_conditions){.busy_pct = NAN, .cpu_cap_hz = NAN};
    int code = dj_device_read_facts(device, &conditions->facts, err);
    if (code == 0) {
        code = dj_device_run(device, command, PROBE_NS, &result, err);
    }
    if (code == DJ_E_UNSUPPORTED || code == DJ_E_NO_DATA) {
        /* The device is a replay of a recording that does not contain this command. */
        code = 0;
    } else if (code == 0) {
        dj_conditions_parse(dj_text_get(&result.out), conditions);
    }
    conditions->saves_power = conditions->facts.low_power == DJ_KNOWN_YES;
    dj_device_result_finish(&result);
    return code;
}

static double known_or_nan(int64_t value)
{
    return value >= 0 ? (double)value : NAN;
}

size_t dj_conditions_list(const struct dj_conditions *conditions,
                          struct dj_condition list[DJ_CONDITIONS])
{
    const struct dj_device_facts *facts = &conditions->facts;
    const struct dj_condition all[] = {
        {"battery", known_or_nan(facts->battery_pct), NULL, "%"},
        {"charging", known_or_nan(facts->charging), NULL, NULL},
        {"temperature-battery", facts->battery_c, NULL, "°C"},
        {"temperature-skin", facts->skin_c, NULL, "°C"},
        {"thermal-status", known_or_nan(facts->thermal_status), NULL, NULL},
        {"load", facts->load_per_core, NULL, "threads/core"},
        {"busy", conditions->busy_pct, NULL, "%"},
        {"cpu-cap", conditions->cpu_cap_hz, NULL, "Hz"},
        {"governor", NAN, facts->governor[0] != '\0' ? facts->governor : NULL, NULL},
        {"refresh", facts->refresh_hz > 0 ? facts->refresh_hz : NAN, NULL, "Hz"},
        {"screen-on", known_or_nan(facts->screen_on), NULL, NULL},
        {"low-power", known_or_nan(facts->low_power), NULL, NULL},
    };
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        if (!isnan(all[i].value) || all[i].text != NULL) {
            list[count++] = all[i];
        }
    }
    return count;
}

bool dj_conditions_set_reason(char reason[DJ_REASON], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, DJ_REASON, format, arguments);
    va_end(arguments);
    return true;
}

bool dj_conditions_is_too_warm(const struct dj_conditions *now,
                               const struct dj_condition_limits *limits,
                               char reason[DJ_REASON])
{
    const struct dj_device_facts *facts = &now->facts;
    if (facts->battery_c > limits->battery_c) {
        return dj_conditions_set_reason(reason,
                                        "the battery is at %.1f °C, above %.0f °C",
                                        facts->battery_c, limits->battery_c);
    }
    return facts->thermal_status >= limits->thermal_wait &&
           dj_conditions_set_reason(reason, "the device throttles (thermal status %d)",
                                    facts->thermal_status);
}

bool dj_conditions_is_overheated(const struct dj_conditions *now,
                                 const struct dj_condition_limits *limits,
                                 char reason[DJ_REASON])
{
    const struct dj_device_facts *facts = &now->facts;
    if (facts->battery_c >= limits->overheat_c) {
        return dj_conditions_set_reason(reason, "the battery is at %.1f °C",
                                        facts->battery_c);
    }
    return facts->thermal_status >= limits->thermal_overheat &&
           dj_conditions_set_reason(reason, "thermal status %d of 6",
                                    facts->thermal_status);
}

bool dj_conditions_is_anomalous(const struct dj_conditions *first,
                                const struct dj_conditions *before,
                                const struct dj_conditions *after,
                                const struct dj_condition_limits *limits,
                                char reason[DJ_REASON])
{
    double drift_c = after->facts.battery_c - first->facts.battery_c;
    if (before->busy_pct > limits->busy_pct) {
        return dj_conditions_set_reason(
            reason,
            DJ_ANOMALY_LOAD "other programs kept the CPUs %.0f %% busy before the run",
            before->busy_pct);
    }
    if (fabs(drift_c) > limits->drift_c) {
        return dj_conditions_set_reason(
            reason, "temperature: the battery differs by %+.1f °C from the first run",
            drift_c);
    }
    if (after->cpu_cap_hz < limits->cap_ratio * first->cpu_cap_hz) {
        return dj_conditions_set_reason(
            reason,
            "frequency: the maximum CPU frequency is %.0f %% of that in the first run",
            100 * after->cpu_cap_hz / first->cpu_cap_hz);
    }
    if (before->facts.charging >= 0 && after->facts.charging >= 0 &&
        before->facts.charging != after->facts.charging) {
        return dj_conditions_set_reason(
            reason, "power: the device was %s during the run",
            after->facts.charging == DJ_KNOWN_YES ? "plugged in" : "unplugged");
    }
    return (first->saves_power != before->saves_power ||
            before->saves_power != after->saves_power) &&
           dj_conditions_set_reason(reason,
                                    "power: battery saver was switched on or off");
}
