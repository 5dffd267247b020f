/*
 * What framestats' columns say of frames ("slow sync"), tied to what the traces say of
 * the same frames: the guide's "the timing breakdown points at it", pointed further.
 */
#ifndef DEJANK_TRIAGE_TIE_H
#define DEJANK_TRIAGE_TIE_H

#include "triage/rows.h"
#include "triage/triage.h"

enum { DJ_TIE_CAUSES = 3 };

/* In how many of a finding's frames one cause took more than any other. */
struct dj_tied_cause {
    size_t cause; /* in the result's causes, or its machine's behind those */
    size_t frames;
    int64_t ns; /* its time in those */
};

struct dj_tied_finding {
    enum dj_finding_id finding;
    size_t rows;        /* janky ones that it is of */
    size_t frames;      /* of those: late ones that a trace shows */
    size_t unexplained; /* of those: without a cause */
    struct dj_tied_cause causes[DJ_TIE_CAUSES]; /* most frames first, then time */
    size_t cause_count;
};

struct dj_tie_row;

/* Zero it. */
struct dj_tie {
    struct dj_tied_finding findings[DJ_FINDING_COUNT]; /* most rows first */
    size_t finding_count;
    size_t janky;            /* rows */
    size_t shown;            /* of those: late frames that a trace shows */
    size_t without_clock;    /* traces whose clock is not known, and taken for
                                CLOCK_MONOTONIC */
    struct dj_tie_row *rows; /* tie.c's own */
    size_t row_count;
};

/* Adds the rows of what the trace shows that was added to the triage last; `clock` is
 * that trace's. */
void dj_tie_add(struct dj_tie *tie, const struct dj_triage *triage,
                const struct dj_trace_clock *clock, const struct dj_triage_rows *rows);

/* Ties them; after dj_triage_weigh(). A row and a late frame are one where they share
 * more than half of the shorter one's time, and more than with any other. */
void dj_tie_weigh(struct dj_tie *tie, const struct dj_triage *triage);
void dj_tie_finish(struct dj_tie *tie);

#endif
