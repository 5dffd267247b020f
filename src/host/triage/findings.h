/* Connects findings from framestats' columns ("slow sync") with the causes that the
 * traces show for the same frames. */
#ifndef DEJANK_TRIAGE_FINDINGS_H
#define DEJANK_TRIAGE_FINDINGS_H

#include "triage/rows.h"
#include "triage/triage.h"

enum { DJ_TRIAGE_FINDING_CAUSES = 3 };

/* In how many of a finding's frames one cause took more time than any other. */
struct dj_triage_finding_cause {
    size_t cause; /* place in the result's causes, or in its machine's, which follow
                   * them */
    size_t frames;
    int64_t ns; /* its time in those frames */
};

struct dj_triage_finding {
    enum dj_finding_id finding;
    size_t rows;        /* janky rows with the finding */
    size_t frames;      /* the late frames of a trace among them */
    size_t unexplained; /* the frames without a cause among them */
    struct dj_triage_finding_cause
        causes[DJ_TRIAGE_FINDING_CAUSES]; /* most frames first, then most time */
    size_t cause_count;
};

struct dj_triage_finding_row;

/* Zero-initialise it. */
struct dj_triage_findings {
    struct dj_triage_finding findings[DJ_FINDING_COUNT]; /* most rows first */
    size_t finding_count;
    size_t janky;         /* janky rows */
    size_t shown;         /* the late frames of a trace among them */
    size_t without_clock; /* traces with unknown clock, which was assumed to be
                           * CLOCK_MONOTONIC */
    struct dj_triage_finding_row *rows;
    size_t row_count;
};

/* Adds the rows of the trace that was last added to the triage. `clock` is that
 * trace's. */
void dj_triage_findings_add(struct dj_triage_findings *tie,
                            const struct dj_triage *triage,
                            const struct dj_trace_clock *clock,
                            const struct dj_triage_rows *rows);

/* Connects rows and frames. Call it after dj_triage_weigh(). A row and a late frame are
 * the same if they share more than half of the shorter one's time, and more than with any
 * other frame. */
void dj_triage_findings_compute(struct dj_triage_findings *tie,
                                const struct dj_triage *triage);
void dj_triage_findings_finish(struct dj_triage_findings *tie);

#endif
