/* Finds janky frames, and stores the spans of time around them. A capture of the time
 * around janky frames keeps only the events in these spans. */
#ifndef DEJANK_CAPTURE_JANKY_H
#define DEJANK_CAPTURE_JANKY_H

#include "gfxinfo/dump.h"

/* A span of time from from_ns to to_ns, including both. All spans use the same clock. */
struct dj_keep_span {
    int64_t from_ns, to_ns;
    uint64_t frames; /* Number of janky frames in the span. */
};

/* The spans that a capture keeps. Zero the struct before use. */
struct dj_keep {
    /* Spans, sorted by time, without overlaps. Owned by this struct. */
    struct dj_keep_span *spans;
    size_t count;
    /* Number of added frames. A frame that was added twice is counted once. */
    uint64_t frames;
    int64_t newest_ns; /* Latest start of an added frame. */
};

/* Maximum number of spans after overlapping spans were merged. */
enum { DJ_KEEP_MAX = 100000 };

/* Adds the span from `before_ns` before a frame to `after_ns` after the frame. Counts the
 * frame only if it starts later than all frames that were added before. Returns 0,
 * DJ_E_NO_MEMORY, or DJ_E_LIMIT if there would be more than DJ_KEEP_MAX spans. */
int dj_janky_keep_add_frame(struct dj_keep *keep, int64_t from_ns, int64_t to_ns,
                            int64_t before_ns, int64_t after_ns, struct dj_error *err);
/* Returns true if a kept span overlaps the time from from_ns to to_ns. */
bool dj_janky_keep_overlaps(const struct dj_keep *keep, int64_t from_ns, int64_t to_ns);
/* Returns the number of spans that end before at_ns. */
size_t dj_janky_keep_count_before(const struct dj_keep *keep, int64_t at_ns);
void dj_janky_keep_finish(struct dj_keep *keep);

/* Receives a janky frame. A result other than 0 ends the search. */
typedef int dj_janky_callback(void *user, int64_t from_ns, int64_t to_ns);

/* Calls `callback` for each janky row of the dump, with the row's IntendedVsync and
 * FrameCompleted. A row is janky by the rule of the Android release that wrote the dump.
 * The rows of each window are passed in order of time. Returns 0, DJ_E_NO_MEMORY, or the
 * first result of `callback` that is not 0. */
int dj_capture_janky_find(const struct dj_dump *dump, dj_janky_callback *callback,
                          void *user, struct dj_error *err);

#endif
