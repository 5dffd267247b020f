#include "plan/gate_request.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "store/loaded_batch.h"

/* Returns the smallest number of runs that a side has in any comparison, or 0 if there is
 * no comparison. */
static size_t count_measured_runs(const struct dj_gate *gate)
{
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < gate->cell_count; i++) {
        const struct dj_gate_cell *cell = &gate->cell[i];
        if (cell->compared) {
            size_t runs = cell->a.run_count < cell->b.run_count ? cell->a.run_count
                                                                : cell->b.run_count;
            least = runs < least ? runs : least;
        }
    }
    return least != SIZE_MAX ? least : 0;
}

/* Returns the largest number of runs for which a candidate's batch was planned, at least
 * 2. If a batch does not record its plan, its number of valid runs is used. */
static double find_planned_runs(const struct dj_gate *gate)
{
    int64_t most = 0;
    for (size_t i = 0; i < gate->cell_count; i++) {
        const struct dj_batch_row *batch = gate->cell[i].batches->candidate;
        int64_t planned = batch == NULL             ? 0
                          : batch->runs.planned > 0 ? batch->runs.planned
                                                    : batch->runs.clean;
        most = planned > most ? planned : most;
    }
    return most >= 2 ? (double)most : 2;
}

int dj_plan_gate_interim_levels(const struct dj_gate_request *request,
                                const struct dj_gate *gate, struct dj_looks *looks,
                                size_t *look, struct dj_error *err)
{
    const double planned = find_planned_runs(gate);
    const double usual[] = {planned, ceil(1.5 * planned), 2 * planned, 3 * planned};
    const double *runs =
        request->plan.gate.look_count > 0 ? request->plan.gate.looks : usual;
    size_t count = request->plan.gate.look_count > 0 ? request->plan.gate.look_count : 4;
    double alpha = request->rules.alpha > 0 ? request->rules.alpha : 0.05;
    int code = dj_looks_compute(runs, count, alpha, looks);
    if (code != 0) {
        return dj_error_set(err, code,
                            "--looks: cannot plan decisions after these numbers of runs, "
                            "expected rising numbers");
    }
    *look = 0;
    while (*look + 1 < looks->count &&
           looks->runs[*look + 1] <= (double)count_measured_runs(gate)) {
        (*look)++;
    }
    return 0;
}

char *dj_plan_find_stored(struct dj_store *history, const struct dj_gate *gate)
{
    struct dj_loaded_batch loaded = {0};
    json_t *options = NULL;
    if (dj_store_load_batch(history, gate->cells.candidate->key, &loaded, NULL) == 0 &&
        loaded.batch.options != NULL) {
        options = json_loads(loaded.batch.options, 0, NULL);
    }
    char *file = dj_xstrdup(json_string_value(json_object_get(options, "plan")));
    json_decref(options);
    dj_store_loaded_batch_finish(&loaded);
    return file;
}

static bool lacks_interleaved_runs(const struct dj_gate_cell *cell,
                                   const struct dj_messages *messages)
{
    const struct dj_batch_row *candidate = cell->batches->candidate;
    if (cell->batches->baseline_count == 1 && candidate->group != NULL &&
        cell->batches->baseline[0]->group != NULL &&
        strcmp(candidate->group, cell->batches->baseline[0]->group) == 0) {
        return false;
    }
    dj_message(messages, "%s on %s: cannot add runs, because %s", cell->batches->flow,
               cell->batches->serial,
               cell->batches->baseline_count > 1
                   ? "the baseline has several batches. hint: name one of them with "
                     "--baseline"
                   : "the two builds were not measured interleaved. hint: a plan with "
                     "both builds measures them again");
    return true;
}

const char **dj_plan_find_undecided_flows(const struct dj_gate *gate,
                                          const struct dj_messages *messages,
                                          size_t *count)
{
    const char **flows = dj_xcalloc(gate->cell_count, sizeof(*flows));
    *count = 0;
    for (size_t i = 0; i < gate->cell_count; i++) {
        const struct dj_gate_cell *cell = &gate->cell[i];
        if (cell->answer != DJ_GATE_UNDECIDED) {
            continue;
        }
        if (cell->compared && lacks_interleaved_runs(cell, messages)) {
            free(flows);
            return NULL;
        }
        if (*count == 0 || strcmp(flows[*count - 1], cell->batches->flow) != 0) {
            flows[(*count)++] = cell->batches->flow;
        }
    }
    return flows;
}
