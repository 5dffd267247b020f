/* Computes the answer for each cell, for the whole gate, and for each flow over its
 * devices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gate/gate_private.h"
#include "memory/memory.h"

const char *dj_gate_answer_name(enum dj_gate_answer answer)
{
    static const char *const names[] = {"pass", "fail", "not-measured", "undecided"};
    return names[answer];
}

static bool is_open(const struct dj_gate_cell *cell)
{
    return cell->compared && (cell->verdict == DJ_VERDICT_INCONCLUSIVE ||
                              cell->verdict == DJ_VERDICT_LIKELY_REGRESSION);
}

static enum dj_gate_answer find_answer(const struct dj_gate_cell *cell)
{
    size_t count[DJ_OBJECTIVE_STATES] = {0};
    for (size_t i = 0; i < cell->objective_count; i++) {
        count[cell->objective[i].result.state] += cell->objective[i].gates;
    }
    bool worse = cell->compared && cell->verdict == DJ_VERDICT_REGRESSION;
    return worse || count[DJ_OBJECTIVE_MISSED] > 0              ? DJ_GATE_FAIL
           : cell->missing.length > 0                           ? DJ_GATE_NOT_MEASURED
           : is_open(cell) || count[DJ_OBJECTIVE_UNDECIDED] > 0 ? DJ_GATE_UNDECIDED
                                                                : DJ_GATE_PASS;
}

static const char *find_priority(const struct dj_gate *gate, const char *flow)
{
    for (size_t i = 0; i < gate->planned.flow_count; i++) {
        if (strcmp(gate->planned.flow[i].name, flow) == 0) {
            return gate->planned.flow[i].priority;
        }
    }
    return NULL;
}

static void summarise_flows(struct dj_gate *gate)
{
    struct dj_range_member *members = dj_xcalloc(gate->cell_count, sizeof(*members));
    gate->flow = dj_xcalloc(gate->cell_count, sizeof(*gate->flow));
    for (size_t i = 0, first = 0; i < gate->cell_count; i++) {
        const struct dj_gate_cell *cell = &gate->cell[i];
        members[i - first] = (struct dj_range_member){.name = cell->batches->serial,
                                                      .verdict = cell->verdict,
                                                      .measured = cell->compared,
                                                      .facts = &cell->facts};
        bool last = i + 1 == gate->cell_count ||
                    strcmp(gate->cell[i + 1].batches->flow, cell->batches->flow) != 0;
        if (last) {
            struct dj_gate_flow *flow = &gate->flow[gate->flow_count++];
            flow->name = cell->batches->flow;
            flow->priority = find_priority(gate, flow->name);
            dj_gate_range_summarise(members, i + 1 - first, &flow->range);
            first = i + 1;
        }
    }
    free(members);
}

void dj_gate_set_answers(struct dj_gate *gate, const struct dj_gate_rules *rules)
{
    gate->age_ms = rules->now_unix_ms - gate->catalogue.batch[0].began_unix_ms;
    gate->stale = rules->stale_ms > 0 && gate->age_ms > rules->stale_ms;
    double needed = 0;
    summarise_flows(gate);
    for (size_t i = 0; i < gate->cell_count; i++) {
        struct dj_gate_cell *cell = &gate->cell[i];
        cell->answer = find_answer(cell);
        gate->count[cell->answer]++;
        if (cell->answer == DJ_GATE_UNDECIDED && is_open(cell)) {
            double runs = cell->comparison.runs_needed;
            needed = isnan(runs) ? INFINITY : fmax(needed, runs);
        }
    }
    gate->runs_needed = needed > 0 && isfinite(needed) ? needed : NAN;
    gate->answer = gate->count[DJ_GATE_FAIL] > 0 ? DJ_GATE_FAIL
                   : gate->count[DJ_GATE_NOT_MEASURED] > 0 || gate->stale
                       ? DJ_GATE_NOT_MEASURED
                   : gate->count[DJ_GATE_UNDECIDED] > 0 ? DJ_GATE_UNDECIDED
                                                        : DJ_GATE_PASS;
}
