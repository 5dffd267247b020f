#include <math.h>
#include <stdlib.h>

#include "gate/gate_private.h"
#include "memory/memory.h"
#include "stats/adjust.h"

/* A test of the family. Either `member` or `objective` is set. */
struct family_test {
    double p;
    struct dj_family_member *member;
    struct dj_gate_objective *objective;
};

static size_t add_tests(struct dj_gate_cell *cell, struct family_test *tests)
{
    size_t count = 0;
    for (size_t i = 0; cell->compared && i < cell->comparison.metric_count; i++) {
        struct dj_family_member *member = &cell->comparison.metrics[i].member;
        if (member->gates && !dj_compare_refusal_drops_out(member->effect.refusal) &&
            !isnan(member->effect.p)) {
            tests[count++] =
                (struct family_test){.p = member->effect.p, .member = member};
        }
    }
    for (size_t i = 0; i < cell->objective_count; i++) {
        struct dj_gate_objective *objective = &cell->objective[i];
        if (objective->gates && !isnan(objective->result.p_missed)) {
            tests[count++] = (struct family_test){.p = objective->result.p_missed,
                                                  .objective = objective};
        }
    }
    return count;
}

static int apply_level(struct family_test *family_test, double level, bool significant,
                       double alpha, struct dj_error *err)
{
    struct dj_gate_objective *objective = family_test->objective;
    if (objective == NULL) {
        family_test->member->rules.likely_is_open = true;
        return dj_compare_family_apply_level(family_test->member, level, significant,
                                             alpha, err);
    }
    objective->level = level;
    if (!significant && objective->result.state == DJ_OBJECTIVE_MISSED) {
        objective->result.state = DJ_OBJECTIVE_UNDECIDED;
    }
    return 0;
}

/* Judges tests of metrics and of objectives together by Holm's method. */
static int judge_tests(struct family_test *tests, size_t count, double alpha,
                       struct dj_error *err)
{
    double *p = dj_xcalloc(3 * count, sizeof(*p));
    double *adjusted = p + count, *level = p + 2 * count;
    bool *significant = dj_xcalloc(count, sizeof(*significant));
    int code = 0;
    for (size_t i = 0; i < count; i++) {
        p[i] = fmin(1, fmax(0, tests[i].p));
    }
    dj_xcheck(dj_adjust_holm(p, count, adjusted) == 0 &&
              dj_adjust_holm_levels(p, count, alpha, level, significant) == 0);
    for (size_t i = 0; code == 0 && i < count; i++) {
        if (tests[i].member != NULL) {
            tests[i].member->adjusted_p = adjusted[i];
        }
        code = apply_level(&tests[i], level[i], significant[i], alpha, err);
    }
    free(significant);
    free(p);
    return code;
}

static void summarise_cell(struct dj_gate_cell *cell)
{
    struct dj_comparison *comparison = &cell->comparison;
    if (!cell->compared) {
        return;
    }
    struct dj_family_member *members =
        dj_xcalloc(comparison->metric_count, sizeof(*members));
    for (size_t i = 0; i < comparison->metric_count; i++) {
        members[i] = comparison->metrics[i].member;
    }
    dj_compare_family_combine(members, comparison->metric_count, &comparison->overall);
    cell->verdict = comparison->overall.verdict;
    for (size_t i = 0; i < comparison->metric_count; i++) {
        /* Each metric gates on its own. A metric that improved does not compensate for
         * another that got worse. */
        bool worse =
            members[i].gates && !dj_compare_refusal_drops_out(members[i].effect.refusal);
        if (worse && members[i].effect.verdict == DJ_VERDICT_REGRESSION) {
            cell->verdict = DJ_VERDICT_REGRESSION;
            comparison->leading = i;
            break;
        }
        if (worse && members[i].effect.verdict == DJ_VERDICT_LIKELY_REGRESSION &&
            cell->verdict != DJ_VERDICT_LIKELY_REGRESSION) {
            cell->verdict = DJ_VERDICT_LIKELY_REGRESSION;
            comparison->leading = i;
        }
    }
    comparison->runs_needed =
        dj_compare_family_runs_needed(members, comparison->metric_count);
    free(members);
}

int dj_gate_judge_family(struct dj_gate *gate, struct dj_error *err)
{
    size_t most = 0;
    for (size_t i = 0; i < gate->cell_count; i++) {
        most += gate->cell[i].comparison.metric_count + gate->cell[i].objective_count;
    }
    struct family_test *tests = dj_xcalloc(most, sizeof(*tests));
    for (size_t i = 0; i < gate->cell_count; i++) {
        gate->tests += add_tests(&gate->cell[i], tests + gate->tests);
    }
    int code = judge_tests(tests, gate->tests, gate->alpha, err);
    free(tests);
    for (size_t i = 0; code == 0 && i < gate->cell_count; i++) {
        summarise_cell(&gate->cell[i]);
    }
    return code;
}
