/* Rows of gfxinfo for triage: the time of each frame, and the findings from the columns
 * of its stages. */
#ifndef DEJANK_TRIAGE_ROWS_H
#define DEJANK_TRIAGE_ROWS_H

#include "base/error.h"
#include "frame/findings.h"

/* A usable row. Times are ns of the device's CLOCK_MONOTONIC. */
struct dj_triage_row {
    int64_t start_ns, end_ns; /* From IntendedVsync to the end of the last stage. */
    int64_t deadline_ns;      /* FrameDeadline, or start_ns + frame interval. */
    int64_t pid;              /* −1 if the process is unknown. */
    /* Judged by the release's rule. If the release has none, true if the frame ended
     * after its deadline. */
    bool janky;
    uint32_t findings; /* Bit (1 << id) is set for each enum dj_finding_id of the row. */
};

/* Zero-initialise it. */
struct dj_triage_rows {
    struct dj_triage_row *all; /* Sorted by start, then end. Owned. */
    size_t count;
};

/* Appends the rows of all dumps in a text. A frame that several dumps contain is added
 * once. `release` is the device's release for dumps that do not name one (see
 * dj_gfxinfo_release_set()), or NULL if it is unknown. Returns DJ_E_NO_DATA if no row is
 * usable, or DJ_E_INVALID if the text is not gfxinfo. */
int dj_triage_rows_read(struct dj_triage_rows *rows, const char *text, size_t length,
                        const struct dj_dialect *release, struct dj_error *err);
void dj_triage_rows_finish(struct dj_triage_rows *rows);

#endif
