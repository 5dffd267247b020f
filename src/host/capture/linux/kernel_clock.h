/* Converts the times of kernel events to the CLOCK_MONOTONIC of this process. In a time
 * namespace (containers, `unshare --time`), the CLOCK_MONOTONIC of this process differs
 * from the kernel's CLOCK_MONOTONIC by a constant offset. */
#ifndef DEJANK_CAPTURE_LINUX_KERNEL_CLOCK_H
#define DEJANK_CAPTURE_LINUX_KERNEL_CLOCK_H

#include <stddef.h>

#include "trace/event.h"

/* Returns the offset: CLOCK_MONOTONIC of this process minus CLOCK_MONOTONIC of the
 * kernel. Returns 0 if the offset is unknown. */
int64_t dj_kernel_clock_read_offset(void);

/* Parses the text of /proc/self/timens_offsets. Returns the offset, or 0 if there is
 * none. */
int64_t dj_kernel_clock_parse_offset(const char *text, size_t length);

struct dj_kernel_clock {
    struct dj_event_sink sink;
    int64_t offset_ns;
};

/* Converts the time of each event to the CLOCK_MONOTONIC of this process, and passes the
 * event to `sink`. This is an event sink function, and `kernel_clock` is a struct
 * dj_kernel_clock. */
int dj_kernel_clock_convert(void *kernel_clock, const struct dj_event *event);

#endif
