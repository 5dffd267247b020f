/*
 * capture: making system traces, here and on devices — a private instance of tracefs,
 * perf events, what an unprivileged process may know, atrace and perfetto — each leaving
 * the machine as it was. Not the reading of traces, and no output.
 *
 * This header: how much a machine lets us see.
 */
#ifndef DEJANK_CAPTURE_LEVELS_H
#define DEJANK_CAPTURE_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

enum dj_capture_level {
    DJ_CAPTURE_OWN,    /* switches of our own threads, schedstat, PSI */
    DJ_CAPTURE_PERF,   /* switches of the whole machine, or tracepoints, by perf events */
    DJ_CAPTURE_KERNEL, /* tracefs, an instance of our own */
    DJ_CAPTURE_LEVELS
};

/* "own-threads", "perf", "tracefs". */
const char *dj_capture_level_name(enum dj_capture_level level);

/* "perf" → DJ_CAPTURE_PERF. False: no level has that name. */
bool dj_capture_level_find(const char *name, enum dj_capture_level *level);

/* What a capture of that level has in it, as half a sentence. */
const char *dj_capture_level_shows(enum dj_capture_level level);

/* What this process may do here. */
struct dj_capture_levels {
    char why[DJ_CAPTURE_LEVELS][200]; /* it may not; "": it may */
    size_t left;                      /* tracing instances of dead processes */
    char first_left[64];              /* one's name; "" */
};

/* Tries each, and leaves nothing. */
void dj_capture_levels_look(struct dj_capture_levels *levels);

/* The best that is permitted; DJ_CAPTURE_LEVELS: none is. */
enum dj_capture_level dj_capture_levels_best(const struct dj_capture_levels *levels);

/* The command that gives the next better level than `level` (DJ_CAPTURE_LEVELS: than
 * none); NULL: there is none better. */
const char *dj_capture_level_remedy(enum dj_capture_level level);

/* Takes away tracing instances of processes that are no more: how many. *stuck: one that
 * could not be, else "". */
size_t dj_capture_clear_away(char stuck[64]);

#endif
