/* The kernel's events that a capture asks for, by category. Of this room only. */
#ifndef DEJANK_CAPTURE_EVENTS_H
#define DEJANK_CAPTURE_EVENTS_H

#include <stdbool.h>

#include "base/text.h"
#include "capture/capture.h"

struct dj_kernel_event {
    const char *category; /* as a person says it */
    const char *group, *name;
    const char *limit; /* what a capture without it cannot show; NULL: nothing to tell */
};

/* The next event after this one (NULL: the first one) that the plan asks for; NULL: there
 * is none. Switches of threads are always taken. */
const struct dj_kernel_event *dj_kernel_event_next(const struct dj_capture_plan *plan,
                                                   const struct dj_kernel_event *event);

/* Appends what tracefs, or an instance of it, says in that file of the event. As
 * dj_tracefs_read(). */
int dj_kernel_event_read(int dir, const struct dj_kernel_event *event, const char *file,
                         struct dj_text *text);

#endif
