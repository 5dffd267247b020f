#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "gate/gate_private.h"
#include "memory/memory.h"

/* No p is this small, so no direction is named. */
static const double NEVER = 1e-300;

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

static int compare_p(const void *a, const void *b)
{
    const struct family_test *x = a, *y = b;
    return DJ_COMPARE(x->p, y->p);
}

/* Sets the level of an objective. If Holm's method rejects the test, a missed objective
 * becomes undecided. */
static void apply_level_to_objective(struct dj_gate_objective *objective, double level,
                                     bool failed)
{
    objective->level = level;
    if (failed && objective->result.state == DJ_OBJECTIVE_MISSED) {
        objective->result.state = DJ_OBJECTIVE_UNDECIDED;
    }
}

static int apply_level(struct family_test *family_test, double level, bool failed,
                       double alpha, struct dj_error *err)
{
    if (family_test->objective != NULL) {
        apply_level_to_objective(family_test->objective, level, failed);
        return 0;
    }
    struct dj_family_member *member = family_test->member;
    member->rules.alpha = level;
    member->rules.alpha_p = failed ? NEVER : level;
    member->rules.alpha_within = alpha;
    member->rules.likely_is_open = true;
    return dj_compare_recompute_effect(&member->a, &member->b, &member->rules,
                                       &member->effect, err);
}

/* Holm's method as in family.c, over tests of several kinds. Equal p get equal levels. */
static int judge_tests(struct family_test *tests, size_t count, double alpha,
                       struct dj_error *err)
{
    bool failed = false;
    double least = 0;
    double adjusted = 0;
    double level = alpha;
    int code = 0;
    qsort(tests, count, sizeof(*tests), compare_p);
    for (size_t i = 0; code == 0 && i < count; i++) {
        if (i == 0 || tests[i].p > least) {
            least = tests[i].p;
            level = alpha / (double)(count - i);
            failed = failed || least > level;
            adjusted = fmax(adjusted, fmin(1, least * (double)(count - i)));
        }
        if (tests[i].member != NULL) {
            tests[i].member->adjusted_p = adjusted;
        }
        code = apply_level(&tests[i], level, failed, alpha, err);
    }
    return code;
}

/* ---- a cell's own verdict ---- */

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
