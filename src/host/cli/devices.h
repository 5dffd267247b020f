/* Many devices asked at once what they are, and what they answered. */
#ifndef DEJANK_CLI_DEVICES_H
#define DEJANK_CLI_DEVICES_H

#include "device/facts.h"

struct dj_asked_device {
    char name[512]; /* as the user or adb names it */
    struct dj_device_facts facts;
    struct dj_error error; /* code 0: it was asked all; else why not */
    struct dj_device_obstacle obstacles[DJ_OBSTACLES_MAX];
    size_t obstacle_count;
};

/*
 * Fills everything but the names, of those whose facts.state is "" or "device"; others
 * are known by their state alone. Returns once all have answered or their time, some 15
 * s, is over. `record` NULL: no recording; else a folder, in which each device has one of
 * its own.
 */
void dj_ask_devices(struct dj_asked_device *devices, size_t count, const char *record);

/* Nothing stands in the way of measuring on it. */
bool dj_asked_ready(const struct dj_asked_device *device);

/* ---- for people and for scripts ---- */

/* A table of one line per device, and below it what stands in the way of measuring and
 * the commands that mend it. */
void dj_devices_text(struct dj_text *text, const struct dj_asked_device *devices,
                     size_t count);

/* dejank.devices/1 (docs/format/devices.md). */
void dj_devices_json(struct dj_text *text, const struct dj_asked_device *devices,
                     size_t count);

/* null where it is unknown. */
void dj_devices_json_known(struct dj_text *text, const char *key, enum dj_known value);

/* A change while they are watched: "added", "changed", "removed". As a line. */
void dj_devices_event_text(struct dj_text *text, const char *event,
                           const struct dj_asked_device *device);
void dj_devices_event_json(struct dj_text *text, const char *event,
                           const struct dj_asked_device *device);

#endif
