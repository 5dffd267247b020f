/* Converts what came from a device to the requested file: a trace for Perfetto, cut to
 * the time around janky frames. */
#ifndef DEJANK_CAPTURE_ANDROID_CONVERSION_H
#define DEJANK_CAPTURE_ANDROID_CONVERSION_H

#include "capture/janky.h"
#include "trace/trace.h"

struct dj_capture_conversion {
    const char *input;           /* the file as it came */
    int output;                  /* a file descriptor, written from its current
                                  * position */
    const char *name;            /* the output's name in error messages */
    int64_t maximum;             /* of the output, in bytes; 0: none */
    const struct dj_keep *keep;  /* times to keep, CLOCK_MONOTONIC; NULL: all */
    struct dj_trace_clock clock; /* offset of the trace's clock, if known from
                                  * elsewhere */
    bool slept_known;
    int64_t slept_ns; /* CLOCK_BOOTTIME − CLOCK_MONOTONIC on the device */
};

/* What the conversion did. */
struct dj_capture_converted {
    uint64_t kept, dropped; /* events or packets */
    bool cut;               /* there was more than the maximum */
    size_t too_old;         /* spans of `keep` that ended before the trace begins */
};

/* Reads the offset from "  atrace-4100  [000] ...1  86.1: tracing_mark_write:
 * trace_event_clock_sync: parent_ts=163.2". Returns false for other lines. Pure. */
bool dj_conversion_parse_sync(const char *line, int64_t *at_ns, int64_t *mono_ns);

/* Converts the kernel's text to packets. DJ_E_NO_DATA: it should be cut, but its clock is
 * unknown. DJ_E_UNSUPPORTED, DJ_E_OUTPUT, DJ_E_INVALID. */
int dj_conversion_convert_text(const struct dj_capture_conversion *shape,
                               struct dj_capture_converted *shaped, struct dj_error *err);

/* Copies packets without those of other times (`keep` is not NULL). Packets about
 * processes, names and clocks stay. A CPU's first bundle after a gap says that events
 * before it are lost. Errors as dj_conversion_convert_text(). */
int dj_conversion_cut_packets(const struct dj_capture_conversion *shape,
                              struct dj_capture_converted *shaped, struct dj_error *err);

#endif
