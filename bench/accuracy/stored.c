/*
 * stored TAU RUNS PAST COMPARISONS: simulates comparisons of a new batch with a stored
 * batch of another day. PAST earlier batches show how much days differ. The last of them
 * is the baseline. The centres of batches are normal, and spread TAU times as much as
 * runs. Runs spread by 6.3 %. In every other comparison they have heavier tails
 * (Student's t with 3 degrees of freedom).
 *
 * Writes a row to stdout for each rate: what is counted, metric (`times`), count, total:
 *   direction, regression   verdicts although nothing changed
 *   ranks                   directions if the batches count as interleaved
 *   changed, changed-hard   likely and hard regressions together, and hard ones
 *                           alone, if the new batch takes 1.5 times as long
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare/effect.h"
#include "random.h"

enum { SEED = 16, RUNS_MAX = 50, PAST_MAX = 50 };
static const double RUN_SD = 0.0634; /* sd of ln p50 between runs, see spread.c */
static const double ALPHA = 0.05, MARGIN = 0.05, SLOWER = 1.5;

enum outcome { DIRECTION, REGRESSION, RANKS, CHANGED, CHANGED_HARD, OUTCOMES };
static const char *const outcome_names[OUTCOMES] = {"direction", "regression", "ranks",
                                                    "changed", "changed-hard"};

static void fill(struct dj_random *random, double between, bool heavy, double slower,
                 double *values, size_t runs)
{
    double centre = between * dj_random_normal(random) + log(slower);
    for (size_t i = 0; i < runs; i++) {
        double z = heavy ? dj_random_t3(random) : dj_random_normal(random);
        values[i] = 10e6 * exp(centre + RUN_SD * z);
    }
}

static struct dj_effect judge(const double *a, const double *b, size_t runs,
                              const struct dj_effect_past *past)
{
    struct dj_effect_rules rules = {.kind = DJ_EFFECT_RATIO,
                                    .margin = MARGIN,
                                    .alpha = ALPHA,
                                    .apart = past != NULL,
                                    .past = past};
    struct dj_effect_side of_a = {a, NULL, runs};
    struct dj_effect_side of_b = {b, NULL, runs};
    struct dj_effect effect;
    if (dj_compare_compute_effect(&of_a, &of_b, &rules, &effect, NULL) != 0) {
        fputs("stored: a comparison failed\n", stderr);
        exit(5);
    }
    return effect;
}

static bool is_directed(enum dj_compare_verdict verdict)
{
    return verdict != DJ_VERDICT_EQUIVALENT && verdict != DJ_VERDICT_INCONCLUSIVE;
}

static void compare(size_t number, double tau, size_t runs, size_t earlier,
                    size_t counts[OUTCOMES])
{
    struct dj_random random = dj_random_of(SEED + 1000 * runs + earlier, number);
    bool heavy = number % 2 == 1;
    double between = tau * RUN_SD;
    double centres[PAST_MAX];
    double values[RUNS_MAX];
    double b[RUNS_MAX];
    struct dj_effect_side side = {values, NULL, runs};
    /* The baseline is the last of the earlier batches, as in a store. */
    for (size_t i = 0; i < earlier; i++) {
        fill(&random, between, heavy, 1, values, runs);
        centres[i] = dj_compare_log_centre(&side, DJ_EFFECT_RATIO);
    }
    struct dj_effect_past past = {centres, earlier};
    fill(&random, between, heavy, 1, b, runs);
    struct dj_effect effect = judge(values, b, runs, &past);
    counts[DIRECTION] += is_directed(effect.verdict);
    counts[REGRESSION] += effect.verdict == DJ_VERDICT_REGRESSION;
    counts[RANKS] += is_directed(judge(values, b, runs, NULL).verdict);
    for (size_t i = 0; i < runs; i++) {
        b[i] *= SLOWER;
    }
    effect = judge(values, b, runs, &past);
    counts[CHANGED] += effect.verdict == DJ_VERDICT_REGRESSION ||
                       effect.verdict == DJ_VERDICT_LIKELY_REGRESSION;
    counts[CHANGED_HARD] += effect.verdict == DJ_VERDICT_REGRESSION;
}

int main(int argc, char **argv)
{
    double tau = argc == 5 ? strtod(argv[1], NULL) : -1;
    size_t runs = argc == 5 ? (size_t)strtoul(argv[2], NULL, 10) : 0;
    size_t earlier = argc == 5 ? (size_t)strtoul(argv[3], NULL, 10) : 0;
    size_t comparisons = argc == 5 ? (size_t)strtoul(argv[4], NULL, 10) : 0;
    if (!(tau >= 0) || runs < 2 || runs > RUNS_MAX || earlier < 1 || earlier > PAST_MAX ||
        comparisons == 0) {
        fputs("usage: stored TAU RUNS PAST COMPARISONS\n", stderr);
        return 2;
    }
    size_t counts[OUTCOMES] = {0};
    for (size_t i = 0; i < comparisons; i++) {
        compare(i, tau, runs, earlier, counts);
    }
    for (int outcome = 0; outcome < OUTCOMES; outcome++) {
        printf("%s\ttimes\t%zu\t%zu\n", outcome_names[outcome], counts[outcome],
               comparisons);
    }
    return 0;
}
