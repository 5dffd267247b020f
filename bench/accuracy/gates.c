/*
 * gates CASE CELLS GATES: simulates gates of CELLS cells (a flow on a device) that look
 * after 10, 15, 20 and 30 runs per side, like `dejank gate --rerun`. A look judges p50,
 * p95 and jank rate of all cells as one family (Holm), at the level of the look. A gate
 * ends at a regression, when nothing is undecided, or after the last look.
 *
 * Writes a row to stdout for each rate: what is counted, metric (`all`), count, total.
 * The row `runs` has the total number of runs per side.
 *
 * CASE is null (nothing changed) or one-slower (one cell is a tenth slower, and the
 * others are unchanged).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/family.h"
#include "runs.h"
#include "stats/looks.h"

enum { SEED = 15, LOOKS = 4, CELLS_MAX = 12, GATED = 3, MEMBERS_MAX = CELLS_MAX * GATED };
static const double RUNS[LOOKS] = {10, 15, 20, 30};
static const double ALPHA = 0.05;
static const struct {
    enum dj_sim_metric metric;
    const char *compared;
} gated[GATED] = {{DJ_SIM_P50, "frame_time_p50"},
                  {DJ_SIM_P95, "frame_time_p95"},
                  {DJ_SIM_JANK, "jank_rate"}};

/* Outcomes of a gate, counted up to the look at which it ends. */
enum outcome {
    FALSE_DIRECTION, /* a direction for a metric of an unchanged cell */
    FALSE_FAIL,      /* a regression of such a metric */
    NAIVE,           /* FALSE_DIRECTION if each look used the whole alpha */
    FOUND,           /* a regression or a likely one in the slower cell */
    FAILED,
    OUTCOMES
};
static const char *const outcome_names[OUTCOMES] = {"false-direction", "false-fail",
                                                    "naive", "found", "failed"};

struct cell {
    struct dj_sim_side a, b;
    bool slower;
};

static size_t counts[OUTCOMES];
static double runs_taken;

static void fill_cells(struct dj_random *random, struct cell *cells, size_t count,
                       bool one_slower)
{
    for (size_t i = 0; i < count; i++) {
        struct dj_sim_shape shape = {
            .frames = 600, .run_sd = 0.05, .slower = 1, .more_janky = 1};
        cells[i].slower = one_slower && i == 0;
        dj_sim_side_fill(random, &shape, (size_t)RUNS[LOOKS - 1], &cells[i].a);
        shape.slower = cells[i].slower ? 1.1 : 1;
        dj_sim_side_fill(random, &shape, (size_t)RUNS[LOOKS - 1], &cells[i].b);
    }
}

static void judge(const struct cell *cells, size_t count, size_t runs, double level,
                  struct dj_family_member *members, struct dj_family_verdict *verdict)
{
    for (size_t i = 0; i < count * GATED; i++) {
        const struct cell *cell = &cells[i / GATED];
        enum dj_sim_metric metric = gated[i % GATED].metric;
        bool jank = metric == DJ_SIM_JANK;
        members[i] = (struct dj_family_member){
            .a = {cell->a.value[metric], jank ? cell->a.frames : NULL, runs},
            .b = {cell->b.value[metric], jank ? cell->b.frames : NULL, runs},
            .rules = {.kind = jank ? DJ_EFFECT_SHARE : DJ_EFFECT_RATIO,
                      .margin =
                          dj_compare_metric_find(gated[i % GATED].compared)->margin},
            .gates = true};
    }
    if (dj_compare_family_judge(members, count * GATED, level, verdict, NULL) != 0) {
        fputs("gates: a comparison failed\n", stderr);
        exit(5);
    }
}

static bool is_directed(enum dj_compare_verdict verdict)
{
    return verdict != DJ_VERDICT_EQUIVALENT && verdict != DJ_VERDICT_INCONCLUSIVE;
}

static bool is_worse(enum dj_compare_verdict verdict)
{
    return verdict == DJ_VERDICT_REGRESSION || verdict == DJ_VERDICT_LIKELY_REGRESSION;
}

/* Records the outcomes of a look. Returns true if the gate ends: it fails, or nothing is
 * undecided. */
static bool note(const struct cell *cells, size_t count,
                 const struct dj_family_member *members, bool told[OUTCOMES])
{
    bool undecided = false;
    for (size_t i = 0; i < count * GATED; i++) {
        enum dj_compare_verdict verdict = members[i].effect.verdict;
        bool slower = cells[i / GATED].slower;
        told[FALSE_DIRECTION] |= !slower && is_directed(verdict);
        told[FALSE_FAIL] |= !slower && verdict == DJ_VERDICT_REGRESSION;
        told[FOUND] |= slower && is_worse(verdict);
        told[FAILED] |= verdict == DJ_VERDICT_REGRESSION;
        undecided |=
            verdict == DJ_VERDICT_INCONCLUSIVE || verdict == DJ_VERDICT_LIKELY_REGRESSION;
    }
    return told[FAILED] || !undecided;
}

static void run_gate(const struct dj_looks *looks, size_t number, size_t count,
                     bool one_slower)
{
    struct dj_random random = dj_random_of(SEED + 1000 * count, number);
    static struct cell cells[CELLS_MAX];
    static struct dj_family_member members[MEMBERS_MAX];
    struct dj_family_verdict verdict;
    bool told[OUTCOMES] = {false};
    bool ended = false;
    fill_cells(&random, cells, count, one_slower);
    for (size_t look = 0; look < looks->count && !ended; look++) {
        size_t runs = (size_t)looks->runs[look];
        judge(cells, count, runs, looks->level[look], members, &verdict);
        ended = note(cells, count, members, told);
        runs_taken += ended || look + 1 == looks->count ? looks->runs[look] : 0;
        bool naive[OUTCOMES] = {false};
        judge(cells, count, runs, ALPHA, members, &verdict);
        note(cells, count, members, naive);
        told[NAIVE] |= naive[FALSE_DIRECTION];
    }
    for (int i = 0; i < OUTCOMES; i++) {
        counts[i] += told[i];
    }
}

int main(int argc, char **argv)
{
    bool one_slower = argc == 4 && strcmp(argv[1], "one-slower") == 0;
    bool known = one_slower || (argc == 4 && strcmp(argv[1], "null") == 0);
    size_t cells = argc == 4 ? (size_t)strtoul(argv[2], NULL, 10) : 0;
    size_t gates = argc == 4 ? (size_t)strtoul(argv[3], NULL, 10) : 0;
    struct dj_looks looks;
    if (!known || cells == 0 || cells > CELLS_MAX || gates == 0) {
        fputs("usage: gates null|one-slower CELLS GATES\n", stderr);
        return 2;
    }
    if (dj_looks_compute(RUNS, LOOKS, ALPHA, &looks) != 0) {
        fputs("gates: there are no levels\n", stderr);
        return 5;
    }
    for (size_t i = 0; i < gates; i++) {
        run_gate(&looks, i, cells, one_slower);
    }
    for (int outcome = 0; outcome < OUTCOMES; outcome++) {
        printf("%s\tall\t%zu\t%zu\n", outcome_names[outcome], counts[outcome], gates);
    }
    printf("runs\tall\t%.0f\t%zu\n", runs_taken, gates);
    return 0;
}
