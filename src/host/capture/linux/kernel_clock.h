/* Converts times of kernel events. The kernel uses its own CLOCK_MONOTONIC. In a time
 * namespace (containers, `unshare --time`) the CLOCK_MONOTONIC of this process differs
 * from the kernel's by an offset. */
#ifndef DEJANK_CAPTURE_LINUX_KERNEL_CLOCK_H
#define DEJANK_CAPTURE_LINUX_KERNEL_CLOCK_H

#include <stddef.h>

#include "trace/event.h"

/* Returns the CLOCK_MONOTONIC of this process minus the kernel's, or 0 if no offset is
 * known. */
int64_t dj_kernel_clock_read_offset(void);

/* Parses the text of /proc/self/timens_offsets. Returns the offset, or 0 if there is
 * none. */
int64_t dj_kernel_clock_parse_offset(const char *text, size_t length);

struct dj_kernel_clock {
    struct dj_event_sink sink;
    int64_t offset_ns;
};

/* The function of an event sink. Passes each event on to `sink`, with the time
 * converted to the clock of this process. */
int dj_kernel_clock_convert(void *kernel_clock, const struct dj_event *event);

#endif
