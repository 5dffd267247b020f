/* Converts the file that came from a device to the requested file: kernel text is
 * converted to a trace for Perfetto, and both kinds are cut to the time around janky
 * frames. */
#ifndef DEJANK_CAPTURE_ANDROID_CONVERSION_H
#define DEJANK_CAPTURE_ANDROID_CONVERSION_H

#include "capture/janky.h"
#include "trace/trace.h"

struct dj_capture_conversion {
    const char *input;           /* Path of the file that came from the device. */
    int output;                  /* Descriptor of the output, which is written from its
                                  * current position. */
    const char *name;            /* Name of the output in error messages. */
    int64_t maximum;             /* Maximum size of the output in bytes, or 0 if there
                                  * is none. */
    const struct dj_keep *keep;  /* Spans to keep, in CLOCK_MONOTONIC, or NULL to keep
                                  * everything. */
    struct dj_trace_clock clock; /* Clock of the trace, if its offset is known from
                                  * elsewhere. */
    bool slept_known;
    int64_t slept_ns; /* CLOCK_BOOTTIME − CLOCK_MONOTONIC on the device. */
};

/* What a conversion has done. */
struct dj_capture_converted {
    uint64_t kept, dropped; /* Number of kept and of dropped events or packets. */
    bool cut;               /* True if the output reached its maximum size. */
    size_t too_old;         /* Number of spans of `keep` that ended before the first
                             * event of the trace. */
};

/* Parses the line with which atrace relates the trace's clock to CLOCK_MONOTONIC: "
 * atrace-4100  [000] ...1  86.1: tracing_mark_write: trace_event_clock_sync:
 * parent_ts=163.2". Sets *at_ns to the time of the line and *mono_ns to the same time
 * in CLOCK_MONOTONIC. Returns false for other lines. Pure. */
bool dj_conversion_parse_sync(const char *line, int64_t *at_ns, int64_t *mono_ns);

/* Converts the kernel's text to packets. Returns 0, DJ_E_NO_DATA if the trace must be
 * cut but its clock is unknown, DJ_E_UNSUPPORTED, DJ_E_OUTPUT or DJ_E_INVALID. */
int dj_conversion_convert_text(const struct dj_capture_conversion *conversion,
                               struct dj_capture_converted *converted,
                               struct dj_error *err);

/* Copies the packets of the spans to keep (`keep` must not be NULL). Packets about
 * processes, names and clocks are always copied. The first bundle of a CPU after a gap
 * is marked, because events before it are lost. Returns the errors of
 * dj_conversion_convert_text(). */
int dj_conversion_cut_packets(const struct dj_capture_conversion *conversion,
                              struct dj_capture_converted *converted,
                              struct dj_error *err);

#endif
