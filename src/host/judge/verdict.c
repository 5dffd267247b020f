#include "judge/verdict.h"

#include <stddef.h>

static const struct {
    const char *name;
    enum dj_judgement capped;
} verdicts[DJ_VERDICT_COUNT] = {
    [DJ_VERDICT_REGRESSION] = {"regression", DJ_VERDICT_LIKELY_REGRESSION},
    [DJ_VERDICT_LIKELY_REGRESSION] = {"likely-regression", DJ_VERDICT_LIKELY_REGRESSION},
    [DJ_VERDICT_EQUIVALENT] = {"equivalent", DJ_VERDICT_EQUIVALENT},
    [DJ_VERDICT_LIKELY_IMPROVEMENT] = {"likely-improvement",
                                       DJ_VERDICT_LIKELY_IMPROVEMENT},
    [DJ_VERDICT_IMPROVEMENT] = {"improvement", DJ_VERDICT_LIKELY_IMPROVEMENT},
    [DJ_VERDICT_INCONCLUSIVE] = {"inconclusive", DJ_VERDICT_INCONCLUSIVE},
};

const char *dj_verdict_name(enum dj_judgement verdict)
{
    return verdicts[verdict].name;
}

enum dj_judgement dj_verdict_cap(enum dj_judgement verdict)
{
    return verdicts[verdict].capped;
}
