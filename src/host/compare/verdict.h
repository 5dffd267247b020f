/*
 * judge: what the figures mean — which of two sides is slower, by how much and how surely
 * that is known; objectives, gates and trends. Not where figures come from (history), nor
 * how they are shown (report): it prints nothing.
 *
 * The run is the unit of everything here, never the frame. Nothing is drawn by chance:
 * the same figures give the same verdict on every machine, and swapped sides the reversed
 * one.
 *
 * This header: the six verdicts. One metric: effect.h; several as one family: family.h;
 * sides and whole comparisons: compare.h.
 */
#ifndef DEJANK_COMPARE_VERDICT_H
#define DEJANK_COMPARE_VERDICT_H

#include <stdbool.h>

/* Of B against A. Names are a contract of the JSON. (A frame's struct dj_verdict is
 * another thing.) */
enum dj_judgement {
    DJ_VERDICT_REGRESSION,         /* worse by more than the margin */
    DJ_VERDICT_LIKELY_REGRESSION,  /* worse; by how much is not settled */
    DJ_VERDICT_EQUIVALENT,         /* no further apart than the margin */
    DJ_VERDICT_LIKELY_IMPROVEMENT, /* better; by how much is not settled */
    DJ_VERDICT_IMPROVEMENT,        /* better by more than the margin */
    DJ_VERDICT_INCONCLUSIVE,       /* these runs do not tell */
    DJ_VERDICT_COUNT
};

/* "likely-regression". */
const char *dj_verdict_name(enum dj_judgement verdict);

/* A hard one made likely, where the design cannot bear more; others stay. */
enum dj_judgement dj_verdict_cap(enum dj_judgement verdict);

#endif
