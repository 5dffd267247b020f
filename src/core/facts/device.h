/*
 * facts: what is known of a device and of how a run ended, as plain data that every
 * module may pass on: no I/O, no clock. Asking a device is `device`'s job.
 *
 * This header: a device's properties and conditions. What is unknown is "", −1 (NAN for
 * doubles) or DJ_KNOWN_NOT, never 0.
 */
#ifndef DEJANK_FACTS_DEVICE_H
#define DEJANK_FACTS_DEVICE_H

#include <stddef.h>
#include <stdint.h>

enum { DJ_FACTS_RATES = 16 };

/* Yes, no, or unknown. */
enum dj_known { DJ_KNOWN_NOT = -1, DJ_KNOWN_NO = 0, DJ_KNOWN_YES = 1 };

struct dj_device_facts {
    char state[64];    /* as adb says it: "device", "offline", "unauthorized"…; "local",
                          "replay" */
    char platform[16]; /* "android", "linux" */
    char manufacturer[64], model[96];
    char release[96];        /* Android's ("14"), or os-release's PRETTY_NAME */
    int api;                 /* Android's */
    char security_patch[32]; /* "2024-03-05" */
    char build[160];         /* Android's fingerprint */
    char kernel[128];
    char dumpsys[64];                /* dejank's own dumpsys there: "dejank 0.1.0" */
    double refresh_hz;               /* now */
    double rates_hz[DJ_FACTS_RATES]; /* what the display can do, ascending */
    size_t rate_count;
    int width_px, height_px; /* as apps see it: an override counts */
    int density_dpi;
    int64_t ram_bytes;
    char cpu[96]; /* its name, where one is told */
    int cores;
    int64_t cpu_max_hz; /* the fastest core's highest */
    char governor[96];  /* of all cores: "schedutil", or "powersave,performance" */
    char cpufreq[48];   /* the driver that obeys it */
    char gpu[160];
    enum dj_known emulator;
    int battery_pct;
    enum dj_known charging; /* or full, on a supply */
    double battery_c;       /* its temperature */
    double skin_c;          /* of the case (Android), or of the hottest zone (Linux) */
    int thermal_status;     /* Android's: 0 (none) … 6 (shutdown) */
    enum dj_known screen_on, locked, low_power, developer_options, stays_awake;
    double animation_scale[3]; /* window, transition, animator */
    double load_per_core;      /* runnable threads, of the last minute */
    int64_t asked_ns;          /* how long the questions took */
};

/* All unknown. */
void dj_device_facts_init(struct dj_device_facts *facts);

/* Something of a device that has a name and a value, as a store keeps it. */
struct dj_fact {
    const char *name;  /* "ram", "gpu", "density", "refresh-rates" */
    const char *value; /* as text: "8127" */
    const char *unit;  /* "MB"; NULL or "": none */
};

enum { DJ_FACTS_LISTED = 16 };

struct dj_fact_list {
    struct dj_fact fact[DJ_FACTS_LISTED];
    size_t count;
    char numbers[DJ_FACTS_LISTED][48]; /* what values may point to */
};

/* Lists what lasts of a device and is known. The list lives as long as *facts and must
 * not be copied: its values point to both. */
void dj_facts_list(const struct dj_device_facts *facts, struct dj_fact_list *list);

/* Sets what one entry of such a list says; others, and values that are not valid, change
 * nothing. RAM without a unit is in KiB, as in MangoHud's logs. */
void dj_facts_set(struct dj_device_facts *facts, const struct dj_fact *fact);

/* Completes facts that were set from a list: model and release (NULL: unknown), and that
 * a device of which the API level is known is no emulator unless the list says so. */
void dj_facts_set_system(struct dj_device_facts *facts, const char *model,
                         const char *release);

#endif
