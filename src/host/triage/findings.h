/* Connects findings from the columns of framestats (for example "slow sync") with the
 * causes that traces show for the same frames. */
#ifndef DEJANK_TRIAGE_FINDINGS_H
#define DEJANK_TRIAGE_FINDINGS_H

#include "triage/rows.h"
#include "triage/triage.h"

enum { DJ_TRIAGE_FINDING_CAUSES = 3 };

/* A cause and the frames of a finding in which it took more time than any other cause. */
struct dj_triage_finding_cause {
    /* Index in the result's causes. The array of machine noise follows them, so larger
     * indexes mean noise. */
    size_t cause;
    size_t frames;
    int64_t ns; /* Time of the cause in those frames. */
};

struct dj_triage_finding {
    enum dj_finding_id finding;
    size_t rows;        /* Janky rows with the finding. */
    size_t frames;      /* The rows of `rows` that a late frame of a trace matches. */
    size_t unexplained; /* The rows of `frames` whose frame has no cause. */
    /* Sorted by frames, then time, largest first. */
    struct dj_triage_finding_cause causes[DJ_TRIAGE_FINDING_CAUSES];
    size_t cause_count;
};

struct dj_triage_finding_row;

/* Findings of the janky rows. Zero-initialise it. */
struct dj_triage_findings {
    struct dj_triage_finding findings[DJ_FINDING_COUNT]; /* Sorted by rows, most first. */
    size_t finding_count;
    size_t janky; /* Number of janky rows. */
    size_t shown; /* Number of janky rows that a late frame of a trace matches. */
    /* Number of traces with an unknown clock, which is assumed to be CLOCK_MONOTONIC. */
    size_t without_clock;
    struct dj_triage_finding_row *rows;
    size_t row_count;
};

/* Adds the rows that belong to the trace that was last added to `triage`. `clock` is the
 * clock of that trace. */
void dj_triage_findings_add(struct dj_triage_findings *all,
                            const struct dj_triage *triage,
                            const struct dj_trace_clock *clock,
                            const struct dj_triage_rows *rows);

/* Matches rows with frames. Call it after dj_triage_weigh(). A row and a late frame match
 * if they overlap for more than half of the shorter one, and each row matches the frame
 * with the longest overlap. */
void dj_triage_findings_compute(struct dj_triage_findings *all,
                                const struct dj_triage *triage);
void dj_triage_findings_finish(struct dj_triage_findings *all);

#endif
