#include <string.h>

#include "base/checked.h"
#include "base/str.h"
#include "capture/android/conversion.h"
#include "trace/pftrace_writer.h"
#include "trace/read.h"

enum { CPUS = 256 };

/* Reads seconds with up to nine decimals as ns. */
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
    struct dj_str all = {line, strlen(line)}, told, cpu, stamp;
    if (!dj_str_after(all, "trace_event_clock_sync: parent_ts=", &told) ||
        !dj_str_after(all, "] ", &cpu)) {
        return false;
    }
    stamp = dj_str_until(cpu, ":");
    const char *blank = stamp.length > 0 ? memrchr(stamp.at, ' ', stamp.length) : NULL;
    if (blank != NULL) {
        stamp.length -= (size_t)(blank + 1 - stamp.at);
        stamp.at = blank + 1;
    }
    return read_seconds(stamp, at_ns) && read_seconds(told, mono_ns);
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
    return clock->known ? DJ_E_INTERRUPTED : 0; /* that is all */
}

static struct dj_trace_clock find_clock(const struct dj_capture_conversion *shape)
{
    struct dj_trace_clock clock = shape->clock;
    struct dj_trace told = {0};
    struct dj_error ignored = {0};
    if (!clock.known) {
        dj_trace_read_events(shape->input,
                             (struct dj_event_sink){read_clock_mark, &clock}, &told,
                             &ignored);
        dj_trace_finish(&told);
    }
    return clock;
}

struct sieve {
    struct dj_event_sink sink;
    const struct dj_keep *keep; /* in CLOCK_MONOTONIC; NULL: all */
    int64_t to_mono_ns;         /* to add to the trace's clock */
    struct dj_capture_converted *shaped;
    const struct dj_trace_writer *writer;
    int64_t maximum;  /* of the output, in bytes */
    int64_t first_ns; /* of all events; INT64_MAX: there was none */
    bool in_gap;
    uint32_t gaps;
    uint32_t seen[CPUS]; /* gaps before the last kept event of each CPU */
};

/* These events describe more than one instant. */
static bool lasts(const struct dj_event *event)
{
    return event->kind == DJ_EVENT_CLOCK || event->kind == DJ_EVENT_THREAD ||
           event->kind == DJ_EVENT_NEW_TASK || event->kind == DJ_EVENT_RENAME;
}

/* The CPU's earlier activity is not known any more. */
static int write_gap(struct sieve *sieve, const struct dj_event *event)
{
    if (event->cpu < 0 || event->cpu >= CPUS || sieve->seen[event->cpu] == sieve->gaps) {
        return 0;
    }
    sieve->seen[event->cpu] = sieve->gaps;
    const struct dj_event lost = {.kind = DJ_EVENT_LOST,
                                  .at_ns = event->at_ns,
                                  .cpu = event->cpu,
                                  .pid = DJ_PID_UNKNOWN};
    return sieve->sink.take(sieve->sink.user, &lost);
}

static int take(void *user, const struct dj_event *event)
{
    struct sieve *sieve = user;
    bool timed = event->kind != DJ_EVENT_THREAD && event->kind != DJ_EVENT_LOST;
    if (timed && event->at_ns < sieve->first_ns) {
        sieve->first_ns = event->at_ns;
    }
    if (sieve->keep != NULL && !lasts(event)) {
        int64_t mono_ns = dj_checked_add_saturated(event->at_ns, sieve->to_mono_ns);
        if (!dj_janky_keep_overlaps(sieve->keep, mono_ns, mono_ns)) {
            sieve->gaps += sieve->in_gap ? 0 : 1;
            sieve->in_gap = true;
            sieve->shaped->dropped++;
            return 0;
        }
        sieve->in_gap = false;
        int code = write_gap(sieve, event);
        if (code != 0) {
            return code;
        }
    }
    sieve->shaped->kept++;
    if (sieve->maximum > 0 &&
        (int64_t)dj_trace_writer_get_bytes(sieve->writer) > sieve->maximum) {
        sieve->shaped->cut = true;
        return DJ_E_LIMIT; /* the rest would not fit */
    }
    return sieve->sink.take(sieve->sink.user, event);
}

static struct dj_trace_clock_offsets
read_clocks(const struct dj_capture_conversion *shape, const struct dj_trace_clock *clock)
{
    bool boot = clock->known && shape->slept_known;
    return (struct dj_trace_clock_offsets){
        .mono = clock->known,
        .to_mono_ns = clock->to_mono_ns,
        .to_boot_ns =
            boot ? dj_checked_add_saturated(clock->to_mono_ns, shape->slept_ns) : 0};
}

static int write_text(const struct dj_capture_conversion *shape,
                      const struct dj_trace_clock *clock,
                      struct dj_capture_converted *shaped, struct dj_error *err)
{
    const struct dj_trace_origin origin = {.clocks = read_clocks(shape, clock)};
    struct dj_trace_writer *writer =
        dj_trace_writer_create(shape->output, shape->name, &origin);
    struct dj_trace told = {0};
    struct sieve sieve = {.sink = dj_trace_writer_get_sink(writer),
                          .keep = shape->keep,
                          .to_mono_ns = clock->to_mono_ns,
                          .shaped = shaped,
                          .writer = writer,
                          .maximum = shape->maximum,
                          .first_ns = INT64_MAX};
    int code = dj_trace_read_events(shape->input, (struct dj_event_sink){take, &sieve},
                                    &told, err);
    if (code == 0 || code == DJ_E_OUTPUT || shaped->cut) {
        code = dj_trace_writer_end(writer, err);
        if (shape->keep != NULL) {
            shaped->too_old = dj_janky_keep_count_before(
                shape->keep, dj_checked_add_saturated(sieve.first_ns, clock->to_mono_ns));
        }
    }
    dj_trace_writer_destroy(writer);
    dj_trace_finish(&told);
    return code;
}

int dj_conversion_convert_text(const struct dj_capture_conversion *shape,
                               struct dj_capture_converted *shaped, struct dj_error *err)
{
    struct dj_trace_clock clock = find_clock(shape);
    *shaped = (struct dj_capture_converted){0};
    return shape->keep == NULL || clock.known
               ? write_text(shape, &clock, shaped, err)
               : dj_error_set(err, DJ_E_NO_DATA,
                              "how its clock stands to that of frames is not told");
}
