/* Finds janky frames, and stores the spans of time around them that a capture keeps. */
#ifndef DEJANK_CAPTURE_JANKY_H
#define DEJANK_CAPTURE_JANKY_H

#include "gfxinfo/dump.h"

/* A span of time, including both ends. All times are in the same clock. */
struct dj_keep_span {
    int64_t from_ns, to_ns;
    uint64_t frames; /* Number of janky frames in the span. */
};

/* The spans that a capture keeps. Zero-initialise it. */
struct dj_keep {
    struct dj_keep_span *spans; /* Sorted by time, without overlaps. Owned by this
                                 * struct. */
    size_t count;
    uint64_t frames;   /* Number of added frames. A frame that is added twice counts
                        * once. */
    int64_t newest_ns; /* Latest start of an added frame. */
};

enum { DJ_KEEP_MAX = 100000 }; /* Maximum number of spans. Spans that touch are merged. */

/* Adds the span from `before_ns` before a frame to `after_ns` after the frame. A frame
 * that was added before is not counted again, provided that frames are added in order
 * of time. Returns 0, DJ_E_NO_MEMORY, or DJ_E_LIMIT if there are more than DJ_KEEP_MAX
 * spans. */
int dj_janky_keep_add_frame(struct dj_keep *keep, int64_t from_ns, int64_t to_ns,
                            int64_t before_ns, int64_t after_ns, struct dj_error *err);
/* Returns true if any part of [from, to] is kept. */
bool dj_janky_keep_overlaps(const struct dj_keep *keep, int64_t from_ns, int64_t to_ns);
/* Returns the number of spans that end before at_ns. */
size_t dj_janky_keep_count_before(const struct dj_keep *keep, int64_t at_ns);
void dj_janky_keep_finish(struct dj_keep *keep);

/* Receives a janky frame. A result other than 0 ends the search. */
typedef int dj_janky_callback(void *user, int64_t from_ns, int64_t to_ns);

/* Calls `callback` for each row of the dump that is janky by the rule of its release,
 * with IntendedVsync and FrameCompleted. The rows of each window are in order of time.
 * Returns 0, DJ_E_NO_MEMORY, or the first result of `callback` that is not 0. */
int dj_capture_janky_find(const struct dj_dump *dump, dj_janky_callback *callback,
                          void *user, struct dj_error *err);

#endif
