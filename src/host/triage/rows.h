/* Reads rows of gfxinfo for triage. A row contains the time of a frame, and the findings
 * that follow from the columns of the frame's stages. Frames of other traces become rows
 * too (triage/frames_file.h). */
#ifndef DEJANK_TRIAGE_ROWS_H
#define DEJANK_TRIAGE_ROWS_H

#include "base/error.h"
#include "frame/findings.h"

/* A row that triage can use. Its times are in the device's CLOCK_MONOTONIC. */
struct dj_triage_row {
    int64_t start_ns, end_ns; /* IntendedVsync, and the end of the last stage. */
    /* FrameDeadline. If the row has none, start_ns plus the frame interval. */
    int64_t deadline_ns;
    int64_t pid; /* Id of the process, or −1 if the process is unknown. */
    /* True if the frame is janky by the rule of its Android release. If the release has
     * no such rule, true if the frame ended after its deadline. */
    bool janky;
    /* Findings of the row. The bit (1 << id) is set for each id of enum dj_finding_id. */
    uint32_t findings;
};

/* A list of rows. Zero the struct before use. */
struct dj_triage_rows {
    /* Rows, sorted by start, then end. Owned by this struct. */
    struct dj_triage_row *all;
    size_t count;
    /* NULL for rows of gfxinfo. For the frames of a trace: how they were found. */
    const char *source;
    /* True if the trace of the frames does not relate its clock to CLOCK_MONOTONIC. Both
     * clocks are then assumed to be equal. */
    bool clock_is_unknown;
};

/* Appends the rows of all gfxinfo dumps in a text. If several dumps contain a frame, the
 * frame is added once. `release` is the release of the device. It is used for dumps that
 * do not name their release (see dj_gfxinfo_release_set()), and may be NULL. Returns
 * DJ_E_NO_DATA if no row can be used, or DJ_E_INVALID if the text is not gfxinfo. */
int dj_triage_rows_read(struct dj_triage_rows *rows, const char *text, size_t length,
                        const struct dj_dialect *release, struct dj_error *err);
void dj_triage_rows_finish(struct dj_triage_rows *rows);

#endif
