/* Janky frames, and the time around them. */
#ifndef DEJANK_CAPTURE_JANKY_H
#define DEJANK_CAPTURE_JANKY_H

#include "gfxinfo/dump.h"

/* [from, to] of one clock. */
struct dj_keep_span {
    int64_t from_ns, to_ns;
    uint64_t frames; /* janky ones in it */
};

/* What of a capture is kept, by time. Zero it. */
struct dj_keep {
    struct dj_keep_span *spans; /* by time, apart from each other; owned */
    size_t count;
    uint64_t frames;   /* that were told, each counted once by its begin */
    int64_t newest_ns; /* the latest begin of one */
};

enum { DJ_KEEP_MAX = 100000 }; /* spans; those that touch are one */

/* Adds the time from `before_ns` before one until `after_ns` after it; a frame that was
 * told already is not counted again, if frames come in their order. DJ_E_NO_MEMORY,
 * DJ_E_LIMIT past DJ_KEEP_MAX. */
int dj_keep_frame(struct dj_keep *keep, int64_t from_ns, int64_t to_ns, int64_t before_ns,
                  int64_t after_ns, struct dj_error *err);
/* Whether anything of [from, to] is kept. */
bool dj_keep_has(const struct dj_keep *keep, int64_t from_ns, int64_t to_ns);
/* How many spans end before it. */
size_t dj_keep_count_before(const struct dj_keep *keep, int64_t at_ns);
void dj_keep_finish(struct dj_keep *keep);

/* Not 0 ends it. */
typedef int dj_janky_take(void *user, int64_t from_ns, int64_t to_ns);

/*
 * Calls `take` for each row of the dump that its release's rule calls janky, with its
 * IntendedVsync and FrameCompleted, window after window, by time in each. What is not
 * 0 ends it with that code. DJ_E_NO_MEMORY.
 */
int dj_janky_each(const struct dj_dump *dump, dj_janky_take *take, void *user,
                  struct dj_error *err);

#endif
