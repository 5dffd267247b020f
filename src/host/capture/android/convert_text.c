#include <string.h>

#include "base/checked.h"
#include "base/str.h"
#include "capture/android/conversion.h"
#include "trace/pftrace_writer.h"
#include "trace/read.h"

enum { CPUS = 256 };

/* Reads seconds with up to nine decimals. Sets *ns to the time in ns. */
static bool read_seconds(struct dj_str text, int64_t *ns)
{
    struct dj_str digits;
    int64_t seconds, part = 0, scale = 1000000000;
    if (!dj_str_int(text, &seconds) || seconds < 0 || seconds > INT64_C(4000000000)) {
        return false;
    }
    if (dj_str_after(text, ".", &digits)) {
        for (size_t i = 0;
             i < digits.length && digits.at[i] >= '0' && digits.at[i] <= '9' && scale > 1;
             i++) {
            scale /= 10;
            part += (digits.at[i] - '0') * scale;
        }
    }
    *ns = seconds * 1000000000 + part;
    return true;
}

bool dj_conversion_parse_sync(const char *line, int64_t *at_ns, int64_t *mono_ns)
{
    struct dj_str all = {line, strlen(line)}, parent, cpu, stamp;
    if (!dj_str_after(all, "trace_event_clock_sync: parent_ts=", &parent) ||
        !dj_str_after(all, "] ", &cpu)) {
        return false;
    }
    stamp = dj_str_until(cpu, ":");
    const char *blank = stamp.length > 0 ? memrchr(stamp.at, ' ', stamp.length) : NULL;
    if (blank != NULL) {
        stamp.length -= (size_t)(blank + 1 - stamp.at);
        stamp.at = blank + 1;
    }
    return read_seconds(stamp, at_ns) && read_seconds(parent, mono_ns);
}

static int read_clock_mark(void *user, const struct dj_event *event)
{
    struct dj_trace_clock *clock = user;
    if (event->kind == DJ_EVENT_CLOCK && dj_str_is(event->name, "mono") &&
        !clock->known) {
        *clock = (struct dj_trace_clock){
            .known = true,
            .to_mono_ns = dj_checked_subtract_saturated(event->value, event->at_ns)};
    }
    /* The result DJ_E_INTERRUPTED ends the reading, because the clock is all that is
     * needed. */
    return clock->known ? DJ_E_INTERRUPTED : 0;
}

static struct dj_trace_clock find_clock(const struct dj_capture_conversion *conversion)
{
    struct dj_trace_clock clock = conversion->clock;
    struct dj_trace summary = {0};
    struct dj_error ignored = {0};
    if (!clock.known) {
        dj_trace_read_events(conversion->input,
                             (struct dj_event_sink){read_clock_mark, &clock}, &summary,
                             &ignored);
        dj_trace_finish(&summary);
    }
    return clock;
}

struct filter {
    struct dj_event_sink sink;
    /* Spans of time whose events are kept, in CLOCK_MONOTONIC, or NULL to keep all
     * events. */
    const struct dj_keep *keep;
    int64_t to_mono_ns; /* Offset to add to a time of the trace. */
    struct dj_capture_converted *converted;
    const struct dj_trace_writer *writer;
    int64_t maximum;  /* Maximum size of the output in bytes, or 0 if there is none. */
    int64_t first_ns; /* Time of the first event, or INT64_MAX if there was none. */
    bool in_gap;
    uint32_t gaps;
    uint32_t seen[CPUS]; /* For each CPU, the value of `gaps` at its last kept event. */
};

/* Returns true for events that stay valid after their own time, for example the name of a
 * thread. Such events are kept even outside of the spans. */
static bool is_lasting(const struct dj_event *event)
{
    return event->kind == DJ_EVENT_CLOCK || event->kind == DJ_EVENT_THREAD ||
           event->kind == DJ_EVENT_NEW_TASK || event->kind == DJ_EVENT_RENAME;
}

/* Passes a DJ_EVENT_LOST to the sink before the first event of a CPU after a gap. A
 * reader of the trace then knows that the CPU's activity in the gap is unknown. */
static int write_gap(struct filter *filter, const struct dj_event *event)
{
    if (event->cpu < 0 || event->cpu >= CPUS ||
        filter->seen[event->cpu] == filter->gaps) {
        return 0;
    }
    filter->seen[event->cpu] = filter->gaps;
    const struct dj_event lost = {.kind = DJ_EVENT_LOST,
                                  .at_ns = event->at_ns,
                                  .cpu = event->cpu,
                                  .pid = DJ_PID_UNKNOWN};
    return filter->sink.take(filter->sink.user, &lost);
}

static int filter_event(void *user, const struct dj_event *event)
{
    struct filter *filter = user;
    bool timed = event->kind != DJ_EVENT_THREAD && event->kind != DJ_EVENT_LOST;
    if (timed && event->at_ns < filter->first_ns) {
        filter->first_ns = event->at_ns;
    }
    if (filter->keep != NULL && !is_lasting(event)) {
        int64_t mono_ns = dj_checked_add_saturated(event->at_ns, filter->to_mono_ns);
        if (!dj_janky_keep_overlaps(filter->keep, mono_ns, mono_ns)) {
            filter->gaps += filter->in_gap ? 0 : 1;
            filter->in_gap = true;
            filter->converted->dropped++;
            return 0;
        }
        filter->in_gap = false;
        int code = write_gap(filter, event);
        if (code != 0) {
            return code;
        }
    }
    filter->converted->kept++;
    if (filter->maximum > 0 &&
        (int64_t)dj_trace_writer_get_bytes(filter->writer) > filter->maximum) {
        filter->converted->cut = true;
        /* The file has reached its maximum size, so the reading ends here. */
        return DJ_E_LIMIT;
    }
    return filter->sink.take(filter->sink.user, event);
}

static struct dj_trace_clock_offsets
read_clocks(const struct dj_capture_conversion *conversion,
            const struct dj_trace_clock *clock)
{
    bool boot = clock->known && conversion->slept_known;
    return (struct dj_trace_clock_offsets){
        .mono = clock->known,
        .to_mono_ns = clock->to_mono_ns,
        .to_boot_ns =
            boot ? dj_checked_add_saturated(clock->to_mono_ns, conversion->slept_ns) : 0};
}

static int write_text(const struct dj_capture_conversion *conversion,
                      const struct dj_trace_clock *clock,
                      struct dj_capture_converted *converted, struct dj_error *err)
{
    const struct dj_trace_origin origin = {.clocks = read_clocks(conversion, clock)};
    struct dj_trace_writer *writer =
        dj_trace_writer_create(conversion->output, conversion->name, &origin);
    struct dj_trace summary = {0};
    struct filter filter = {.sink = dj_trace_writer_get_sink(writer),
                            .keep = conversion->keep,
                            .to_mono_ns = clock->to_mono_ns,
                            .converted = converted,
                            .writer = writer,
                            .maximum = conversion->maximum,
                            .first_ns = INT64_MAX};
    int code = dj_trace_read_events(
        conversion->input, (struct dj_event_sink){filter_event, &filter}, &summary, err);
    if (code == 0 || code == DJ_E_OUTPUT || converted->cut) {
        code = dj_trace_writer_end(writer, err);
        if (conversion->keep != NULL) {
            converted->too_old = dj_janky_keep_count_before(
                conversion->keep,
                dj_checked_add_saturated(filter.first_ns, clock->to_mono_ns));
        }
    }
    dj_trace_writer_destroy(writer);
    dj_trace_finish(&summary);
    return code;
}

int dj_conversion_convert_text(const struct dj_capture_conversion *conversion,
                               struct dj_capture_converted *converted,
                               struct dj_error *err)
{
    struct dj_trace_clock clock = find_clock(conversion);
    *converted = (struct dj_capture_converted){0};
    return conversion->keep == NULL || clock.known
               ? write_text(conversion, &clock, converted, err)
               : dj_error_set(
                     err, DJ_E_NO_DATA,
                     "how the clock of the trace relates to the clock of frames");
}
