#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/baseline.h"
#include "gate/baseline_private.h"
#include "memory/memory.h"

void dj_gate_cells_add(struct dj_cells *cells, const char *flow, const char *serial)
{
    for (size_t i = 0; i < cells->count; i++) {
        if (strcmp(cells->cell[i].flow, flow) == 0 &&
            strcmp(cells->cell[i].serial, serial) == 0) {
            return;
        }
    }
    DJ_XPUSH(cells->cell, cells->count,
             (struct dj_cell_batches){.flow = flow, .serial = serial});
}

static int compare_cells(const void *a, const void *b)
{
    const struct dj_cell_batches *x = a, *y = b;
    int flow = strcmp(x->flow, y->flow);
    return flow != 0 ? flow : strcmp(x->serial, y->serial);
}

void dj_gate_cells_sort(struct dj_cells *cells)
{
    qsort(cells->cell, cells->count, sizeof(*cells->cell), compare_cells);
}

/* Adds the cells of the candidate and of the baseline. If the baseline is the last N
 * batches, only cells with the newest build of the baseline are required. Otherwise a
 * flow that is no longer measured would be missing forever. */
static void add_cells(struct dj_baseline_choice *choosing)
{
    const struct dj_catalogue *catalogue = choosing->catalogue;
    struct dj_cells *cells = choosing->cells;
    for (size_t i = 0; i < catalogue->count; i++) {
        const struct dj_batch_row *batch = &catalogue->batch[i];
        bool candidates = dj_gate_baseline_is_candidate_batch(choosing, batch);
        if (!dj_gate_baseline_is_wanted(choosing, batch) ||
            (!candidates &&
             !dj_gate_baseline_is_baseline_batch(choosing, batch, choosing->candidate))) {
            continue;
        }
        if (!candidates && cells->baseline == NULL) {
            cells->baseline = batch;
        }
        if (candidates || batch == cells->baseline ||
            (dj_gate_baseline_has_identity(batch) &&
             dj_gate_catalogue_same_build(batch, cells->baseline))) {
            dj_gate_cells_add(cells, batch->name, batch->serial);
        }
    }
    for (size_t i = 0; i < choosing->wish->wanted_count; i++) {
        const struct dj_wanted_cell *wanted = &choosing->wish->wanted[i];
        dj_gate_cells_add(cells, wanted->flow, wanted->serial);
    }
}

static bool is_in_cell(const struct dj_cell_batches *cell,
                       const struct dj_batch_row *batch)
{
    return strcmp(cell->flow, batch->name) == 0 &&
           strcmp(cell->serial, batch->serial) == 0;
}

/* Chooses the newest batch of the candidate and the newest batches of the baseline. A
 * baseline batch that was measured together with the candidate's batch is preferred. */
static void fill_cell(const struct dj_baseline_choice *choosing,
                      struct dj_cell_batches *cell)
{
    const struct dj_catalogue *catalogue = choosing->catalogue;
    size_t most =
        choosing->baseline.kind == DJ_BASELINE_LAST ? choosing->baseline.count : 1;
    for (size_t i = 0; i < catalogue->count && cell->candidate == NULL; i++) {
        const struct dj_batch_row *batch = &catalogue->batch[i];
        if (is_in_cell(cell, batch) &&
            dj_gate_baseline_is_candidate_batch(choosing, batch)) {
            cell->candidate = batch;
        }
    }
    for (int together = 1; together >= 0 && cell->baseline_count == 0; together--) {
        for (size_t i = 0; i < catalogue->count && cell->baseline_count < most; i++) {
            const struct dj_batch_row *batch = &catalogue->batch[i];
            if (is_in_cell(cell, batch) &&
                (!together || dj_gate_baseline_is_grouped(cell->candidate, batch)) &&
                dj_gate_baseline_is_baseline_batch(choosing, batch, cell->candidate)) {
                DJ_XPUSH(cell->baseline, cell->baseline_count, batch);
            }
        }
    }
}

static void format_words(struct dj_baseline_choice *choosing)
{
    static const char *const kinds[] = {
        [DJ_BASELINE_INTERLEAVED] = "interleaved build ",
        [DJ_BASELINE_NAMED] = "",
        [DJ_BASELINE_LAST_RELEASE] = "last release ",
        [DJ_BASELINE_MERGE_BASE] = "merge base ",
        [DJ_BASELINE_LAST] = "last batches, from ",
        [DJ_BASELINE_NONE] = "nothing",
    };
    struct dj_text words = {.maximum = sizeof(choosing->cells->words) - 1};
    dj_text_add(&words, kinds[choosing->baseline.kind]);
    if (choosing->cells->baseline != NULL) {
        dj_gate_format_build(&words, choosing->cells->baseline);
    }
    snprintf(choosing->cells->words, sizeof(choosing->cells->words), "%s",
             dj_text_get(&words));
    dj_text_finish(&words);
}

static int check_baseline(const struct dj_baseline_choice *choosing, struct dj_error *err)
{
    const struct dj_baseline_option *baseline = &choosing->baseline;
    if (choosing->cells->baseline != NULL || baseline->kind == DJ_BASELINE_NONE) {
        return 0;
    }
    if (baseline->kind == DJ_BASELINE_NAMED) {
        bool itself = dj_gate_catalogue_matches(choosing->candidate, baseline->name);
        return dj_error_set(err, itself ? DJ_E_USAGE : DJ_E_NO_DATA,
                            itself ? "the baseline '%.100s' is the candidate itself"
                                   : "no batch of the baseline '%.100s' is in the store",
                            baseline->name);
    }
    return dj_error_set(err, DJ_E_NO_DATA, "%s%s%.60s%s",
                        baseline->kind == DJ_BASELINE_LAST
                            ? "no batch before the candidate is in the store"
                            : "the candidate was not measured interleaved "
                              "with another build",
                        baseline->name[0] != '\0' ? " of the branch '" : "",
                        baseline->name, baseline->name[0] != '\0' ? "'" : "");
}

static int choose_cells(struct dj_baseline_choice *choosing, struct dj_error *err)
{
    int code = dj_gate_baseline_find_candidate(choosing, err);
    if (code != 0) {
        return code;
    }
    if (!choosing->wish->has_baseline) {
        choosing->baseline.kind = choosing->candidate->group != NULL
                                      ? DJ_BASELINE_INTERLEAVED
                                      : DJ_BASELINE_LAST_RELEASE;
    }
    choosing->cells->candidate = choosing->candidate;
    code = dj_gate_baseline_find(choosing, err);
    if (code != 0) {
        return code;
    }
    add_cells(choosing);
    code = check_baseline(choosing, err);
    for (size_t i = 0; code == 0 && i < choosing->cells->count; i++) {
        fill_cell(choosing, &choosing->cells->cell[i]);
    }
    return code;
}

int dj_gate_cells_choose(const struct dj_catalogue *catalogue,
                         const struct dj_cells_options *wish, struct dj_cells *cells,
                         struct dj_error *err)
{
    struct dj_baseline_choice choosing = {
        .catalogue = catalogue, .wish = wish, .baseline = wish->baseline, .cells = cells};
    *cells = (struct dj_cells){.count = 0};
    int code = choose_cells(&choosing, err);
    if (code == 0) {
        dj_gate_cells_sort(cells);
        format_words(&choosing);
    }
    dj_text_finish(&choosing.commits);
    return code;
}

void dj_gate_cells_finish(struct dj_cells *cells)
{
    for (size_t i = 0; i < cells->count; i++) {
        free(cells->cell[i].baseline);
    }
    free(cells->cell);
    *cells = (struct dj_cells){.count = 0};
}
