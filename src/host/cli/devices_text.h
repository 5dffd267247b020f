/* What devices answered, for people and for scripts. */
#ifndef DEJANK_CLI_DEVICES_TEXT_H
#define DEJANK_CLI_DEVICES_TEXT_H

#include "cli/devices_ask.h"

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
