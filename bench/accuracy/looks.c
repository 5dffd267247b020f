/*
 * looks CASE COMPARISONS: simulates comparisons that look after 10, 15, 20 and 30 runs
 * per side, with the levels of stats/looks.h. A comparison ends at the first look with a
 * verdict.
 *
 * Writes a row to stdout for each rate: what is counted, metric (`p50`), count, total.
 * The row `runs` has the total number of runs per side.
 *
 * CASE is null (nothing changed), 1.5-sd (B is slower by 1.5 standard deviations of runs)
 * or margin (B is slower by exactly the margin).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/effect.h"
#include "runs.h"
#include "stats/looks.h"

enum { SEED = 12, LOOKS = 4 };
static const double RUNS[LOOKS] = {10, 15, 20, 30};
static const double ALPHA = 0.05, MARGIN = 0.05;
static const double RUN_SD = 0.0634; /* sd of ln p50 between runs, see spread.c */

enum outcome {
    WORSE, /* ended with: B is slower */
    BETTER,
    EQUIVALENT, /* ended with: the difference is within the margin */
    UNDECIDED,  /* no verdict after the last look */
    REGRESSION, /* ended with the verdict regression */
    NAIVE,      /* any look had p ≤ alpha, so stopping there would report a change */
    OUTCOMES
};
static const char *const outcome_names[OUTCOMES] = {
    "worse", "better", "equivalent", "undecided", "regression", "naive"};

static size_t counts[OUTCOMES];
static double runs_taken;

static struct dj_effect judge(const struct dj_sim_side *a, const struct dj_sim_side *b,
                              size_t runs, double level)
{
    struct dj_effect_rules rules = {
        .kind = DJ_EFFECT_RATIO, .margin = MARGIN, .alpha = level};
    struct dj_effect_side of_a = {a->value[DJ_SIM_P50], NULL, runs};
    struct dj_effect_side of_b = {b->value[DJ_SIM_P50], NULL, runs};
    struct dj_effect effect;
    if (dj_compare_compute_effect(&of_a, &of_b, &rules, &effect, NULL) != 0) {
        fputs("looks: a comparison failed\n", stderr);
        exit(5);
    }
    return effect;
}

static enum outcome outcome_of(const struct dj_effect *effect)
{
    static const enum outcome of[DJ_VERDICT_COUNT] = {
        [DJ_VERDICT_REGRESSION] = WORSE,      [DJ_VERDICT_LIKELY_REGRESSION] = WORSE,
        [DJ_VERDICT_EQUIVALENT] = EQUIVALENT, [DJ_VERDICT_LIKELY_IMPROVEMENT] = BETTER,
        [DJ_VERDICT_IMPROVEMENT] = BETTER,    [DJ_VERDICT_INCONCLUSIVE] = UNDECIDED,
    };
    return of[effect->verdict];
}

static void compare(const struct dj_looks *looks, size_t number, double slower)
{
    struct dj_random random = dj_random_of(SEED, number);
    struct dj_sim_shape shape = {
        .frames = 600, .run_sd = 0.05, .slower = 1, .more_janky = 1};
    struct dj_sim_side a;
    struct dj_sim_side b;
    dj_sim_side_fill(&random, &shape, (size_t)RUNS[LOOKS - 1], &a);
    shape.slower = slower;
    dj_sim_side_fill(&random, &shape, (size_t)RUNS[LOOKS - 1], &b);
    enum outcome outcome = UNDECIDED;
    size_t ended = looks->count;
    bool naive = false;
    bool regression = false;
    for (size_t look = 0; look < looks->count; look++) {
        struct dj_effect effect =
            judge(&a, &b, (size_t)looks->runs[look], looks->level[look]);
        naive = naive || effect.p <= ALPHA;
        if (ended == looks->count && outcome_of(&effect) != UNDECIDED) {
            outcome = outcome_of(&effect);
            regression = effect.verdict == DJ_VERDICT_REGRESSION;
            ended = look;
        }
    }
    counts[outcome]++;
    counts[REGRESSION] += regression;
    counts[NAIVE] += naive;
    runs_taken += looks->runs[ended < looks->count ? ended : looks->count - 1];
}

static double slower_of(const char *name)
{
    const struct {
        const char *name;
        double slower;
    } cases[] = {{"null", 1}, {"1.5-sd", exp(1.5 * RUN_SD)}, {"margin", 1 + MARGIN}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (strcmp(name, cases[i].name) == 0) {
            return cases[i].slower;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    double slower = argc == 3 ? slower_of(argv[1]) : 0;
    size_t comparisons = argc == 3 ? (size_t)strtoul(argv[2], NULL, 10) : 0;
    struct dj_looks looks;
    if (slower == 0 || comparisons == 0) {
        fputs("usage: looks null|1.5-sd|margin COMPARISONS\n", stderr);
        return 2;
    }
    if (dj_looks_compute(RUNS, LOOKS, ALPHA, &looks) != 0) {
        fputs("looks: there are no levels\n", stderr);
        return 5;
    }
    for (size_t i = 0; i < comparisons; i++) {
        compare(&looks, i, slower);
    }
    for (int outcome = 0; outcome < OUTCOMES; outcome++) {
        printf("%s\tp50\t%zu\t%zu\n", outcome_names[outcome], counts[outcome],
               comparisons);
    }
    printf("runs\tp50\t%.0f\t%zu\n", runs_taken, comparisons);
    return 0;
}
