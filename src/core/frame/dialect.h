/*
 * The dialects of gfxinfo: one row per Android release, holding everything in which releases differ —
 * columns, jank rule, thresholds. A new release is a new row in dialect.c.
 */
#ifndef DEJANK_FRAME_DIALECT_H
#define DEJANK_FRAME_DIALECT_H

#include "frame/stats.h"

struct dj_tracker;

/* A span of the pipeline and how long it may take, in parts of a frame interval. */
struct dj_threshold {
    enum dj_counter counter; /* counted when the span lasts at least the limit */
    enum dj_column start, end;
    double intervals; /* limit in frame intervals, truncated to whole ns as hwui does */
    int64_t least_ns; /* limit where `intervals` is 0 */
};

struct dj_dialect {
    const char *name; /* the release, as users write it: "11" */
    int api;          /* its API level */
    const char *source; /* the hwui file and revision its rules were taken from */
    struct dj_column_list columns; /* framestats' columns in their order */
    /* Judges one frame and moves the tracker's deadline state; see tracker.h. */
    bool (*judge)(struct dj_tracker *tracker, const struct dj_frame *frame,
                  struct dj_verdict *verdict);
    const struct dj_threshold *thresholds; /* the per-type tests of a frame that missed */
    size_t threshold_count;
    bool counts_gpu; /* has a GPU HISTOGRAM */
};

/* The dialect of a release named as users write it; NULL if there is none. */
const struct dj_dialect *dj_dialect_find(const char *release);

/* The dialect of Linux apps unless another is asked for: Android 11. */
const struct dj_dialect *dj_dialect_default(void);

/* All of them, oldest first; NULL past the end. */
const struct dj_dialect *dj_dialect_at(size_t index);

#endif
