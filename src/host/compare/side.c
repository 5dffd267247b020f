#include "compare/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "store/loaded_batch.h"

enum { LOOKED_INTO = 6 }; /* most runs of a batch whose evidence is read */

/* ---- members of a side ---- */

static const char *keep(struct dj_side *side, const char *text)
{
    return dj_strings_keep(&side->texts, text);
}

void dj_side_name(struct dj_side *side, const char *name)
{
    side->name = keep(side, name);
}

void dj_side_add_run(struct dj_side *side, struct dj_side_run *run)
{
    DJ_XPUSH(side->runs, side->run_count, *run);
    run->times = (struct dj_histogram){0};
    struct dj_side_run *own = &side->runs[side->run_count - 1];
    own->release = keep(side, run->release);
    own->source = keep(side, run->source);
    own->digest = keep(side, run->digest);
    own->disturbed = keep(side, run->disturbed);
}

void dj_side_leave_out(struct dj_side *side, const char *what, const char *why)
{
    DJ_XPUSH(side->left_out, side->left_out_count,
             (struct dj_side_left_out){.what = keep(side, what), .why = keep(side, why)});
}

void dj_side_finish(struct dj_side *side)
{
    for (size_t i = 0; i < side->run_count; i++) {
        dj_histogram_finish(&side->runs[i].times);
    }
    free(side->runs);
    free(side->batches);
    free(side->left_out);
    dj_strings_finish(&side->texts);
    *side = (struct dj_side){0};
}

bool dj_side_center(const struct dj_side *side, enum dj_metric metric,
                    struct dj_center *center)
{
    double *values = dj_xcalloc(side->run_count, sizeof(*values));
    for (size_t i = 0; i < side->run_count; i++) {
        values[i] = side->runs[i].metrics.value[metric];
    }
    dj_center_of(values, side->run_count, center);
    free(values);
    return center->count > 0;
}

/* ---- a batch of a store ---- */

static void leave_out(struct dj_side *side, const struct dj_batch_row *batch,
                      const struct dj_run_row *run)
{
    char what[96];
    char why[320];
    const char *outcome = dj_run_outcome_name(run->outcome);
    const char *reason = run->excluded != NULL ? run->excluded : run->reason;
    snprintf(what, sizeof(what), "run %lld of batch %s", (long long)run->number,
             batch->id);
    snprintf(why, sizeof(why), "%s%s%.240s", run->excluded != NULL ? "left out" : outcome,
             reason != NULL ? ": " : "", reason != NULL ? reason : "");
    dj_side_leave_out(side, what, why);
}

/* ---- histograms and findings of runs ---- */

/* A side, its runs from `first` on belonging to one batch in the order of reading. */
struct filling {
    struct dj_side *side;
    size_t at;
};

/* Runs that do not count have histograms too. Runs and histograms come in the same
 * order. */
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

/* The store has the number of findings. The evidence has which ones. Runs without
 * findings need no reading. Of the others, a few runs of a batch show what changed. */
static int read_findings(struct dj_history *store, const struct dj_run_row *row,
                         bool look, struct dj_side_run *run, struct dj_error *err)
{
    struct dj_text text = {0};
    double findings = row->metrics.value[DJ_METRIC_FINDINGS];
    run->findings_known = findings == 0;
    if (!(findings > 0) || !look) {
        return 0;
    }
    int code = dj_history_read_gfxinfo(store, row->key, &text, err);
    if (code == 0) {
        code = compute_findings(&text, row, run, err);
    }
    dj_text_finish(&text);
    return code;
}

static int add_run(struct dj_side *side, struct dj_history *store,
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
    int code = read_findings(store, row, look, &run, err);
    if (code == 0) {
        dj_side_add_run(side, &run);
    }
    return code;
}

/* Adds the runs that count and names the others. */
static int add_runs(struct dj_side *side, struct dj_history *store,
                    const struct dj_loaded_batch *loaded, struct dj_error *err)
{
    size_t total = (size_t)loaded->batch.runs.clean;
    size_t counted = 0;
    for (size_t i = 0; i < loaded->run_count; i++) {
        const struct dj_run_row *run = &loaded->runs[i];
        if (dj_run_row_counts(run)) {
            bool look =
                counted * LOOKED_INTO / total != (counted + 1) * LOOKED_INTO / total;
            int code = add_run(side, store, &loaded->batch, run,
                               look || total <= LOOKED_INTO, err);
            if (code != 0) {
                return code;
            }
            counted++;
        } else if (!run->warmup) {
            leave_out(side, &loaded->batch, run);
        }
    }
    return 0;
}

int dj_side_add_batch(struct dj_side *side, struct dj_history *store, int64_t key,
                      struct dj_error *err)
{
    struct dj_loaded_batch loaded = {0};
    struct filling filling = {side, side->run_count};
    int code = dj_loaded_batch_load(store, key, &loaded, err);
    if (code == 0) {
        side->store = keep(side, dj_history_path(store));
        DJ_XPUSH(side->batches, side->batch_count,
                 dj_batch_row_keep(&side->texts, &loaded.batch));
        code = add_runs(side, store, &loaded, err);
    }
    if (code == 0) {
        code = dj_history_each_run_histogram(store, key, DJ_HISTOGRAM_FRAME_TIME,
                                             take_times, &filling, err);
    }
    dj_loaded_batch_finish(&loaded);
    return code;
}
