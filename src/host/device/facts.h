/* What a device is and how it is: the conditions of a measurement, and what stands in the
 * way of one. */
#ifndef DEJANK_DEVICE_FACTS_H
#define DEJANK_DEVICE_FACTS_H

#include "device/device.h"

enum { DJ_FACTS_RATES = 16, DJ_FACTS_UNKNOWN = -1 };

/* Yes, no, or nobody said. */
enum dj_known { DJ_KNOWN_NOT = -1, DJ_KNOWN_NO = 0, DJ_KNOWN_YES = 1 };

/* What is unknown is "", DJ_FACTS_UNKNOWN (-1; NAN for doubles) or DJ_KNOWN_NOT, never 0.
 */
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
    char dumpsys[64];                /* version of dejank's own dumpsys there */
    double refresh_hz;               /* now */
    double rates_hz[DJ_FACTS_RATES]; /* what the display can do, ascending */
    size_t rate_count;
    int width_px, height_px; /* as apps see it: an override counts */
    int density_dpi;
    int64_t ram_bytes;
    char cpu[96]; /* its name, where one is told */
    int cores;
    int64_t cpu_max_hz; /* the fastest core's highest */
    char governor[96];  /* of all cores, "schedutil" or "powersave,performance" */
    char gpu[160];
    enum dj_known emulator;
    int battery_pct;
    enum dj_known charging; /* or full, on a supply */
    double battery_c;       /* its temperature */
    double hottest_c;   /* highest of the thermal sensors that tell the device's heat */
    int thermal_status; /* Android's 0 (none) … 6 (shutdown) */
    enum dj_known screen_on, locked, low_power, developer_options, stay_awake;
    double animation_scale[3]; /* window, transition, animator */
    double load;               /* runnable threads per core, of the last minute */
    int64_t asked_ns;          /* how long the questions took */
};

/* All unknown. */
void dj_device_facts_init(struct dj_device_facts *facts);

/*
 * Asks the device, in few commands (one shell round trip on Android, then what that
 * release has). What it does not tell stays unknown and is no error; DJ_E_GONE,
 * DJ_E_TIMEOUT (after some 10 s), DJ_E_INTERRUPTED. *facts is whole also after an error:
 * what was known until then.
 */
int dj_device_facts_read(struct dj_device *device, struct dj_device_facts *facts,
                         struct dj_error *err);

/* Something that stands in the way of measuring. */
struct dj_device_obstacle {
    char name[32]; /* stable, for scripts: "screen-off", "locked", "animation-scale"… */
    char says[200];    /* for a person */
    char command[240]; /* mends it, ready for a shell; "" where only hands can */
    bool blocks;       /* nothing can be measured so; else figures are worse for it */
};

enum { DJ_OBSTACLES_MAX = 16 };

/* Fills at most DJ_OBSTACLES_MAX, the blocking ones first; how many. `name` is the
 * device's, as adb takes it. */
size_t dj_device_obstacles(const char *name, const struct dj_device_facts *facts,
                           struct dj_device_obstacle *obstacles);

/* A device that the adb server knows. */
struct dj_device_entry {
    char serial[128];
    char state[64]; /* "device", "offline", "unauthorized", "no permissions", … */
    char model[64]; /* as adb tells it; "" where it does not */
};

/* The devices adb knows, at most `maximum`, in adb's order; what `adb:*` means are those
 * in state "device". Starts the server where none runs. DJ_E_NOT_FOUND where there is no
 * adb. */
int dj_device_list(struct dj_device_entry *entries, size_t maximum, size_t *count,
                   struct dj_error *err);

#endif
