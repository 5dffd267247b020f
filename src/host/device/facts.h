/*
 * What a device is and how it is: the conditions of a measurement, and what stands in the
 * way of one. What is unknown is "", −1 (NAN for doubles) or DJ_KNOWN_NOT, never 0.
 */
#ifndef DEJANK_DEVICE_FACTS_H
#define DEJANK_DEVICE_FACTS_H

#include "device/adb_list.h"

enum { DJ_FACTS_RATES = 16 };

/* Yes, no, or nobody said. */
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

/*
 * Asks the device, a dozen short commands on Android and two on Linux. What it does not
 * tell stays unknown and is no error; DJ_E_GONE, DJ_E_TIMEOUT (after some 10 s),
 * DJ_E_INTERRUPTED. *facts is whole also after an error: what was known until then.
 */
int dj_device_facts_read(struct dj_device *device, struct dj_device_facts *facts,
                         struct dj_error *err);

/* Something that stands in the way of measuring. */
struct dj_device_obstacle {
    char name[32]; /* stable, for scripts: "screen-off", "locked", "animation-scale"… */
    char says[200];    /* for a person */
    char command[400]; /* mends it, ready for a shell; "" where only hands can */
    bool blocks;       /* nothing can be measured so; else figures are worse for it */
};

enum { DJ_OBSTACLES_MAX = 20 };

/* Fills at most DJ_OBSTACLES_MAX, the blocking ones first; how many. `name` is the
 * device's, as adb takes it, or "local:". */
size_t dj_device_obstacles(const char *name, const struct dj_device_facts *facts,
                           struct dj_device_obstacle *obstacles);

#endif
