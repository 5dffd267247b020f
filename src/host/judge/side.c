#include "judge/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "history/loaded_batch.h"

enum { LOOKED_INTO = 6 }; /* runs of a batch whose evidence is read */

/* ---- what a side keeps ---- */

/* NULL stays NULL; *code is set where memory runs out. */
static const char *keep(struct dj_side *side, const char *text, int *code)
{
    if (text == NULL || *code != 0) {
        return NULL;
    }
    char *copy = strdup(text);
    if (copy == NULL || !DJ_ARRAY_PUSH(side->texts, side->text_count, copy)) {
        free(copy);
        *code = DJ_E_NO_MEMORY;
        return NULL;
    }
    return copy;
}

static int no_memory(struct dj_error *err)
{
    return dj_error_set(err, DJ_E_NO_MEMORY, "the runs do not fit into memory");
}

int dj_side_name(struct dj_side *side, const char *name, struct dj_error *err)
{
    int code = 0;
    side->name = keep(side, name, &code);
    return code == 0 ? 0 : no_memory(err);
}

int dj_side_add_run(struct dj_side *side, struct dj_side_run *run, struct dj_error *err)
{
    int code = 0;
    if (!DJ_ARRAY_ROOM(side->runs, side->run_count)) {
        return no_memory(err);
    }
    struct dj_side_run *own = &side->runs[side->run_count++];
    *own = *run;
    run->times = (struct dj_histogram){0};
    own->release = keep(side, run->release, &code);
    own->source = keep(side, run->source, &code);
    own->digest = keep(side, run->digest, &code);
    own->disturbed = keep(side, run->disturbed, &code);
    return code == 0 ? 0 : no_memory(err);
}

int dj_side_leave_out(struct dj_side *side, const char *what, const char *why,
                      struct dj_error *err)
{
    int code = 0;
    if (!DJ_ARRAY_PUSH(side->left_out, side->left_out_count,
                       (struct dj_side_left_out){.what = keep(side, what, &code),
                                                 .why = keep(side, why, &code)})) {
        return no_memory(err);
    }
    return code == 0 ? 0 : no_memory(err);
}

void dj_side_finish(struct dj_side *side)
{
    for (size_t i = 0; i < side->run_count; i++) {
        dj_histogram_finish(&side->runs[i].times);
    }
    for (size_t i = 0; i < side->text_count; i++) {
        free(side->texts[i]);
    }
    free(side->runs);
    free(side->batches);
    free(side->left_out);
    free(side->texts);
    *side = (struct dj_side){0};
}

bool dj_side_center(const struct dj_side *side, enum dj_metric metric,
                    struct dj_center *center)
{
    double *values = calloc(side->run_count + 1, sizeof(*values));
    for (size_t i = 0; i < side->run_count && values != NULL; i++) {
        values[i] = side->runs[i].metrics.value[metric];
    }
    *center = (struct dj_center){0};
    if (values != NULL) {
        dj_center_of(values, side->run_count, center);
    }
    free(values);
    return center->count > 0;
}

/* ---- a batch of a store ---- */

static int add_batch(struct dj_side *side, const struct dj_batch_row *row,
                     const char *store, struct dj_error *err)
{
    int code = 0;
    if (!DJ_ARRAY_ROOM(side->batches, side->batch_count)) {
        return no_memory(err);
    }
    side->batches[side->batch_count++] = (struct dj_side_batch){
        .key = row->key,
        .device_key = row->device_key,
        .began_unix_ms = row->began_unix_ms,
        .id = keep(side, row->id, &code),
        .name = keep(side, row->name, &code),
        .kind = keep(side, row->kind, &code),
        .project = keep(side, row->project, &code),
        .version = keep(side, row->version, &code),
        .commit = keep(side, row->commit, &code),
        .label = keep(side, row->label, &code),
        .serial = keep(side, row->serial, &code),
        .model = keep(side, row->model, &code),
        .release = keep(side, row->release, &code),
        .group = keep(side, row->group, &code),
        .arm = keep(side, row->arm, &code),
        .store = keep(side, store, &code),
    };
    return code == 0 ? 0 : no_memory(err);
}

static int leave_out(struct dj_side *side, const struct dj_batch_row *batch,
                     const struct dj_run_row *run, struct dj_error *err)
{
    char what[96];
    char why[320];
    const char *outcome = dj_run_outcome_name(run->outcome);
    const char *reason = run->excluded != NULL ? run->excluded : run->reason;
    snprintf(what, sizeof(what), "run %lld of batch %s", (long long)run->number,
             batch->id);
    snprintf(why, sizeof(why), "%s%s%.240s", run->excluded != NULL ? "left out" : outcome,
             reason != NULL ? ": " : "", reason != NULL ? reason : "");
    return dj_side_leave_out(side, what, why, err);
}

/* ---- what lies beside a run's figures ---- */

/* A side whose runs from `first` on are those of a batch, in the order of the taking. */
struct filling {
    struct dj_side *side;
    size_t at;
};

/* Runs that do not count have histograms too; both come in the same order. */
static int take_times(void *user, int64_t run, struct dj_histogram *times)
{
    struct filling *filling = user;
    struct dj_side *side = filling->side;
    for (size_t i = filling->at; i < side->run_count; i++) {
        if (side->runs[i].key == run) {
            side->runs[i].times = *times;
            *times = (struct dj_histogram){0};
            filling->at = i + 1;
            break;
        }
    }
    return 0;
}

/* The pieces that figures come from. */
struct pieces {
    int64_t *ordinals;
    size_t count;
};

static int take_piece(void *user, const struct dj_evidence_row *row)
{
    struct pieces *pieces = user;
    if (strcmp(row->kind, DJ_EVIDENCE_GFXINFO) != 0) {
        return 0;
    }
    if (!DJ_ARRAY_PUSH(pieces->ordinals, pieces->count, row->ordinal)) {
        return DJ_E_NO_MEMORY;
    }
    return 0;
}

static int compute_findings(const struct dj_text *text, const struct dj_run_row *row,
                            struct dj_side_run *run, struct dj_error *err)
{
    static const struct dj_span everything = {0, 0};
    struct dj_window_figures figures = {0};
    struct dj_figure_rules rules = {
        .release = row->release != NULL ? dj_dialect_find(row->release) : NULL};
    int code = dj_metrics_compute(dj_text_get(text), text->length, &rules, &everything, 1,
                                  0, &figures, err);
    run->findings_known = code == 0 && figures.findings_known;
    memcpy(run->found, figures.found, sizeof(run->found));
    dj_window_figures_finish(&figures);
    return code;
}

/* The store keeps how many there are; which, its evidence tells. Where there are none
 * nobody need look; where there are, a few runs of a batch tell what changed. */
static int read_findings(struct dj_history *history, const struct dj_run_row *row,
                         bool look, struct dj_side_run *run, struct dj_error *err)
{
    struct pieces pieces = {0};
    struct dj_text text = {0};
    double findings = row->metrics.value[DJ_METRIC_FINDINGS];
    run->findings_known = findings == 0;
    if (!(findings > 0) || !look) {
        return 0;
    }
    int code = dj_history_each_evidence(history, row->key, take_piece, &pieces, err);
    for (size_t i = 0; i < pieces.count && code == 0; i++) {
        code =
            dj_history_read_evidence(history, row->key, pieces.ordinals[i], &text, err);
    }
    code = code == 0 ? compute_findings(&text, row, run, err) : code;
    free(pieces.ordinals);
    dj_text_finish(&text);
    return code;
}

static int add_run(struct dj_side *side, struct dj_history *history,
                   const struct dj_batch_row *batch, const struct dj_run_row *row,
                   bool look, struct dj_error *err)
{
    bool made_here = batch->kind != NULL && strcmp(batch->kind, "run") == 0;
    struct dj_side_run run = {
        .key = row->key,
        .metrics = row->metrics,
        .number = row->number,
        .order_index = made_here ? row->order_index : -1,
        .started_unix_ms = made_here ? row->started_unix_ms : 0,
        .span = row->span,
        .release = row->release,
        .source = batch->id,
        .disturbed = row->reason,
        .batch = side->batch_count - 1,
    };
    int code = read_findings(history, row, look, &run, err);
    return code == 0 ? dj_side_add_run(side, &run, err) : code;
}

int dj_side_add_batch(struct dj_side *side, struct dj_history *history, int64_t key,
                      struct dj_error *err)
{
    struct dj_loaded_batch loaded = {0};
    struct filling filling = {side, side->run_count};
    int code = dj_loaded_batch_load(history, key, &loaded, err);
    code =
        code == 0 ? add_batch(side, &loaded.batch, dj_history_path(history), err) : code;
    size_t total = (size_t)loaded.batch.runs.clean;
    size_t counted = 0;
    for (size_t i = 0; i < loaded.run_count && code == 0; i++) {
        const struct dj_run_row *run = &loaded.runs[i];
        if (dj_run_row_counts(run)) {
            bool look =
                counted * LOOKED_INTO / total != (counted + 1) * LOOKED_INTO / total;
            code = add_run(side, history, &loaded.batch, run,
                           look || total <= LOOKED_INTO, err);
            counted++;
        } else if (!run->warmup) {
            code = leave_out(side, &loaded.batch, run, err);
        }
    }
    code = code == 0
               ? dj_history_each_run_histogram(history, key, DJ_HISTOGRAM_FRAME_TIME,
                                               take_times, &filling, err)
               : code;
    dj_loaded_batch_finish(&loaded);
    return code;
}
