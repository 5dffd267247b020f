/* Connects findings with causes. A finding says that the columns of a row of framestats
 * show a certain problem, for example "slow sync". The causes are those that traces show
 * for the same frames. */
#ifndef DEJANK_TRIAGE_FINDINGS_H
#define DEJANK_TRIAGE_FINDINGS_H

#include "triage/rows.h"
#include "triage/triage.h"

enum { DJ_TRIAGE_FINDING_CAUSES = 3 };

/* A cause of a finding: the cause took more time than any other cause in `frames` of the
 * frames that have the finding. */
struct dj_triage_finding_cause {
    /* Index of the cause in result.causes. The elements of result.machine follow
     * result.causes in the same array, so an index of cause_count or more is a cause of
     * result.machine. */
    size_t cause;
    size_t frames;
    int64_t ns; /* Time of the cause in these frames. */
};

struct dj_triage_finding {
    enum dj_finding_id finding;
    size_t rows;   /* Number of janky rows that have the finding. */
    size_t frames; /* Number of these rows that match a late frame of a trace. */
    /* Number of rows whose late frame has no cause. They are included in `frames`. */
    size_t unexplained;
    /* Causes with the most frames, sorted by frames, then by time, the largest first. */
    struct dj_triage_finding_cause causes[DJ_TRIAGE_FINDING_CAUSES];
    size_t cause_count;
};

struct dj_triage_finding_row;

/* All findings of the janky rows. Zero the struct before use. */
struct dj_triage_findings {
    /* Findings, sorted by `rows`, the largest first. */
    struct dj_triage_finding findings[DJ_FINDING_COUNT];
    size_t finding_count;
    size_t janky; /* Number of janky rows. */
    size_t shown; /* Number of janky rows that match a late frame of a trace. */
    /* Number of traces whose clock is unknown. It is assumed to be CLOCK_MONOTONIC. */
    size_t without_clock;
    struct dj_triage_finding_row *rows;
    size_t row_count;
};

/* Adds the janky rows of a gfxinfo dump. The dump belongs to the trace that was last
 * added to `triage`. `clock` is the clock of this trace. */
void dj_triage_findings_add(struct dj_triage_findings *all,
                            const struct dj_triage *triage,
                            const struct dj_trace_clock *clock,
                            const struct dj_triage_rows *rows);

/* Matches rows with late frames of traces, and computes the findings. Call this function
 * after dj_triage_weigh(). A row matches a frame if they overlap for more than half of
 * the shorter one. If several frames match, the one with the longest overlap is used. */
void dj_triage_findings_compute(struct dj_triage_findings *all,
                                const struct dj_triage *triage);
void dj_triage_findings_finish(struct dj_triage_findings *all);

#endif
