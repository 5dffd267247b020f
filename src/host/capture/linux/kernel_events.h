/* The kernel events that a capture enables, and their categories. */
#ifndef DEJANK_CAPTURE_LINUX_KERNEL_EVENTS_H
#define DEJANK_CAPTURE_LINUX_KERNEL_EVENTS_H

#include <stdbool.h>

#include "base/text.h"
#include "capture/capture.h"

struct dj_kernel_event {
    const char *category; /* Name of the category for --category. */
    const char *group, *name;
    const char *limit; /* What a capture without this event cannot show, or NULL if its
                        * absence need not be reported. */
};

/* Returns the plan's next event after `event`, or its first event if `event` is NULL.
 * Returns NULL after the last one. Thread switches are always included. */
const struct dj_kernel_event *
dj_kernel_events_find_next(const struct dj_capture_plan *plan,
                           const struct dj_kernel_event *event);

/* Appends the contents of a file of the event. `dir` is tracefs or an instance.
 * Returns 0 or an error of dj_tracefs_read(). */
int dj_kernel_events_read_file(int dir, const struct dj_kernel_event *event,
                               const char *file, struct dj_text *text);

#endif
