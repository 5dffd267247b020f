#include "trace/kernel_trace.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "trace/text/numbers.h"

struct dj_str dj_trace_kernel_get_selected_clock(struct dj_str clocks)
{
    struct dj_str chosen;
    if (dj_str_after(clocks, "[", &chosen) &&
        memchr(chosen.at, ']', chosen.length) != NULL) {
        return dj_str_until(chosen, "]");
    }
    while (clocks.length > 0 && (clocks.at[clocks.length - 1] == '\n' ||
                                 clocks.at[clocks.length - 1] == '\0')) {
        clocks.length--;
    }
    return clocks;
}

/* Handles clocks that do not count nanoseconds. The clock "uptime" counts hundredths of a
 * second (USER_HZ), even if the kernel's own tick rate is different. */
bool dj_trace_kernel_get_clock_unit(struct dj_str name, struct dj_trace_ring_time *time)
{
    static const struct {
        const char *name;
        uint32_t ns_each; /* Length of a tick in ns, or 0 if unknown. */
    } units[] = {{"uptime", 10000000}, {"counter", 0}, {"x86-tsc", 0}, {"ppc-tb", 0}};
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        if (dj_str_is(name, units[i].name)) {
            time->multiplier = units[i].ns_each;
            time->shift = 0;
            return units[i].ns_each > 0;
        }
    }
    return true;
}

void dj_trace_kernel_finish(struct dj_trace_kernel *kernel)
{
    dj_trace_formats_finish(&kernel->formats);
    free(kernel->cpus);
    *kernel = (struct dj_trace_kernel){0};
}

struct dj_trace_ring_cpu *dj_trace_kernel_add_cpu(struct dj_trace_kernel *kernel,
                                                  int32_t cpu)
{
    if (kernel->cpu_count >= DJ_CPUS_MAX) {
        return NULL;
    }
    DJ_XPUSH(kernel->cpus, kernel->cpu_count, (struct dj_trace_ring_cpu){.cpu = cpu});
    return &kernel->cpus[kernel->cpu_count - 1];
}

/* Parses a line "TID REST". Returns false if the line has another form. */
static bool read_line(struct dj_str line, int32_t *tid, struct dj_str *rest)
{
    const char *space = line.length == 0 ? NULL : memchr(line.at, ' ', line.length);
    if (space == NULL) {
        return false;
    }
    *rest = dj_line_slice(space + 1, line.at + line.length);
    return dj_number_parse_id(dj_line_slice(line.at, space), tid);
}

/* Reports the threads in the lines. The lines have the form "TID NAME" if are_names is
 * true, and "TID PID" if it is false. */
static int report_lines(struct dj_str lines, bool are_names, struct dj_event_sink sink)
{
    const char *end = lines.at + lines.length;
    int code = 0;
    for (const char *at = lines.at; at < end && code == 0;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline != NULL ? newline : end;
        struct dj_event event = dj_event_make(DJ_EVENT_THREAD);
        struct dj_str rest;
        if (read_line(dj_line_slice(at, stop), &event.other, &rest)) {
            event.other_name = are_names ? rest : (struct dj_str){"", 0};
            bool fits =
                are_names ? rest.length > 0 : dj_number_parse_id(rest, &event.pid);
            code = fits ? sink.take(sink.user, &event) : 0;
        }
        at = stop + 1;
    }
    return code;
}

int dj_trace_kernel_report_names(struct dj_str lines, struct dj_event_sink sink)
{
    return report_lines(lines, true, sink);
}

int dj_trace_kernel_report_processes(struct dj_str lines, struct dj_event_sink sink)
{
    return report_lines(lines, false, sink);
}

int dj_trace_kernel_report_clock(struct dj_str clocks,
                                 const struct dj_trace_ring_time *time,
                                 struct dj_event_sink sink)
{
    struct dj_str name = dj_trace_kernel_get_selected_clock(clocks);
    struct dj_trace_ring_time by_name = {0};
    bool is_known = dj_trace_kernel_get_clock_unit(name, &by_name);
    struct dj_event event = dj_event_make(DJ_EVENT_CLOCK);
    event.at_ns = time->moved_ns;
    event.state =
        is_known ? time->multiplier != by_name.multiplier : time->multiplier == 0;
    event.other_name = name;
    if (dj_str_is(name, "mono")) {
        event.name = name;
    }
    return name.length == 0 ? 0 : sink.take(sink.user, &event);
}
