/*
 * facts: what is known about a device and about how a run ended, as plain data that every
 * module may pass on. No I/O, no clock. The module `device` reads facts from a device.
 *
 * This header: properties and conditions of a device. Unknown values are "", −1 (NAN for
 * doubles) or DJ_KNOWN_UNKNOWN, never 0.
 */
#ifndef DEJANK_FACTS_DEVICE_H
#define DEJANK_FACTS_DEVICE_H

#include <stddef.h>
#include <stdint.h>

enum { DJ_FACTS_RATES = 16 };

/* Yes, no, or unknown. */
enum dj_known { DJ_KNOWN_UNKNOWN = -1, DJ_KNOWN_NO = 0, DJ_KNOWN_YES = 1 };

struct dj_device_facts {
    char state[64]; /* as adb reports it: "device", "offline", "unauthorized"…; "local",
                       "replay" */
    char platform[16]; /* "android", "linux" */
    char manufacturer[64], model[96];
    char release[96];        /* Android's ("14"), or os-release's PRETTY_NAME */
    int api;                 /* Android's */
    char security_patch[32]; /* "2024-03-05" */
    char build[160];         /* Android's fingerprint */
    char kernel[128];
    char dumpsys[64];  /* version of dejank's dumpsys on it: "dejank 0.1.0" */
    double refresh_hz; /* now */
    double rates_hz[DJ_FACTS_RATES]; /* rates that the display supports, in ascending
                                        order */
    size_t rate_count;
    int width_px, height_px; /* as apps see it, with any override */
    int density_dpi;
    int64_t ram_bytes;
    char cpu[96]; /* its name; "": unknown */
    int cores;
    int64_t cpu_max_hz; /* maximum of the fastest CPU */
    char governor[96];  /* of all CPUs: "schedutil", or "powersave,performance" */
    char cpufreq[48];   /* CPU frequency driver */
    char gpu[160];
    enum dj_known emulator;
    int battery_pct;
    enum dj_known charging; /* or full, with a supply */
    double battery_c;       /* its temperature */
    double skin_c;          /* of the case (Android), or of the hottest zone (Linux) */
    int thermal_status;     /* Android's: 0 (none) … 6 (shutdown) */
    enum dj_known screen_on, locked, low_power, developer_options, stays_awake;
    double animation_scale[3]; /* window, transition, animator */
    double load_per_core; /* mean number of runnable threads per CPU in the last minute */
    int64_t asked_ns;     /* duration of reading the facts */
};

/* Sets all facts to unknown. */
void dj_facts_init(struct dj_device_facts *facts);

/* A property of a device with a name and a value, as stores contain it. */
struct dj_fact {
    const char *name;  /* "ram", "gpu", "density", "refresh-rates" */
    const char *value; /* as text: "8127" */
    const char *unit;  /* "MB"; NULL or "": none */
};

enum { DJ_FACTS_LISTED = 16 };

struct dj_fact_list {
    struct dj_fact fact[DJ_FACTS_LISTED];
    size_t count;
    char numbers[DJ_FACTS_LISTED][48]; /* buffers for values */
};

/* Lists the known facts that do not change. The list is valid as long as *facts and must
 * not be copied, because its values point into both. */
void dj_facts_list(const struct dj_device_facts *facts, struct dj_fact_list *list);

/* Sets the fact of one entry of such a list. Unknown names and invalid values change
 * nothing. RAM without a unit is in KiB, as in logs of MangoHud. */
void dj_facts_set(struct dj_device_facts *facts, const struct dj_fact *fact);

/* Completes facts that were set from a list: sets model and release (NULL: unknown), and
 * marks a device with a known API level as no emulator unless the list says otherwise. */
void dj_facts_set_system(struct dj_device_facts *facts, const char *model,
                         const char *release);

#endif
