/* The kernel's events that a capture asks for, by category. Of this room only. */
#ifndef DEJANK_CAPTURE_EVENTS_H
#define DEJANK_CAPTURE_EVENTS_H

#include <stdbool.h>

#include "base/text.h"
#include "capture/capture.h"

struct dj_kernel_event {
    const char *category; /* as a person says it */
    const char *group, *name;
    bool usual;        /* taken where no category was asked for */
    const char *limit; /* what a capture without it cannot show; NULL: nothing to tell */
};

/* All of them, ended by a row without a category. */
extern const struct dj_kernel_event dj_kernel_events[];

/* Whether the plan asks for it. Switches of threads always are. */
bool dj_kernel_event_wanted(const struct dj_capture_plan *plan,
                            const struct dj_kernel_event *event);

#endif
