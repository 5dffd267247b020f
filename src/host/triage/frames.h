/* Which frames a trace shows, and which of them were late. */
#ifndef DEJANK_TRIAGE_FRAMES_H
#define DEJANK_TRIAGE_FRAMES_H

#include "triage/index.h"

struct dj_triage_frame {
    const char *name; /* of the slice it was, or of what it was told as; the trace's */
    uint32_t tid;     /* in which it ended */
    int64_t start_ns, end_ns, deadline_ns;
    int32_t slice;       /* that it is, or DJ_NO_SLICE */
    uint32_t jank_types; /* of FrameTimeline; 0: not told */
    bool incomplete;     /* events of its time are lost: nothing is said of its causes */
};

struct dj_triage_frames {
    struct dj_triage_frame *all; /* by start; owned */
    size_t count;
    const char *source; /* "slices", "FrameTimeline"… */
};

/*
 * `pattern`: the slices that are frames, * and ? as in file names; NULL: what the trace
 * itself calls frames. budget_ns: how long each may take; 0: a refresh period where the
 * trace tells one, else 1/60 s. DJ_E_NO_DATA, with what there is, where no frame is
 * found; DJ_E_NO_MEMORY. Finish them in every case.
 */
int dj_triage_frames_find(const struct dj_triage_index *index, const char *pattern,
                          int64_t budget_ns, struct dj_triage_frames *frames,
                          struct dj_error *err);
void dj_triage_frames_finish(struct dj_triage_frames *frames);

#endif
