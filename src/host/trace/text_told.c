#include "trace/text_told.h"

#include <stdio.h>
#include <string.h>

#include "trace/kernel.h"
#include "trace/numbers.h"

void dj_trace_told_entries(struct dj_trace_told *told, struct dj_str line)
{
    int64_t entries, written;
    struct dj_str rest;
    if (dj_line_after(line, "# entries-in-buffer/entries-written: ", &line) &&
        dj_str_after(line, "/", &rest) &&
        dj_number_int(dj_line_slice(line.at, rest.at - 1), &entries) &&
        dj_number_int(dj_str_until(rest, " "), &written) && entries >= 0 &&
        written >= entries) {
        told->entries += (uint64_t)entries;
        told->written += (uint64_t)written;
    }
}

void dj_trace_told_add(struct dj_trace_told *told, const struct dj_trace_told *part,
                       const char *place)
{
    if (told->strange == 0 && part->strange > 0) {
        memcpy(told->damage, part->damage, sizeof(told->damage));
        told->first_strange = place == NULL ? part->first_strange : 0;
        if (place != NULL && part->damage[0] == '\0') {
            snprintf(told->damage, sizeof(told->damage), "line %llu of %s",
                     (unsigned long long)part->first_strange, place);
        }
    }
    told->events += part->events;
    told->listed += part->listed;
    told->strange += part->strange;
    told->entries += part->entries;
    told->written += part->written;
    told->without_flags |= part->without_flags;
}

/* ---- the clock ---- */

/* Also knows the names that headers use. */
static int tell(struct dj_str name, struct dj_event_sink sink)
{
    static const struct {
        const char *header_name, *name;
    } clocks[] = {{"LINUX_CLOCK_MONOTONIC", "mono"},
                  {"MONO", "mono"},
                  {"MONOTONIC", "mono"},
                  {"BOOT", "boot"}};
    static const struct dj_ring_time as_it_is = {0};
    for (size_t i = 0; i < COUNT_OF(clocks); i++) {
        if (dj_str_is(name, clocks[i].header_name)) {
            name = dj_str_of(clocks[i].name);
        }
    }
    return dj_kernel_tell_clock(name, &as_it_is, sink);
}

bool dj_text_clock_line(struct dj_text_clock *clock, struct dj_str line,
                        struct dj_event_sink sink, int *code)
{
    static const char *const titles[] = {"# clock_type=", "# clock: ", "# trace_clock: "};
    clock->of_kernel |= dj_str_begins(line, "# tracer:");
    for (size_t i = 0; i < COUNT_OF(titles); i++) {
        struct dj_str name;
        if (dj_line_after(line, titles[i], &name)) {
            clock->is_known = true;
            *code = tell(name, sink);
            return true;
        }
    }
    return false;
}

int dj_text_clock_counted(struct dj_text_clock *clock, struct dj_event_sink sink)
{
    struct dj_event event = dj_event_of(DJ_EVENT_CLOCK);
    event.state = 1;
    if (!clock->of_kernel || clock->is_known) {
        return 0;
    }
    clock->is_known = true;
    return sink.take(sink.user, &event);
}
