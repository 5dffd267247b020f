/*
 * batches: evaluates pairs of real batches. Reads the rows of runs-SET.csv (real.py) from
 * stdin. Writes rows to stdout, separated by tabs.
 *
 * For each pair: `pair`, its number, the overall verdict of the three metrics, then
 * verdict, p and ratio of p50 and of p95.
 *
 * Then for each rate: what is counted, metric, count, total:
 *   worse, better, hard   pairs with an overall verdict in this direction, or hard
 *   direction, hard       the same of a single metric, judged alone
 *   otava, perfherder     pairs that the rule of this tool reports (rivals.h)
 *   predicted             verdicts with a direction for made-up normal runs. They
 *                         spread like the runs of each pair, and differ by the median
 *                         ratio of all pairs
 *   split, split-hard     ten runs of A against ten other runs of A, from all pairs
 *   blocks                A's batch against A's batch of the next pair
 *
 * For p50 and p95 also `middle`: the median ratio and the median spread of the pairs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/family.h"
#include "random.h"
#include "rivals.h"

enum { SEED = 5, PAIRS_MAX = 200, RUNS_MAX = 30, LINE_MAX = 512, SPLITS = 1000 };
enum { PREDICTIONS = 250, RUNS = 10, METRICS = 3 };
enum { FIELD_P50 = 4, FIELD_P95 = 6, FIELD_JUDGED = 9, FIELD_JANKY = 10, FIELDS = 11 };
static const double ALPHA = 0.05, OTAVA_P = 0.001;
static const char *const names[METRICS] = {"frame_time_p50", "frame_time_p95",
                                           "jank_rate"};
static const int fields[METRICS] = {FIELD_P50, FIELD_P95, FIELD_JANKY};

struct side {
    double value[METRICS][RUNS_MAX];
    double frames[RUNS_MAX];
    size_t count;
};

static struct side pairs[PAIRS_MAX][2];
static size_t pair_count;
static double ratios[METRICS][PAIRS_MAX], spreads[METRICS][PAIRS_MAX];

/* ---- reading ---- */

static bool read_fields(char *line, double *number, char *arm)
{
    char *rest = line;
    for (int i = 0; i < FIELDS; i++) {
        const char *field = strsep(&rest, ",\n");
        if (field == NULL) {
            return false;
        }
        *arm = i == 1 ? field[0] : *arm;
        number[i] = strtod(field, NULL);
    }
    return true;
}

/* The header line reads as pair 0, so it is skipped like any bad number. */
static void read_runs(void)
{
    char line[LINE_MAX];
    while (fgets(line, sizeof(line), stdin) != NULL) {
        double number[FIELDS];
        char arm = 0;
        if (!read_fields(line, number, &arm) || number[0] < 1 || number[0] > PAIRS_MAX) {
            continue;
        }
        struct side *side = &pairs[(size_t)number[0] - 1][arm == 'B'];
        if (side->count < RUNS_MAX) {
            for (int i = 0; i < METRICS; i++) {
                side->value[i][side->count] = number[fields[i]];
            }
            side->frames[side->count++] = number[FIELD_JUDGED];
        }
        pair_count = number[0] > (double)pair_count ? (size_t)number[0] : pair_count;
    }
}

/* ---- judging ---- */

static struct dj_family_member member_of(const struct side *a, const struct side *b,
                                         int metric)
{
    const struct dj_compare_metric *compared = dj_compare_metric_find(names[metric]);
    struct dj_effect_side of_a = {a->value[metric], a->frames, a->count};
    struct dj_effect_side of_b = {b->value[metric], b->frames, b->count};
    return (struct dj_family_member){.a = of_a,
                                     .b = of_b,
                                     .rules = {.kind = compared->kind,
                                               .margin = compared->margin,
                                               .quantile = compared->quantile,
                                               .alpha = ALPHA},
                                     .gates = true};
}

static enum dj_compare_verdict judge_all(const struct side *a, const struct side *b,
                                         struct dj_family_member members[METRICS])
{
    struct dj_family_verdict verdict;
    for (int i = 0; i < METRICS; i++) {
        members[i] = member_of(a, b, i);
    }
    if (dj_compare_family_judge(members, METRICS, ALPHA, &verdict, NULL) != 0) {
        fputs("batches: a comparison failed\n", stderr);
        exit(5);
    }
    return verdict.verdict;
}

static struct dj_effect judge_one(const struct side *a, const struct side *b, int metric)
{
    struct dj_family_member member = member_of(a, b, metric);
    struct dj_effect effect;
    if (dj_compare_compute_effect(&member.a, &member.b, &member.rules, &effect, NULL) !=
        0) {
        fputs("batches: a comparison failed\n", stderr);
        exit(5);
    }
    return effect;
}

static bool is_directional(enum dj_compare_verdict verdict)
{
    return verdict != DJ_VERDICT_EQUIVALENT && verdict != DJ_VERDICT_INCONCLUSIVE;
}

static bool is_hard(enum dj_compare_verdict verdict)
{
    return verdict == DJ_VERDICT_REGRESSION || verdict == DJ_VERDICT_IMPROVEMENT;
}

/* ---- counting ---- */

static void show_rate(const char *what, const char *metric, size_t count, size_t of)
{
    printf("%s\t%s\t%zu\t%zu\n", what, metric, count, of);
}

static void show_pairs(void)
{
    size_t worse = 0;
    size_t better = 0;
    size_t hard = 0;
    for (size_t i = 0; i < pair_count; i++) {
        struct dj_family_member members[METRICS];
        enum dj_compare_verdict verdict = judge_all(&pairs[i][0], &pairs[i][1], members);
        printf("pair\t%zu\t%s", i + 1, dj_compare_verdict_name(verdict));
        for (int k = 0; k < 2; k++) {
            const struct dj_effect *effect = &members[k].effect;
            printf("\t%s\t%.4g\t%.4f", dj_compare_verdict_name(effect->verdict),
                   effect->p, effect->ratio);
            ratios[k][i] = effect->ratio;
            spreads[k][i] = effect->spread;
        }
        putchar('\n');
        worse +=
            verdict == DJ_VERDICT_REGRESSION || verdict == DJ_VERDICT_LIKELY_REGRESSION;
        better +=
            verdict == DJ_VERDICT_IMPROVEMENT || verdict == DJ_VERDICT_LIKELY_IMPROVEMENT;
        hard += is_hard(verdict);
    }
    show_rate("worse", "overall", worse, pair_count);
    show_rate("better", "overall", better, pair_count);
    show_rate("hard", "overall", hard, pair_count);
}

static void show_metric(int metric)
{
    size_t alarm = 0;
    size_t hard = 0;
    size_t otava = 0;
    size_t perfherder = 0;
    for (size_t i = 0; i < pair_count; i++) {
        const struct side *a = &pairs[i][0];
        const struct side *b = &pairs[i][1];
        struct dj_effect effect = judge_one(a, b, metric);
        size_t runs = a->count < b->count ? a->count : b->count;
        alarm += is_directional(effect.verdict);
        hard += is_hard(effect.verdict);
        otava += dj_otava_alarm(a->value[metric], b->value[metric], runs, OTAVA_P);
        perfherder += dj_perfherder_alarm(a->value[metric], b->value[metric], runs);
    }
    show_rate("direction", names[metric], alarm, pair_count);
    show_rate("hard", names[metric], hard, pair_count);
    show_rate("otava", names[metric], otava, pair_count);
    show_rate("perfherder", names[metric], perfherder, pair_count);
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(const double *values)
{
    double sorted[PAIRS_MAX];
    memcpy(sorted, values, pair_count * sizeof(*values));
    qsort(sorted, pair_count, sizeof(*sorted), by_size);
    return (sorted[(pair_count - 1) / 2] + sorted[pair_count / 2]) / 2;
}

/* Judges made-up runs with the spread of a pair. The sides differ by the median ratio. */
static void show_prediction(int metric)
{
    double shift = log(median(ratios[metric]));
    size_t told = 0;
    for (size_t i = 0; i < pair_count; i++) {
        struct dj_random random = dj_random_of(SEED, i);
        for (size_t k = 0; k < PREDICTIONS; k++) {
            struct side a = {.count = RUNS};
            struct side b = {.count = RUNS};
            for (size_t run = 0; run < RUNS; run++) {
                double sd = spreads[metric][i];
                a.value[metric][run] = exp(sd * dj_random_normal(&random));
                b.value[metric][run] = exp(shift + sd * dj_random_normal(&random));
                a.frames[run] = b.frames[run] = 1000;
            }
            told += is_directional(judge_one(&a, &b, metric).verdict);
        }
    }
    show_rate("predicted", names[metric], told, pair_count * PREDICTIONS);
    printf("middle\t%s\t%.4f\t%.4f\n", names[metric], exp(shift),
           median(spreads[metric]));
}

/* Compares ten runs of A with ten other runs of A, from any pairs. */
static void show_splits(int metric)
{
    static double pool[PAIRS_MAX * RUNS_MAX];
    size_t count = 0;
    size_t alarm = 0;
    size_t hard = 0;
    for (size_t i = 0; i < pair_count; i++) {
        memcpy(pool + count, pairs[i][0].value[metric],
               pairs[i][0].count * sizeof(*pool));
        count += pairs[i][0].count;
    }
    struct dj_random random = dj_random_of(SEED, PAIRS_MAX);
    for (size_t k = 0; k < SPLITS && count >= 2 * RUNS; k++) {
        struct side a = {.count = RUNS};
        struct side b = {.count = RUNS};
        dj_random_shuffle(&random, pool, count);
        memcpy(a.value[metric], pool, RUNS * sizeof(*pool));
        memcpy(b.value[metric], pool + RUNS, RUNS * sizeof(*pool));
        for (size_t run = 0; run < RUNS; run++) {
            a.frames[run] = b.frames[run] = 1000;
        }
        enum dj_compare_verdict verdict = judge_one(&a, &b, metric).verdict;
        alarm += is_directional(verdict);
        hard += is_hard(verdict);
    }
    show_rate("split", names[metric], alarm, SPLITS);
    show_rate("split-hard", names[metric], hard, SPLITS);
}

static void show_blocks(int metric)
{
    size_t alarm = 0;
    for (size_t i = 0; i + 1 < pair_count; i++) {
        alarm +=
            is_directional(judge_one(&pairs[i][0], &pairs[i + 1][0], metric).verdict);
    }
    show_rate("blocks", names[metric], alarm, pair_count - 1);
}

int main(void)
{
    read_runs();
    if (pair_count < 2) {
        fputs("batches: expected the rows of two pairs and more on stdin\n", stderr);
        return 4;
    }
    show_pairs();
    for (int metric = 0; metric < METRICS; metric++) {
        show_metric(metric);
    }
    for (int metric = 0; metric < 2; metric++) {
        show_prediction(metric);
        show_splits(metric);
        show_blocks(metric);
    }
    return 0;
}
