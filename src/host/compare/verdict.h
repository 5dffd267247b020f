/*
 * compare: interprets figures: which of two sides is slower, by how much, and how certain
 * that is. It does not measure or store figures (store) or show them (report), and prints
 * nothing. gate adds objectives and an exit verdict. trend adds changes over time.
 *
 * The unit of everything is the run, never the frame. Nothing is random: equal figures
 * give the same verdict on every machine, and swapped sides give the reversed verdict.
 *
 * This header has the six verdicts. effect.h judges one metric, family.h several as one
 * family. compare.h compares whole sides.
 */
#ifndef DEJANK_COMPARE_VERDICT_H
#define DEJANK_COMPARE_VERDICT_H

#include <stdbool.h>

/* The verdict on B compared with A. The names are stable in JSON. (struct dj_verdict of a
 * frame is unrelated.) */
enum dj_compare_verdict {
    DJ_VERDICT_REGRESSION,         /* worse by more than the margin */
    DJ_VERDICT_LIKELY_REGRESSION,  /* worse, by an undecided amount */
    DJ_VERDICT_EQUIVALENT,         /* differs by no more than the margin */
    DJ_VERDICT_LIKELY_IMPROVEMENT, /* better, by an undecided amount */
    DJ_VERDICT_IMPROVEMENT,        /* better by more than the margin */
    DJ_VERDICT_INCONCLUSIVE,       /* the runs do not decide it */
    DJ_VERDICT_COUNT
};

/* Returns "likely-regression" and the like. */
const char *dj_compare_verdict_name(enum dj_compare_verdict verdict);

/* Turns a hard verdict into its likely form, for designs that support no more. Returns
 * other verdicts unchanged. */
enum dj_compare_verdict dj_compare_verdict_cap(enum dj_compare_verdict verdict);

#endif
