/* The kernel events of each category that a capture enables. */
#ifndef DEJANK_CAPTURE_LINUX_KERNEL_EVENTS_H
#define DEJANK_CAPTURE_LINUX_KERNEL_EVENTS_H

#include <stdbool.h>

#include "base/text.h"
#include "capture/capture.h"

struct dj_kernel_event {
    const char *category; /* as in --category */
    const char *group, *name;
    const char *limit; /* what a capture without it cannot show; NULL: nothing to
                        * report */
};

/* Returns the plan's next event after `event` (NULL: its first), or NULL. Thread switches
 * are always enabled. */
const struct dj_kernel_event *
dj_kernel_events_find_next(const struct dj_capture_plan *plan,
                           const struct dj_kernel_event *event);

/* Appends the contents of a file of the event in tracefs or in an instance. Errors as
 * dj_tracefs_read(). */
int dj_kernel_events_read_file(int dir, const struct dj_kernel_event *event,
                               const char *file, struct dj_text *text);

#endif
