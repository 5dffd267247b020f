#include "gate/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gate/gate_private.h"
#include "memory/memory.h"
#include "store/loaded_batch.h"

static const double ALPHA = 0.05;

const struct dj_comparison_metric *dj_gate_metric_at(const struct dj_gate_cell *cell,
                                                     size_t i)
{
    for (size_t k = 0; cell->compared && k < cell->comparison.metric_count; k++) {
        const struct dj_family_member *member = &cell->comparison.metrics[k].member;
        if (member->gates && !dj_compare_refusal_drops_out(member->effect.refusal) &&
            i-- == 0) {
            return &cell->comparison.metrics[k];
        }
    }
    return NULL;
}

static void add_missing(struct dj_gate_cell *cell, const char *what)
{
    dj_text_format(&cell->missing, "%s%s", cell->missing.length > 0 ? "; " : "", what);
}

/* Adds a cell for each flow that the candidate's plan names, on each device of the
 * candidate. */
static void add_wanted_flows(struct dj_gate *gate, const struct dj_gate_rules *rules)
{
    struct dj_cells *cells = &gate->cells;
    const size_t before = cells->count;
    for (size_t i = 0; i < before * gate->planned.flow_count; i++) {
        const char *flow = gate->planned.flow[i / before].name;
        const struct dj_cell_batches *cell = &cells->cell[i % before];
        if (cell->candidate != NULL &&
            (rules->cells.flow == NULL || strcmp(rules->cells.flow, flow) == 0)) {
            dj_gate_cells_add(cells, flow, cell->serial);
        }
    }
}

/* Loads a batch and, unless `objectives` is NULL, the objectives of its plan. Call
 * dj_store_loaded_batch_finish() in every case. */
static int load_batch(struct dj_store *store, const struct dj_batch_row *batch,
                      struct dj_loaded_batch *loaded, struct dj_objectives *objectives,
                      struct dj_error *err)
{
    int code = dj_store_load_batch(store, batch->key, loaded, err);
    if (code != 0 || objectives == NULL) {
        return code;
    }
    code = dj_gate_objectives_read(loaded->batch.objectives, objectives, err);
    if (code != 0) {
        dj_error_prepend(err, "batch %s", batch->id);
    }
    return code;
}

static int read_plan(struct dj_store *store, struct dj_gate *gate, struct dj_error *err)
{
    struct dj_loaded_batch loaded = {0};
    int code = load_batch(store, gate->cells.candidate, &loaded, &gate->planned, err);
    dj_store_loaded_batch_finish(&loaded);
    return code;
}

static void assess_all(struct dj_gate_cell *cell, const struct dj_objectives *objectives,
                       const struct dj_loaded_batch *loaded,
                       const struct dj_gate_rules *rules, double alpha)
{
    for (size_t i = 0; objectives != NULL && i < objectives->count; i++) {
        const struct dj_objective *objective = &objectives->objective[i];
        if (!dj_gate_objective_applies(objective, cell->batches->flow,
                                       cell->batches->serial, &cell->facts)) {
            continue;
        }
        struct dj_gate_objective own = {.objective = objective, .level = NAN};
        dj_gate_objective_assess(objective, loaded->runs, loaded->run_count, alpha,
                                 rules->now_unix_ms, &own.result);
        own.gates = own.result.due;
        DJ_XPUSH(cell->objective, cell->objective_count, own);
        if (own.gates && own.result.state == DJ_OBJECTIVE_NOT_MEASURED) {
            add_missing(cell, "an objective: no run has ");
            dj_text_add(&cell->missing, objective->metric_name);
        }
    }
}

static int assess(struct dj_store *store, struct dj_gate_cell *cell,
                  const struct dj_gate_rules *rules, double alpha, struct dj_error *err)
{
    struct dj_loaded_batch loaded = {0};
    int code = load_batch(store, cell->batches->candidate, &loaded,
                          rules->only_these ? NULL : &cell->stored, err);
    if (code == 0) {
        for (size_t i = 0; i < loaded.fact_count; i++) {
            dj_facts_set(&cell->facts, &loaded.facts[i]);
        }
        dj_facts_set_system(&cell->facts, loaded.batch.model, loaded.batch.release);
        assess_all(cell, &cell->stored, &loaded, rules, alpha);
        assess_all(cell, rules->objectives, &loaded, rules, alpha);
    }
    dj_store_loaded_batch_finish(&loaded);
    return code;
}

static void name_side(struct dj_side *side, const struct dj_batch_row *batch)
{
    struct dj_text name = {0};
    dj_gate_format_build(&name, batch);
    dj_compare_side_set_name(side, dj_xtext(&name));
    dj_text_finish(&name);
}

static int add_sides(struct dj_store *store, struct dj_gate_cell *cell,
                     struct dj_error *err)
{
    const struct dj_cell_batches *batches = cell->batches;
    int code = 0;
    if (batches->baseline_count > 0) {
        name_side(&cell->a, batches->baseline[0]);
    }
    for (size_t i = batches->baseline_count; code == 0 && i > 0; i--) {
        code = dj_compare_side_add_batch(&cell->a, store, batches->baseline[i - 1]->key,
                                         err);
    }
    if (code != 0) {
        return code;
    }
    name_side(&cell->b, batches->candidate);
    return dj_compare_side_add_batch(&cell->b, store, batches->candidate->key, err);
}

/* Adds gated metrics that cannot be judged to the text about missing measurements:
 * - each metric that the baseline's runs have and the candidate's runs lack,
 * - if the caller chose the metrics, each other one that cannot be judged,
 * - one sentence, if no metric can be judged and none of the above was added. */
static void add_missing_metrics(struct dj_gate_cell *cell, bool chosen)
{
    for (size_t i = 0; i < cell->comparison.metric_count; i++) {
        const struct dj_comparison_metric *metric = &cell->comparison.metrics[i];
        const struct dj_effect *effect = &metric->member.effect;
        bool refused =
            metric->member.gates && dj_compare_refusal_drops_out(effect->refusal);
        bool gated = metric->member.gates || (!chosen && metric->metric->gates);
        bool lost = gated && effect->n_b == 0 && effect->n_a > 0;
        if (lost || (refused && chosen)) {
            add_missing(cell, metric->metric->words);
            dj_text_format(&cell->missing, " (%s)",
                           lost ? "the candidate's runs lack this metric"
                                : dj_compare_refusal_text(effect->refusal));
        }
    }
    if (dj_gate_metric_at(cell, 0) == NULL && cell->missing.length == 0) {
        add_missing(cell, "the runs have too little data for all checked metrics");
    }
}

static int compare_cell(struct dj_store *store, struct dj_gate_cell *cell,
                        const struct dj_gate_rules *rules, double alpha,
                        struct dj_error *err)
{
    const struct dj_compare_rules how = {.alpha = alpha,
                                         .margin = rules->margin,
                                         .gates = rules->gates,
                                         .gate_count = rules->gate_count,
                                         .history = store};
    struct dj_error why = {0};
    int code = dj_compare_sides(&cell->a, &cell->b, &how, &cell->comparison, &why);
    if (code == DJ_E_NO_DATA) {
        add_missing(cell, why.message);
        return 0;
    }
    if (code != 0) {
        return dj_error_set(err, code, "%s on %s: %s", cell->batches->flow,
                            cell->batches->serial, why.message);
    }
    cell->compared = true;
    add_missing_metrics(cell, rules->gate_count > 0);
    return 0;
}

static int judge_cell(struct dj_store *store, struct dj_gate_cell *cell,
                      const struct dj_gate_rules *rules, double alpha,
                      struct dj_error *err)
{
    const struct dj_cell_batches *batches = cell->batches;
    bool has_baseline =
        !rules->cells.has_baseline || rules->cells.baseline.kind != DJ_BASELINE_NONE;
    dj_facts_init(&cell->facts);
    if (batches->candidate == NULL) {
        add_missing(cell, "the candidate was not measured");
        return 0;
    }
    int code = assess(store, cell, rules, alpha, err);
    if (code != 0 || (code = add_sides(store, cell, err)) != 0) {
        return code;
    }
    cell->is_new = has_baseline && batches->baseline_count == 0 && rules->allow_new;
    if (cell->b.run_count == 0) {
        add_missing(cell, "the candidate has no valid run");
    } else if (has_baseline && batches->baseline_count == 0 && !rules->allow_new) {
        add_missing(cell, "the baseline was not measured");
    } else if (batches->baseline_count > 0 && cell->a.run_count == 0) {
        add_missing(cell, "the baseline has no valid run");
    } else if (batches->baseline_count > 0) {
        return compare_cell(store, cell, rules, alpha, err);
    } else if (!has_baseline && cell->objective_count == 0 && rules->stale_ms == 0) {
        add_missing(cell, "there is nothing to check: no baseline and no objective");
    }
    return 0;
}

static int choose_batches(struct dj_store *store, const struct dj_gate_rules *rules,
                          struct dj_gate *gate, struct dj_error *err)
{
    int code = dj_gate_catalogue_load(store, rules->project, &gate->catalogue, err);
    if (code == 0) {
        code = dj_gate_cells_choose(&gate->catalogue, &rules->cells, &gate->cells, err);
    }
    if (code != 0 || (code = read_plan(store, gate, err)) != 0) {
        return code;
    }
    if (rules->cells.wanted_count == 0) {
        add_wanted_flows(gate, rules);
        dj_gate_cells_sort(&gate->cells);
    }
    return 0;
}

int dj_gate_judge(struct dj_store *store, const struct dj_gate_rules *rules,
                  struct dj_gate *gate, struct dj_error *err)
{
    *gate = (struct dj_gate){.alpha = rules->alpha > 0 ? rules->alpha : ALPHA};
    int code = choose_batches(store, rules, gate, err);
    gate->cell = dj_xcalloc(gate->cells.count, sizeof(*gate->cell));
    for (size_t i = 0; code == 0 && i < gate->cells.count; i++) {
        gate->cell[i] = (struct dj_gate_cell){.batches = &gate->cells.cell[i],
                                              .verdict = DJ_VERDICT_INCONCLUSIVE};
        gate->cell_count++;
        code = judge_cell(store, &gate->cell[i], rules, gate->alpha, err);
    }
    if (code != 0 || (code = dj_gate_judge_family(gate, err)) != 0) {
        return code;
    }
    dj_gate_set_answers(gate, rules);
    return 0;
}

void dj_gate_finish(struct dj_gate *gate)
{
    for (size_t i = 0; i < gate->cell_count; i++) {
        struct dj_gate_cell *cell = &gate->cell[i];
        dj_compare_comparison_finish(&cell->comparison);
        dj_compare_side_finish(&cell->a);
        dj_compare_side_finish(&cell->b);
        dj_gate_objectives_finish(&cell->stored);
        dj_text_finish(&cell->missing);
        free(cell->objective);
    }
    free(gate->cell);
    free(gate->flow);
    dj_gate_objectives_finish(&gate->planned);
    dj_gate_cells_finish(&gate->cells);
    dj_gate_catalogue_finish(&gate->catalogue);
    *gate = (struct dj_gate){.cell = NULL};
}
