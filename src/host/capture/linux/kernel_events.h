/* The kernel events that a capture enables, and their categories. */
#ifndef DEJANK_CAPTURE_LINUX_KERNEL_EVENTS_H
#define DEJANK_CAPTURE_LINUX_KERNEL_EVENTS_H

#include <stdbool.h>

#include "base/text.h"
#include "capture/capture.h"

struct dj_kernel_event {
    /* Name of the event's category, as the option --category accepts it. */
    const char *category;
    const char *group, *name;
    /* Text that says what the trace lacks if the kernel does not have this event, or
     * NULL if this is not reported. */
    const char *limit;
    /* Filter of the kernel for this event, or NULL. A kernel that does not know a field
     * of the filter records all of the events. */
    const char *filter;
};

/* Returns the event of the plan that follows `event`, or the first event of the plan if
 * `event` is NULL. Returns NULL after the last event. Every plan contains the context
 * switches. */
const struct dj_kernel_event *
dj_kernel_events_find_next(const struct dj_capture_plan *plan,
                           const struct dj_kernel_event *event);

/* Appends the contents of a file in the event's folder to `text`, for example "format".
 * `dir` is a descriptor of tracefs or of a tracing instance. Returns 0 or an error of
 * dj_tracefs_read(). */
int dj_kernel_events_read_file(int dir, const struct dj_kernel_event *event,
                               const char *file, struct dj_text *text);

#endif
