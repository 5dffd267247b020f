/* Rows of gfxinfo next to a trace: when each frame was, and which findings the columns of
 * its stages give. */
#ifndef DEJANK_TRIAGE_ROWS_H
#define DEJANK_TRIAGE_ROWS_H

#include "base/error.h"
#include "frame/findings.h"

/* A usable row. Times are ns of the device's CLOCK_MONOTONIC. */
struct dj_triage_row {
    int64_t start_ns, end_ns; /* IntendedVsync … end of the last stage */
    int64_t deadline_ns;      /* FrameDeadline, or start + frame interval */
    int64_t pid;              /* −1: unknown */
    bool janky;               /* by the release's rule; without one: it ended after its
                               * deadline */
    uint32_t findings;        /* bit 1 << enum dj_finding_id */
};

/* Zero-initialise it. */
struct dj_triage_rows {
    struct dj_triage_row *all; /* sorted by start, then end; owned */
    size_t count;
};

/* Appends the rows of all dumps in a text. Each frame is added once, even if several
 * dumps contain it. `release` is the device's, for dumps that do not name their own (see
 * dj_gfxinfo_release_set()); NULL: unknown. Returns DJ_E_NO_DATA if no row is usable,
 * DJ_E_INVALID if the text is no gfxinfo. */
int dj_triage_rows_read(struct dj_triage_rows *rows, const char *text, size_t length,
                        const struct dj_dialect *release, struct dj_error *err);
void dj_triage_rows_finish(struct dj_triage_rows *rows);

#endif
