/*
 * facts: data about a device, and about how a run ended. Plain structs that every module
 * may use. No I/O, no clock. The module `device` reads the facts from a device.
 *
 * This header: properties and state of a device. An unknown value is "" for text, −1 for
 * integers, NAN for doubles and DJ_KNOWN_UNKNOWN for enum dj_known. It is never 0.
 */
#ifndef DEJANK_FACTS_DEVICE_H
#define DEJANK_FACTS_DEVICE_H

#include <stddef.h>
#include <stdint.h>

enum { DJ_FACTS_RATES = 16 }; /* Maximum number of refresh rates of a display. */

/* Yes, no, or unknown. */
enum dj_known { DJ_KNOWN_UNKNOWN = -1, DJ_KNOWN_NO = 0, DJ_KNOWN_YES = 1 };

struct dj_device_facts {
    /* Connection state as adb reports it, such as "device", "offline" or "unauthorized".
     * "local" for this machine, "replay" for a recorded device. */
    char state[64];
    char platform[16]; /* Platform of the device: "android" or "linux". */
    char manufacturer[64], model[96];
    /* Android release, such as "14", or PRETTY_NAME of os-release on Linux. */
    char release[96];
    int api; /* Android API level. */
    /* Date of Android's security patches, such as "2024-03-05". */
    char security_patch[32];
    char build[160]; /* Android build fingerprint. */
    char kernel[128];
    /* Version of dejank's dumpsys on the device, such as "dejank 0.1.0". */
    char dumpsys[64];
    double refresh_hz; /* Current refresh rate. */
    /* Refresh rates that the display supports, in ascending order. */
    double rates_hz[DJ_FACTS_RATES];
    size_t rate_count;
    /* Display size that apps see, including an override by the user. */
    int width_px, height_px;
    int density_dpi;
    int64_t ram_bytes;
    char cpu[96]; /* Name of the CPU. */
    int cores;
    int64_t cpu_max_hz; /* Maximum frequency of the fastest CPU. */
    /* Frequency governors of all CPUs without duplicates, such as
     * "powersave,performance". */
    char governor[96];
    char cpufreq[48]; /* CPU frequency driver. */
    char gpu[160];
    enum dj_known emulator;
    int battery_pct;
    /* DJ_KNOWN_YES if the battery charges, or if it is full and a power supply is
     * connected. */
    enum dj_known charging;
    double battery_c; /* Battery temperature in °C. */
    /* Temperature in °C of the case (Android) or of the hottest thermal zone (Linux). */
    double skin_c;
    int thermal_status; /* Android's thermal status, from 0 (none) to 6 (shutdown). */
    enum dj_known screen_on, locked, low_power, developer_options, stays_awake;
    double animation_scale[3]; /* Scales of window, transition and animator animations. */
    /* Mean number of runnable threads per CPU in the last minute. */
    double load_per_core;
    int64_t asked_ns; /* Duration of reading the facts, in ns. */
};

/* Sets all facts to unknown. */
void dj_facts_init(struct dj_device_facts *facts);

/* A property of a device as name and value. Stores save facts in this form. */
struct dj_fact {
    /* Name of the fact, such as "ram", "gpu", "density" or "refresh-rates". */
    const char *name;
    const char *value; /* The value as text, such as "8127". */
    const char *unit;  /* Unit, such as "MB". NULL or "" if the value has no unit. */
};

enum { DJ_FACTS_LISTED = 16 };

struct dj_fact_list {
    struct dj_fact fact[DJ_FACTS_LISTED];
    size_t count;
    char numbers[DJ_FACTS_LISTED][48]; /* Buffers for values that are numbers. */
};

/* Lists the known facts that do not change while a device is in use. The values point
 * into *facts and *list, so the list is valid as long as both, and must not be copied. */
void dj_facts_list(const struct dj_device_facts *facts, struct dj_fact_list *list);

/* Sets one member of *facts from an element of a list that dj_facts_list() made.
 * Ignores unknown names and invalid values. RAM without a unit is in KiB, as in logs
 * of MangoHud. */
void dj_facts_set(struct dj_device_facts *facts, const struct dj_fact *fact);

/* Sets model and release, which a list does not contain. NULL means unknown. If the list
 * did not say whether the device is an emulator and the API level is known, sets
 * `emulator` to DJ_KNOWN_NO. Call this function after dj_facts_set(). */
void dj_facts_set_system(struct dj_device_facts *facts, const char *model,
                         const char *release);

#endif
