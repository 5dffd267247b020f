/* Rows of gfxinfo beside a trace: when each frame was, and what its stages' columns alone
 * tell of it. */
#ifndef DEJANK_TRIAGE_ROWS_H
#define DEJANK_TRIAGE_ROWS_H

#include "base/error.h"
#include "frame/findings.h"

/* A usable row. Stamps are ns of the device's CLOCK_MONOTONIC. */
struct dj_triage_row {
    int64_t start_ns, end_ns; /* IntendedVsync … what completed it last */
    int64_t deadline_ns;      /* FrameDeadline, or a frame interval after its start */
    int64_t pid;              /* −1 unknown */
    bool janky;        /* by the release's rule; where it has none: it ended after its
                          deadline */
    uint32_t findings; /* bit 1 << enum dj_finding_id */
};

/* Zero it. */
struct dj_triage_rows {
    struct dj_triage_row *all; /* by start, then end; owned */
    size_t count;
};

/* Appends the rows of all dumps in a text, each frame once however often it was dumped.
 * `release` is that of the device where no dump tells its own (as dj_release_set() takes
 * it); NULL: not known. DJ_E_NO_DATA: there are no rows that can be used; DJ_E_INVALID:
 * no gfxinfo. */
int dj_triage_rows_read(struct dj_triage_rows *rows, const char *text, size_t length,
                        const struct dj_dialect *release, struct dj_error *err);
void dj_triage_rows_finish(struct dj_triage_rows *rows);

#endif
