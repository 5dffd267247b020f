/* The kernel stamps its events with its own CLOCK_MONOTONIC. In a time namespace
 * (containers, `unshare --time`) ours has an offset to it. */
#ifndef DEJANK_CAPTURE_LINUX_KERNEL_CLOCK_H
#define DEJANK_CAPTURE_LINUX_KERNEL_CLOCK_H

#include <stddef.h>

#include "trace/event.h"

/* Returns our CLOCK_MONOTONIC minus the kernel's; 0 if no offset is known. */
int64_t dj_kernel_clock_read_offset(void);

/* Reads the same from the text of /proc/self/timens_offsets. */
int64_t dj_kernel_clock_parse_offset(const char *text, size_t length);

struct dj_kernel_clock {
    struct dj_event_sink sink;
    int64_t offset_ns;
};

/* A sink's `take`: passes the kernel's events to `sink` with our clock. */
int dj_kernel_clock_convert(void *kernel_clock, const struct dj_event *event);

#endif
