/* The kernel stamps its events by its own CLOCK_MONOTONIC; in a time namespace
 * (containers, `unshare --time`) ours stands off it. Of this room only. */
#ifndef DEJANK_CAPTURE_KERNEL_CLOCK_H
#define DEJANK_CAPTURE_KERNEL_CLOCK_H

#include <stddef.h>

#include "trace/event.h"

/* Our CLOCK_MONOTONIC less the kernel's; 0 where nothing tells of a difference. */
int64_t dj_kernel_clock_offset_ns(void);

/* The same from the text of /proc/self/timens_offsets. */
int64_t dj_kernel_clock_offset_of(const char *text, size_t length);

struct dj_kernel_clock {
    struct dj_event_sink sink;
    int64_t offset_ns;
};

/* A sink's `take`: events of the kernel go on to `sink`, by our clock. */
int dj_kernel_clock_take(void *kernel_clock, const struct dj_event *event);

#endif
