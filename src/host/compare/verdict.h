/* compare: interprets figures. It finds out which of two sides is slower, by how much,
 * and how certain this is. It does not measure figures (measure), store them (store) or
 * show them (report), and it prints nothing. gate adds objectives and an exit code. trend
 * adds changes over time.
 *
 * The statistical unit is the run, never the frame. The results are deterministic: equal
 * figures give the same verdict on every machine, and exchanged sides give the reversed
 * verdict.
 *
 * This header defines the six verdicts. effect.h judges one metric, and family.h judges
 * several metrics as one family. compare.h compares whole sides. */
#ifndef DEJANK_COMPARE_VERDICT_H
#define DEJANK_COMPARE_VERDICT_H

#include <stdbool.h>

/* The verdict about B compared with A. The names are stable in JSON. It is unrelated to
 * struct dj_verdict, which judges a single frame. */
enum dj_compare_verdict {
    DJ_VERDICT_REGRESSION,         /* B is worse by more than the margin. */
    DJ_VERDICT_LIKELY_REGRESSION,  /* B is worse, but the amount is uncertain. */
    DJ_VERDICT_EQUIVALENT,         /* A and B differ by no more than the margin. */
    DJ_VERDICT_LIKELY_IMPROVEMENT, /* B is better, but the amount is uncertain. */
    DJ_VERDICT_IMPROVEMENT,        /* B is better by more than the margin. */
    DJ_VERDICT_INCONCLUSIVE, /* The runs do not decide between the verdicts above. */
    DJ_VERDICT_COUNT
};

/* Returns the name in JSON, such as "likely-regression". */
const char *dj_compare_verdict_name(enum dj_compare_verdict verdict);

/* Turns regression and improvement into their likely forms, for measurements that cannot
 * support a hard verdict. Returns other verdicts unchanged. */
enum dj_compare_verdict dj_compare_verdict_cap(enum dj_compare_verdict verdict);

#endif
