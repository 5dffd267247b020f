#include "compare/verdict.h"

#include <stddef.h>

static const char *const names[DJ_VERDICT_COUNT] = {
    [DJ_VERDICT_REGRESSION] = "regression",
    [DJ_VERDICT_LIKELY_REGRESSION] = "likely-regression",
    [DJ_VERDICT_EQUIVALENT] = "equivalent",
    [DJ_VERDICT_LIKELY_IMPROVEMENT] = "likely-improvement",
    [DJ_VERDICT_IMPROVEMENT] = "improvement",
    [DJ_VERDICT_INCONCLUSIVE] = "inconclusive",
};

const char *dj_compare_verdict_name(enum dj_compare_verdict verdict)
{
    return names[verdict];
}

enum dj_compare_verdict dj_compare_verdict_cap(enum dj_compare_verdict verdict)
{
    return verdict == DJ_VERDICT_REGRESSION    ? DJ_VERDICT_LIKELY_REGRESSION
           : verdict == DJ_VERDICT_IMPROVEMENT ? DJ_VERDICT_LIKELY_IMPROVEMENT
                                               : verdict;
}
