#include "trace/text_told.h"

#include <stdio.h>
#include <string.h>

#include "trace/kernel.h"
#include "trace/numbers.h"

void dj_trace_told_entries(struct dj_trace_told *told, struct dj_str line)
{
    static const char title[] = "# entries-in-buffer/entries-written: ";
    int64_t entries, written;
    const char *slash =
        memchr(line.at + sizeof(title) - 1, '/', line.length - (sizeof(title) - 1));
    if (slash == NULL) {
        return;
    }
    const char *end = memchr(slash, ' ', (size_t)(line.at + line.length - slash));
    end = end != NULL ? end : line.at + line.length;
    const char *from = line.at + sizeof(title) - 1;
    if (dj_number_int((struct dj_str){from, (size_t)(slash - from)}, &entries) &&
        dj_number_int((struct dj_str){slash + 1, (size_t)(end - slash - 1)}, &written) &&
        entries >= 0 && written >= entries) {
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
