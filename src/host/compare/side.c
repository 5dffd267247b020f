#include "compare/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "store/loaded_batch.h"

/* Maximum number of runs per batch from which findings are read. */
enum { FINDING_RUNS_MAX = 6 };

static const char *copy_text(struct dj_side *side, const char *text)
{
    return dj_memory_strings_add(&side->texts, text);
}

void dj_compare_side_set_name(struct dj_side *side, const char *name)
{
    side->name = copy_text(side, name);
}

void dj_compare_side_add_run(struct dj_side *side, struct dj_side_run *run)
{
    DJ_XPUSH(side->runs, side->run_count, *run);
    run->times = (struct dj_histogram){0};
    struct dj_side_run *own = &side->runs[side->run_count - 1];
    own->release = copy_text(side, run->release);
    own->source = copy_text(side, run->source);
    own->app = copy_text(side, run->app);
    own->device = copy_text(side, run->device);
    own->digest = copy_text(side, run->digest);
    own->disturbed = copy_text(side, run->disturbed);
}

void dj_compare_side_exclude(struct dj_side *side, const char *what, const char *why)
{
    DJ_XPUSH(side->left_out, side->left_out_count,
             (struct dj_side_excluded_run){.what = copy_text(side, what),
                                           .why = copy_text(side, why)});
}

void dj_compare_side_finish(struct dj_side *side)
{
    for (size_t i = 0; i < side->run_count; i++) {
        dj_exponential_finish(&side->runs[i].times);
    }
    free(side->runs);
    free(side->batches);
    free(side->left_out);
    dj_memory_strings_finish(&side->texts);
    *side = (struct dj_side){0};
}

bool dj_compare_side_center(const struct dj_side *side, enum dj_metric metric,
                            struct dj_center *center)
{
    double *values = dj_xcalloc(side->run_count, sizeof(*values));
    for (size_t i = 0; i < side->run_count; i++) {
        values[i] = side->runs[i].metrics.value[metric];
    }
    dj_center_compute(values, side->run_count, center);
    free(values);
    return center->count > 0;
}

static void exclude_run(struct dj_side *side, const struct dj_batch_row *batch,
                        const struct dj_run_row *run)
{
    char what[96];
    char why[320];
    const char *outcome = dj_facts_outcome_name(run->outcome);
    const char *reason = run->excluded != NULL ? run->excluded : run->reason;
    snprintf(what, sizeof(what), "run %lld of batch %s", (long long)run->number,
             batch->id);
    snprintf(why, sizeof(why), "%s%s%.240s", run->excluded != NULL ? "left out" : outcome,
             reason != NULL ? ": " : "", reason != NULL ? reason : "");
    dj_compare_side_exclude(side, what, why);
}

/* Progress of reading histograms into the runs of one side. `at` is the index of the next
 * run. */
struct side_batch {
    struct dj_side *side;
    size_t at;
};

/* Stores the histogram of a run. The store also reports histograms of runs that are not
 * in the side. The store and the side have the runs in the same order. */
static int set_times(void *user, int64_t run, struct dj_histogram *times)
{
    struct side_batch *side_batch = user;
    struct dj_side *side = side_batch->side;
    for (size_t i = side_batch->at; i < side->run_count; i++) {
        if (side->runs[i].key == run) {
            side->runs[i].times = *times;
            *times = (struct dj_histogram){0};
            side_batch->at = i + 1;
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
        .release = row->release != NULL ? dj_frame_dialect_find(row->release) : NULL};
    int code = dj_metrics_compute(dj_text_get(text), text->length, &rules, &everything, 1,
                                  0, &figures, err);
    run->findings_known = code == 0 && figures.findings_known;
    memcpy(run->found, figures.found, sizeof(run->found));
    dj_metrics_window_figures_finish(&figures);
    return code;
}

/* Reads which findings a run has. The store keeps only the number of findings, so the
 * findings are computed from the raw evidence. Runs without findings need no reading. Of
 * the other runs, only a few per batch are read. */
static int read_findings(struct dj_store *store, const struct dj_run_row *row,
                         bool reads_findings, struct dj_side_run *run,
                         struct dj_error *err)
{
    struct dj_text text = {0};
    double findings = row->metrics.value[DJ_METRIC_FINDINGS];
    run->findings_known = findings == 0;
    if (!(findings > 0) || !reads_findings) {
        return 0;
    }
    int code = dj_store_read_gfxinfo(store, row->key, &text, err);
    if (code == 0) {
        code = compute_findings(&text, row, run, err);
    }
    dj_text_finish(&text);
    return code;
}

static int add_run(struct dj_side *side, struct dj_store *store,
                   const struct dj_batch_row *batch, const struct dj_run_row *row,
                   bool reads_findings, struct dj_error *err)
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
    int code = read_findings(store, row, reads_findings, &run, err);
    if (code == 0) {
        dj_compare_side_add_run(side, &run);
    }
    return code;
}

/* Adds the valid runs, and lists the others as excluded. */
static int add_runs(struct dj_side *side, struct dj_store *store,
                    const struct dj_loaded_batch *loaded, struct dj_error *err)
{
    size_t total = (size_t)loaded->batch.runs.clean;
    size_t counted = 0;
    for (size_t i = 0; i < loaded->run_count; i++) {
        const struct dj_run_row *run = &loaded->runs[i];
        if (dj_store_run_counts(run)) {
            bool reads_findings = counted * FINDING_RUNS_MAX / total !=
                                  (counted + 1) * FINDING_RUNS_MAX / total;
            int code = add_run(side, store, &loaded->batch, run,
                               reads_findings || total <= FINDING_RUNS_MAX, err);
            if (code != 0) {
                return code;
            }
            counted++;
        } else if (!run->warmup) {
            exclude_run(side, &loaded->batch, run);
        }
    }
    return 0;
}

int dj_compare_side_add_batch(struct dj_side *side, struct dj_store *store, int64_t key,
                              struct dj_error *err)
{
    struct dj_loaded_batch loaded = {0};
    struct side_batch side_batch = {side, side->run_count};
    int code = dj_store_load_batch(store, key, &loaded, err);
    if (code == 0) {
        side->store = copy_text(side, dj_store_path(store));
        DJ_XPUSH(side->batches, side->batch_count,
                 dj_store_copy_batch_row(&side->texts, &loaded.batch));
        code = add_runs(side, store, &loaded, err);
    }
    if (code == 0) {
        code = dj_store_read_run_histograms(store, key, DJ_HISTOGRAM_FRAME_TIME,
                                            set_times, &side_batch, err);
    }
    dj_store_loaded_batch_finish(&loaded);
    return code;
}
