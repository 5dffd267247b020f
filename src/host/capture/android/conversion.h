/* Converts a trace that was copied from an Android device to the file that the plan
 * requests. Kernel text is converted to a Perfetto trace. If the plan keeps only the time
 * around janky frames, the conversion removes all other events from kernel text and from
 * Perfetto traces. */
#ifndef DEJANK_CAPTURE_ANDROID_CONVERSION_H
#define DEJANK_CAPTURE_ANDROID_CONVERSION_H

#include "capture/janky.h"
#include "trace/trace.h"

struct dj_capture_conversion {
    const char *input; /* Path of the trace that was copied from the device. */
    int output; /* Descriptor of the output. Writing starts at its current position. */
    const char *name; /* Name of the output in error messages. */
    int64_t maximum;  /* Maximum size of the output in bytes, or 0 if there is none. */
    /* Spans of time whose events are kept, in CLOCK_MONOTONIC, or NULL to keep all
     * events. */
    const struct dj_keep *keep;
    /* Clock of the trace. `known` is set if the caller knows its offset to
     * CLOCK_MONOTONIC. */
    struct dj_trace_clock clock;
    bool slept_known;
    /* CLOCK_BOOTTIME − CLOCK_MONOTONIC on the device. Valid if slept_known is set. */
    int64_t slept_ns;
};

/* The result of a conversion. */
struct dj_capture_converted {
    uint64_t kept, dropped; /* Number of kept and of dropped events or packets. */
    bool cut;               /* True if the output reached its maximum size. */
    size_t too_old;         /* Number of spans of `keep` that ended before the first
                             * event of the trace. */
};

/* Parses the line with which atrace relates the trace's clock to CLOCK_MONOTONIC:
 *     atrace-4100  [000] ...1  86.1: tracing_mark_write: trace_event_clock_sync:
 *     parent_ts=163.2
 * (one line in the trace). Sets *at_ns to the time of the line in the trace's clock, and
 * *mono_ns to the same time in CLOCK_MONOTONIC. Returns false for other lines. Pure. */
bool dj_conversion_parse_sync(const char *line, int64_t *at_ns, int64_t *mono_ns);

/* Converts the kernel's text to Perfetto packets. Returns 0, DJ_E_UNSUPPORTED,
 * DJ_E_OUTPUT, DJ_E_INVALID, or DJ_E_NO_DATA if only some spans are to be kept but the
 * clock of the trace is unknown. */
int dj_conversion_convert_text(const struct dj_capture_conversion *conversion,
                               struct dj_capture_converted *converted,
                               struct dj_error *err);

/* Copies the packets of a Perfetto trace whose time is in one of the spans to keep.
 * `keep` must not be NULL. Packets about processes, names and clocks are always copied.
 * If packets of a CPU were dropped, the next copied bundle of kernel events of this CPU
 * reports lost events. Returns the errors of dj_conversion_convert_text(). */
int dj_conversion_cut_packets(const struct dj_capture_conversion *conversion,
                              struct dj_capture_converted *converted,
                              struct dj_error *err);

#endif
