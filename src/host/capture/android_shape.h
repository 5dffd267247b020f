/* What came from a device becomes what was asked for: a trace for Perfetto, cut to what
 * was around janky frames. Of this room only. */
#ifndef DEJANK_CAPTURE_ANDROID_SHAPE_H
#define DEJANK_CAPTURE_ANDROID_SHAPE_H

#include "capture/janky.h"
#include "trace/trace.h"

struct dj_shape {
    const char *input;           /* as it came */
    int output;                  /* a descriptor, written from where it stands */
    const char *name;            /* what errors call that */
    int64_t maximum;             /* bytes of it; 0: none */
    const struct dj_keep *keep;  /* of CLOCK_MONOTONIC; NULL: all is kept */
    struct dj_trace_clock clock; /* of the trace, as far as others told of it */
    bool slept_known;
    int64_t slept_ns; /* CLOCK_BOOTTIME − CLOCK_MONOTONIC of the device */
};

/* What it came to. */
struct dj_shaped {
    uint64_t kept, dropped; /* events or packets */
    bool cut;               /* more than the maximum */
    size_t too_old;         /* stretches of `keep` that ended before the trace begins */
};

/* "  atrace-4100  [000] ...1  86.1: tracing_mark_write: trace_event_clock_sync:
 * parent_ts=163.2": false where that is no such line. Pure. */
bool dj_shape_sync(const char *line, int64_t *at_ns, int64_t *mono_ns);

/* Text of the kernel, as packets. DJ_E_NO_DATA: it is to be cut, and its clock is not
 * known; DJ_E_UNSUPPORTED, DJ_E_OUTPUT, DJ_E_INVALID. */
int dj_shape_text(const struct dj_shape *shape, struct dj_shaped *shaped,
                  struct dj_error *err);

/* Packets, those of other times left out (`keep` is not NULL): those that tell of
 * processes, names and clocks stay, and a CPU's first bundle after a gap says that events
 * are lost before it. As dj_shape_text(). */
int dj_shape_packets(const struct dj_shape *shape, struct dj_shaped *shaped,
                     struct dj_error *err);

#endif
