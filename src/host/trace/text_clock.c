#include "trace/text_clock.h"

#include <string.h>

#include "trace/kernel.h"

/* By the names that it has in headers, too. */
static int tell(struct dj_str name, struct dj_event_sink sink)
{
    static const struct {
        const char *told, *name;
    } clocks[] = {{"LINUX_CLOCK_MONOTONIC", "mono"},
                  {"MONO", "mono"},
                  {"mono", "mono"},
                  {"MONOTONIC", "mono"},
                  {"BOOT", "boot"}};
    static const struct dj_ring_time as_it_is = {0};
    struct dj_str known = name;
    for (size_t i = 0; i < COUNT_OF(clocks); i++) {
        if (dj_str_is(name, clocks[i].told)) {
            known = dj_str_of(clocks[i].name);
        }
    }
    return dj_kernel_tell_clock(known, &as_it_is, sink);
}

bool dj_text_clock_line(struct dj_text_clock *clock, struct dj_str line,
                        struct dj_event_sink sink, int *code)
{
    static const char *const titles[] = {"# clock_type=", "# clock: ", "# trace_clock: "};
    clock->of_kernel |= dj_str_begins(line, "# tracer:");
    for (size_t i = 0; i < COUNT_OF(titles); i++) {
        size_t length = strlen(titles[i]);
        if (dj_str_begins(line, titles[i])) {
            clock->told = true;
            *code = tell((struct dj_str){line.at + length, line.length - length}, sink);
            return true;
        }
    }
    return false;
}

int dj_text_clock_counted(struct dj_text_clock *clock, struct dj_event_sink sink)
{
    const struct dj_event event = {
        .kind = DJ_EVENT_CLOCK, .state = 1, .pid = DJ_PID_UNKNOWN, .cpu = -1};
    if (!clock->of_kernel || clock->told) {
        return 0;
    }
    clock->told = true;
    return sink.take(sink.user, &event);
}
