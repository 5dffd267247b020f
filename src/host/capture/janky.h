/* Finds janky frames and keeps the time around them. */
#ifndef DEJANK_CAPTURE_JANKY_H
#define DEJANK_CAPTURE_JANKY_H

#include "gfxinfo/dump.h"

/* [from, to] in one clock. */
struct dj_keep_span {
    int64_t from_ns, to_ns;
    uint64_t frames; /* janky frames in it */
};

/* The times of a capture that are kept. Zero-initialise it. */
struct dj_keep {
    struct dj_keep_span *spans; /* sorted by time, disjoint; owned */
    size_t count;
    uint64_t frames;   /* reported frames, each counted once by its start */
    int64_t newest_ns; /* the latest start of one */
};

enum { DJ_KEEP_MAX = 100000 }; /* spans; touching spans are merged */

/* Adds the time from `before_ns` before a frame until `after_ns` after it. A frame that
 * was added before is not counted again, if frames come in order. DJ_E_NO_MEMORY,
 * DJ_E_LIMIT beyond DJ_KEEP_MAX. */
int dj_janky_keep_add_frame(struct dj_keep *keep, int64_t from_ns, int64_t to_ns,
                            int64_t before_ns, int64_t after_ns, struct dj_error *err);
/* Whether a part of [from, to] is kept. */
bool dj_janky_keep_overlaps(const struct dj_keep *keep, int64_t from_ns, int64_t to_ns);
/* Returns how many spans end before that time. */
size_t dj_janky_keep_count_before(const struct dj_keep *keep, int64_t at_ns);
void dj_janky_keep_finish(struct dj_keep *keep);

/* A result other than 0 ends the search. */
typedef int dj_janky_detach(void *user, int64_t from_ns, int64_t to_ns);

/* Calls `take` with IntendedVsync and FrameCompleted of each row of the dump that is
 * janky by its release's rule, window by window, in order of time. If it returns a code
 * other than 0, that is returned. DJ_E_NO_MEMORY. */
int dj_capture_janky_find(const struct dj_dump *dump, dj_janky_detach *take, void *user,
                          struct dj_error *err);

#endif
