#include "trace/text/summary.h"

#include <stdio.h>
#include <string.h>

#include "trace/kernel_trace.h"
#include "trace/text/numbers.h"

void dj_text_summary_read_entries(struct dj_text_summary *summary, struct dj_str line)
{
    int64_t entries, written;
    struct dj_str rest;
    if (dj_line_skip_prefix(line, "# entries-in-buffer/entries-written: ", &line) &&
        dj_str_after(line, "/", &rest) &&
        dj_number_parse_int(dj_line_slice(line.at, rest.at - 1), &entries) &&
        dj_number_parse_int(dj_str_until(rest, " "), &written) && entries >= 0 &&
        written >= entries) {
        summary->entries += (uint64_t)entries;
        summary->written += (uint64_t)written;
    }
}

void dj_text_summary_add(struct dj_text_summary *summary,
                         const struct dj_text_summary *part, const char *place)
{
    if (summary->unreadable == 0 && part->unreadable > 0) {
        memcpy(summary->damage, part->damage, sizeof(summary->damage));
        summary->first_unreadable_line = place == NULL ? part->first_unreadable_line : 0;
        if (place != NULL && part->damage[0] == '\0') {
            snprintf(summary->damage, sizeof(summary->damage), "line %llu of %s",
                     (unsigned long long)part->first_unreadable_line, place);
        }
    }
    summary->events += part->events;
    summary->samples += part->samples;
    summary->listed += part->listed;
    summary->unreadable += part->unreadable;
    summary->entries += part->entries;
    summary->written += part->written;
    summary->without_flags |= part->without_flags;
}

/* Reports the clock. Some headers contain another name for a clock than the kernel does.
 */
static int report_clock(struct dj_str name, struct dj_event_sink sink)
{
    static const struct {
        const char *header_name, *name;
    } clocks[] = {{"LINUX_CLOCK_MONOTONIC", "mono"},
                  {"MONO", "mono"},
                  {"MONOTONIC", "mono"},
                  {"BOOT", "boot"},
                  {"monotonic (1)", "mono"},
                  {"monotonic_raw (4)", "mono_raw"},
                  {"boottime (7)", "boot"}};
    static const struct dj_trace_ring_time as_it_is = {0};
    for (size_t i = 0; i < COUNT_OF(clocks); i++) {
        if (dj_str_is(name, clocks[i].header_name)) {
            name = dj_str_of(clocks[i].name);
        }
    }
    return dj_trace_kernel_report_clock(name, &as_it_is, sink);
}

bool dj_text_clock_read_line(struct dj_text_clock *clock, struct dj_str line,
                             struct dj_event_sink sink, int *code)
{
    static const char *const titles[] = {
        "# clock_type=", "# clock: ", "# trace_clock: ", "# clockid: "};
    clock->of_kernel |= dj_str_begins(line, "# tracer:");
    for (size_t i = 0; i < COUNT_OF(titles); i++) {
        struct dj_str name;
        if (dj_line_skip_prefix(line, titles[i], &name)) {
            clock->is_known = true;
            *code = report_clock(name, sink);
            return true;
        }
    }
    return false;
}

int dj_text_clock_report_ticks(struct dj_text_clock *clock, struct dj_event_sink sink)
{
    struct dj_event event = dj_event_make(DJ_EVENT_CLOCK);
    event.state = 1;
    if (!clock->of_kernel || clock->is_known) {
        return 0;
    }
    clock->is_known = true;
    return sink.take(sink.user, &event);
}
