/*
 * pairs CASE RUNS PAIRS: simulates PAIRS comparisons of two sides with RUNS runs each,
 * judged by compare/effect.h. Writes a row to stdout for each rate: what is counted,
 * metric, count, total. CASE names a row of the table below. The number of a pair selects
 * its random stream.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "rivals.h"
#include "runs.h"

enum { SEED = 11, SEED_KNOWN = 1000 };
static const double ALPHA = 0.05, OTAVA_P = 0.001;
/* The metrics of dejank, for their margins. */
static const char *const compared[DJ_SIM_METRICS] = {"frame_time_p50", "frame_time_p95",
                                                     "frame_time_p99", "jank_rate"};

static const struct sim_case {
    const char *name;
    size_t frames;
    double sd_a, sd_b; /* between runs, of ln */
    bool heavy;
    double slower, more_janky; /* of B, relative to A */
} cases[] = {
    {"base", 600, 0.05, 0.05, false, 1, 1},
    {"heavy", 600, 0.05, 0.05, true, 1, 1},
    {"unequal", 600, 0.05, 0.15, false, 1, 1},
    {"frames-120", 120, 0.05, 0.05, false, 1, 1},
    {"frames-3000", 3000, 0.05, 0.05, false, 1, 1},
    {"slower-5", 600, 0.05, 0.05, false, 1.05, 1},
    {"slower-10", 600, 0.05, 0.05, false, 1.10, 1},
    {"faster-10", 600, 0.05, 0.05, false, 1 / 1.10, 1},
    {"jank-x2", 600, 0.05, 0.05, false, 1, 2},
};

/* Outcomes, counted for each metric. */
enum outcome {
    ALARM,      /* p ≤ alpha */
    DIRECTION,  /* a verdict in the right direction; any direction if nothing changed */
    WRONG_WAY,  /* a verdict in the wrong direction */
    REGRESSION, /* this verdict, with the metric's margin */
    IMPROVEMENT,
    EQUIVALENT,
    COVERED, /* the interval contains the true ratio of frame times */
    REFUSED, /* refused because of its data, so without a verdict */
    OTAVA,
    PERFHERDER,
    OUTCOMES
};
static const char *const outcome_names[OUTCOMES] = {
    "alarm",      "direction", "wrong-way", "regression", "improvement",
    "equivalent", "covered",   "refused",   "otava",      "perfherder"};

static size_t counts[DJ_SIM_METRICS][OUTCOMES];

static struct dj_sim_shape shape_of(const struct sim_case *of, bool b)
{
    return (struct dj_sim_shape){.frames = of->frames,
                                 .run_sd = b ? of->sd_b : of->sd_a,
                                 .heavy = of->heavy,
                                 .slower = b ? of->slower : 1,
                                 .more_janky = b ? of->more_janky : 1};
}

/* Passes the number of frames only for jank. With it, the judge would refuse the
 * percentiles of very short runs. This program tests the statistics of such runs, too. */
static struct dj_effect judge(const struct dj_sim_side *a, const struct dj_sim_side *b,
                              enum dj_sim_metric metric)
{
    bool jank = metric == DJ_SIM_JANK;
    struct dj_effect_rules rules = {.kind = jank ? DJ_EFFECT_SHARE : DJ_EFFECT_RATIO,
                                    .margin =
                                        dj_compare_metric_find(compared[metric])->margin,
                                    .alpha = ALPHA};
    struct dj_effect_side of_a = {a->value[metric], jank ? a->frames : NULL, a->count};
    struct dj_effect_side of_b = {b->value[metric], jank ? b->frames : NULL, b->count};
    struct dj_effect effect;
    if (dj_compare_compute_effect(&of_a, &of_b, &rules, &effect, NULL) != 0) {
        fputs("pairs: a comparison failed\n", stderr);
        exit(5);
    }
    return effect;
}

static void count_pair(const struct sim_case *of, const struct dj_sim_side *a,
                       const struct dj_sim_side *b, enum dj_sim_metric metric)
{
    struct dj_effect effect = judge(a, b, metric);
    bool refused = effect.refusal != DJ_EFFECT_NO_REFUSAL;
    bool worse = effect.verdict == DJ_VERDICT_REGRESSION ||
                 effect.verdict == DJ_VERDICT_LIKELY_REGRESSION;
    bool better = effect.verdict == DJ_VERDICT_IMPROVEMENT ||
                  effect.verdict == DJ_VERDICT_LIKELY_IMPROVEMENT;
    bool changed = of->slower != 1 || of->more_janky != 1;
    bool up = of->slower > 1 || of->more_janky > 1;
    size_t *count = counts[metric];
    count[ALARM] += !refused && effect.p <= ALPHA;
    count[DIRECTION] += changed ? (up ? worse : better) : worse || better;
    count[WRONG_WAY] += changed && (up ? better : worse);
    count[REGRESSION] += effect.verdict == DJ_VERDICT_REGRESSION;
    count[IMPROVEMENT] += effect.verdict == DJ_VERDICT_IMPROVEMENT;
    count[EQUIVALENT] += effect.verdict == DJ_VERDICT_EQUIVALENT;
    count[COVERED] += effect.ci.low <= of->slower && of->slower <= effect.ci.high;
    count[REFUSED] += refused;
    if (metric != DJ_SIM_JANK) {
        count[OTAVA] +=
            dj_otava_alarm(a->value[metric], b->value[metric], a->count, OTAVA_P);
        count[PERFHERDER] +=
            dj_perfherder_alarm(a->value[metric], b->value[metric], a->count);
    }
}

static void run_pairs(const struct sim_case *of, size_t runs, size_t pairs)
{
    struct dj_sim_shape shape_a = shape_of(of, false);
    struct dj_sim_shape shape_b = shape_of(of, true);
    for (size_t i = 0; i < pairs; i++) {
        struct dj_random random = dj_random_of(SEED + SEED_KNOWN * runs, i);
        struct dj_sim_side a;
        struct dj_sim_side b;
        dj_sim_side_fill(&random, &shape_a, runs, &a);
        dj_sim_side_fill(&random, &shape_b, runs, &b);
        for (int metric = 0; metric < DJ_SIM_METRICS; metric++) {
            count_pair(of, &a, &b, (enum dj_sim_metric)metric);
        }
    }
}

int main(int argc, char **argv)
{
    const struct sim_case *of = NULL;
    for (size_t i = 0; argc == 4 && i < sizeof(cases) / sizeof(cases[0]); i++) {
        of = strcmp(argv[1], cases[i].name) == 0 ? &cases[i] : of;
    }
    size_t runs = argc == 4 ? (size_t)strtoul(argv[2], NULL, 10) : 0;
    size_t pairs = argc == 4 ? (size_t)strtoul(argv[3], NULL, 10) : 0;
    if (of == NULL || runs < 2 || runs > DJ_SIM_RUNS_MAX || pairs == 0) {
        fputs("usage: pairs CASE RUNS PAIRS\n", stderr);
        return 2;
    }
    run_pairs(of, runs, pairs);
    for (int metric = 0; metric < DJ_SIM_METRICS; metric++) {
        for (int outcome = 0; outcome < OUTCOMES; outcome++) {
            printf("%s\t%s\t%zu\t%zu\n", outcome_names[outcome],
                   dj_sim_metric_names[metric], counts[metric][outcome], pairs);
        }
    }
    return 0;
}
