#include "capture/linux/kernel_clock.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "capture/linux/running.h"
#include "process/deadline.h"

/* Parses a text such as "monotonic 100000 500\nboottime …". The two numbers are seconds
 * and nanoseconds. */
int64_t dj_kernel_clock_parse_offset(const char *text, size_t length)
{
    char line[128];
    long long seconds, nanoseconds;
    const char *end = memchr(text, '\n', length);
    size_t size = end != NULL ? (size_t)(end - text) : length;
    snprintf(line, sizeof(line), "%.*s", (int)(size < sizeof(line) ? size : 0), text);
    if (sscanf(line, "monotonic %lld %lld", &seconds, &nanoseconds) != 2 ||
        seconds > INT64_MAX / 2 / DJ_SECOND_NS ||
        seconds < INT64_MIN / 2 / DJ_SECOND_NS) {
        return 0;
    }
    return dj_checked_add_saturated((int64_t)seconds * DJ_SECOND_NS,
                                    (int64_t)nanoseconds);
}

int64_t dj_kernel_clock_read_offset(void)
{
    char text[256];
    size_t length = dj_running_read_file("/proc/self/timens_offsets", text, sizeof(text));
    return dj_kernel_clock_parse_offset(text, length);
}

int dj_kernel_clock_convert(void *user, const struct dj_event *event)
{
    const struct dj_kernel_clock *clock = user;
    struct dj_event ours = *event;
    if (clock->offset_ns == 0 || event->kind == DJ_EVENT_THREAD) {
        return clock->sink.take(clock->sink.user, event);
    }
    ours.at_ns = dj_checked_add_saturated(event->at_ns, clock->offset_ns);
    if (event->kind == DJ_EVENT_TIMER_START) {
        ours.value = dj_checked_add_saturated(event->value, clock->offset_ns);
        ours.value_2 = dj_checked_add_saturated(event->value_2, clock->offset_ns);
    }
    return clock->sink.take(clock->sink.user, &ours);
}
