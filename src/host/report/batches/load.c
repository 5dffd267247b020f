#include "report/batches.h"

#include <math.h>

#include "memory/memory.h"
#include "store/timeline.h"

static const double ASSUMED_NS = 16666667;

static struct dj_batch_condition *find_or_add_condition(struct dj_batch *batch,
                                                        const char *name)
{
    for (size_t i = 0; i < batch->condition_count; i++) {
        if (strcmp(batch->conditions[i].name, name) == 0) {
            return &batch->conditions[i];
        }
    }
    DJ_XPUSH(
        batch->conditions, batch->condition_count,
        (struct dj_batch_condition){.name = dj_memory_strings_add(&batch->strings, name),
                                    .least = INFINITY,
                                    .most = -INFINITY});
    return &batch->conditions[batch->condition_count - 1];
}

static int add_condition(void *user, const struct dj_condition_row *row)
{
    struct dj_batch *batch = user;
    if (row->condition.name == NULL) {
        return 0;
    }
    struct dj_batch_condition *condition =
        find_or_add_condition(batch, row->condition.name);
    if (condition->unit == NULL) {
        condition->unit = dj_memory_strings_add(&batch->strings, row->condition.unit);
    }
    if (!isnan(row->condition.value)) {
        condition->least = fmin(condition->least, row->condition.value);
        condition->most = fmax(condition->most, row->condition.value);
    } else if (row->condition.text != NULL && condition->text == NULL) {
        condition->text = dj_memory_strings_add(&batch->strings, row->condition.text);
    } else if (row->condition.text != NULL &&
               strcmp(condition->text, row->condition.text) != 0) {
        condition->text = "…";
    }
    return 0;
}

/* Stores the ordinal of the text from which the figures were computed. The ordinal stays
 * −1 if there is no such text. */
static int find_evidence(void *user, const struct dj_evidence_row *row)
{
    int64_t *ordinal = user;
    if (*ordinal < 0 && strcmp(row->kind, DJ_EVIDENCE_GFXINFO) == 0) {
        *ordinal = row->ordinal;
    }
    return 0;
}

/* Adds the guide_total times of a run that was imported from another tool's log. The
 * store has no frame times of such a run, but its stored text contains the frames. */
static int read_guide_totals(struct dj_batch *batch, struct dj_store *history,
                             const struct dj_run_row *run, struct dj_error *err)
{
    static const struct dj_span everything = {0, 0};
    const struct dj_figure_rules rules = {.guide_totals = true};
    struct dj_window_figures figures = {0};
    struct dj_text bytes = {0};
    int64_t ordinal = -1;
    int result =
        dj_store_read_evidence_rows(history, run->key, find_evidence, &ordinal, err);
    if (result == 0 && ordinal >= 0) {
        result = dj_store_read_evidence(history, run->key, ordinal, &bytes, err);
    }
    if (result == 0) {
        result = dj_xcode(dj_metrics_compute(dj_xtext(&bytes), bytes.length, &rules,
                                             &everything, 1, 0, &figures, err));
    }
    if (result == 0) {
        dj_xcheck(dj_exponential_merge(&batch->times, &figures.guide_totals));
    }
    dj_metrics_window_figures_finish(&figures);
    dj_text_finish(&bytes);
    return result;
}

static int read_runs(struct dj_batch *batch, struct dj_store *history,
                     struct dj_error *err)
{
    bool judged = false;
    int result = dj_store_read_batch_histogram(
        history, batch->row.key, DJ_HISTOGRAM_FRAME_TIME, &batch->times, err);
    if (result == 0) {
        result = dj_store_read_batch_histogram(history, batch->row.key, DJ_HISTOGRAM_HWUI,
                                               &batch->hwui, err);
    }
    for (size_t i = 0; i < batch->run_count && result == 0; i++) {
        if (dj_store_run_counts(&batch->runs[i])) {
            result = dj_store_read_conditions(history, batch->runs[i].key, add_condition,
                                              batch, err);
            judged = judged || batch->runs[i].metrics.value[DJ_METRIC_ROWS_JUDGED] > 0;
        }
    }
    batch->guide_total = !judged && batch->times.count == 0;
    for (size_t i = 0; i < batch->run_count && result == 0; i++) {
        if (dj_store_run_counts(&batch->runs[i]) && batch->guide_total) {
            result = read_guide_totals(batch, history, &batch->runs[i], err);
        }
    }
    batch->guide_total = batch->guide_total && batch->times.count > 0;
    struct dj_center interval = dj_batches_compute_center(batch, DJ_METRIC_INTERVAL);
    batch->interval_assumed = interval.count == 0 || batch->guide_total;
    batch->interval_ns = interval.count > 0 ? interval.median : ASSUMED_NS;
    return result;
}

int dj_report_add_batch(struct dj_batches *batches, struct dj_store *history, int64_t key,
                        struct dj_error *err)
{
    if (batches->count == DJ_BATCHES_MAX) {
        return dj_error_set(err, DJ_E_LIMIT, "a report has at most %d batches",
                            DJ_BATCHES_MAX);
    }
    DJ_XPUSH(batches->batch, batches->count, (struct dj_batch){0});
    struct dj_batch *batch = &batches->batch[batches->count - 1];
    struct dj_loaded_batch loaded = {0};
    int result = dj_store_load_batch(history, key, &loaded, err);
    batch->row = loaded.batch;
    batch->runs = loaded.runs;
    batch->run_count = loaded.run_count;
    batch->strings = loaded.strings;
    free(loaded.facts);
    return result == 0 ? read_runs(batch, history, err) : result;
}

void dj_report_finish_batches(struct dj_batches *batches)
{
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_batch *batch = &batches->batch[i];
        dj_memory_strings_finish(&batch->strings);
        free(batch->runs);
        free(batch->conditions);
        dj_exponential_finish(&batch->times);
        dj_exponential_finish(&batch->hwui);
    }
    free(batches->batch);
    *batches = (struct dj_batches){0};
}
