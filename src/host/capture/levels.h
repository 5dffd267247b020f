/*
 * capture: making system traces, here and on devices — a private instance of tracefs,
 * perf events, what an unprivileged process may know, atrace and perfetto — each leaving
 * the machine as it was. Not the reading of traces, and no output.
 *
 * This header: how much a machine lets us see.
 */
#ifndef DEJANK_CAPTURE_LEVELS_H
#define DEJANK_CAPTURE_LEVELS_H

enum dj_capture_level {
    DJ_CAPTURE_OWN,    /* switches of our own threads, schedstat, PSI */
    DJ_CAPTURE_PERF,   /* tracepoints of the whole machine, by perf events */
    DJ_CAPTURE_KERNEL, /* tracefs, an instance of our own */
    DJ_CAPTURE_LEVELS
};

/* "own-threads", "perf", "tracefs". */
const char *dj_capture_level_name(enum dj_capture_level level);

#endif
