/* Devices and what they can measure, for people and for scripts. */
#ifndef DEJANK_REPORT_DEVICES_H
#define DEJANK_REPORT_DEVICES_H

#include "device/inquiry.h"

/* Appends a table with a line per device, and the obstacles to measurements with the
 * commands that remove them. */
void dj_report_devices_text(struct dj_text *text,
                            const struct dj_inquired_device *devices, size_t count);

/* dejank.devices/1 (docs/format/devices.md). */
void dj_report_devices_json(struct dj_text *text,
                            const struct dj_inquired_device *devices, size_t count);

/* null where it is unknown. */
void dj_report_json_known_fact(struct dj_text *text, const char *key,
                               enum dj_known value);

/* A change while they are watched: "added", "changed", "removed". As a line. */
void dj_report_device_event_text(struct dj_text *text, const char *event,
                                 const struct dj_inquired_device *device);
void dj_report_device_event_json(struct dj_text *text, const char *event,
                                 const struct dj_inquired_device *device);

#endif
