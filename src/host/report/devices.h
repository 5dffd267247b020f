/* Reports devices and obstacles to measuring on them, for people and for scripts. */
#ifndef DEJANK_REPORT_DEVICES_H
#define DEJANK_REPORT_DEVICES_H

#include "device/inquiry.h"
#include "report/document.h"

/* Adds to an empty document how many devices are ready, a table of the devices, and the
 * obstacles that prevent or worsen measurements. Adds the commands that remove the
 * obstacles. */
void dj_report_build_devices(struct dj_document *document,
                             const struct dj_inquired_device *devices, size_t count);

/* Appends JSON with schema dejank.devices/1 (docs/format/devices.md). */
void dj_report_devices_json(struct dj_text *text,
                            const struct dj_inquired_device *devices, size_t count);

/* Appends a member that is null if the fact is unknown. */
void dj_report_json_known_fact(struct dj_text *text, const char *key,
                               enum dj_known value);

/* Appends a change of a watched device as text: one line for the device, and then its
 * obstacles. `event` is "added", "changed" or "removed". */
void dj_report_device_event_text(struct dj_text *text, const char *event,
                                 const struct dj_inquired_device *device);

/* Appends a change of a watched device as JSON. */
void dj_report_device_event_json(struct dj_text *text, const char *event,
                                 const struct dj_inquired_device *device);

#endif
