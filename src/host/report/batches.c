#include "report/batches.h"

#include <math.h>

#include "memory/memory.h"
#include "store/timeline.h"

static const double ASSUMED_NS = 16666667;

static struct dj_batch_condition *condition_of(struct dj_batch *batch, const char *name)
{
    for (size_t i = 0; i < batch->condition_count; i++) {
        if (strcmp(batch->conditions[i].name, name) == 0) {
            return &batch->conditions[i];
        }
    }
    DJ_XPUSH(batch->conditions, batch->condition_count,
             (struct dj_batch_condition){.name = dj_strings_keep(&batch->strings, name),
                                         .least = INFINITY,
                                         .most = -INFINITY});
    return &batch->conditions[batch->condition_count - 1];
}

static int take_condition(void *user, const struct dj_condition_row *row)
{
    struct dj_batch *batch = user;
    if (row->condition.name == NULL) {
        return 0;
    }
    struct dj_batch_condition *condition = condition_of(batch, row->condition.name);
    if (condition->unit == NULL) {
        condition->unit = dj_strings_keep(&batch->strings, row->condition.unit);
    }
    if (!isnan(row->condition.value)) {
        condition->least = fmin(condition->least, row->condition.value);
        condition->most = fmax(condition->most, row->condition.value);
    } else if (row->condition.text != NULL && condition->text == NULL) {
        condition->text = dj_strings_keep(&batch->strings, row->condition.text);
    } else if (row->condition.text != NULL &&
               strcmp(condition->text, row->condition.text) != 0) {
        condition->text = "…";
    }
    return 0;
}

/* Finds the ordinal of the text that the figures come from; −1: none. */
static int take_evidence(void *user, const struct dj_evidence_row *row)
{
    int64_t *ordinal = user;
    if (*ordinal < 0 && strcmp(row->kind, DJ_EVIDENCE_GFXINFO) == 0) {
        *ordinal = row->ordinal;
    }
    return 0;
}

/* For a log of another tool the store has no frame times, but the text contains the
 * frames. */
static int read_guide_totals(struct dj_batch *batch, struct dj_history *history,
                             const struct dj_run_row *run, struct dj_error *err)
{
    static const struct dj_span everything = {0, 0};
    const struct dj_figure_rules rules = {.guide_totals = true};
    struct dj_window_figures figures = {0};
    struct dj_text bytes = {0};
    int64_t ordinal = -1;
    int result =
        dj_history_each_evidence(history, run->key, take_evidence, &ordinal, err);
    if (result == 0 && ordinal >= 0) {
        result = dj_history_read_evidence(history, run->key, ordinal, &bytes, err);
    }
    if (result == 0) {
        result = dj_xcode(dj_metrics_compute(dj_xtext(&bytes), bytes.length, &rules,
                                             &everything, 1, 0, &figures, err));
    }
    if (result == 0) {
        dj_xcheck(dj_histogram_merge(&batch->times, &figures.guide_totals));
    }
    dj_window_figures_finish(&figures);
    dj_text_finish(&bytes);
    return result;
}

static int read_runs(struct dj_batch *batch, struct dj_history *history,
                     struct dj_error *err)
{
    bool judged = false;
    int result = dj_history_batch_histogram(history, batch->row.key,
                                            DJ_HISTOGRAM_FRAME_TIME, &batch->times, err);
    if (result == 0) {
        result = dj_history_batch_histogram(history, batch->row.key, DJ_HISTOGRAM_HWUI,
                                            &batch->hwui, err);
    }
    for (size_t i = 0; i < batch->run_count && result == 0; i++) {
        if (dj_run_row_counts(&batch->runs[i])) {
            result = dj_history_each_condition(history, batch->runs[i].key,
                                               take_condition, batch, err);
            judged = judged || batch->runs[i].metrics.value[DJ_METRIC_ROWS_JUDGED] > 0;
        }
    }
    batch->guide_total = !judged && batch->times.count == 0;
    for (size_t i = 0; i < batch->run_count && result == 0; i++) {
        if (dj_run_row_counts(&batch->runs[i]) && batch->guide_total) {
            result = read_guide_totals(batch, history, &batch->runs[i], err);
        }
    }
    batch->guide_total = batch->guide_total && batch->times.count > 0;
    struct dj_center interval = dj_batch_center(batch, DJ_METRIC_INTERVAL);
    batch->interval_assumed = interval.count == 0 || batch->guide_total;
    batch->interval_ns = interval.count > 0 ? interval.median : ASSUMED_NS;
    return result;
}

int dj_batches_add(struct dj_batches *batches, struct dj_history *history, int64_t key,
                   struct dj_error *err)
{
    if (batches->count == DJ_BATCHES_MOST) {
        return dj_error_set(err, DJ_E_LIMIT, "a report has at most %d batches",
                            DJ_BATCHES_MOST);
    }
    DJ_XPUSH(batches->batch, batches->count, (struct dj_batch){0});
    struct dj_batch *batch = &batches->batch[batches->count - 1];
    struct dj_loaded_batch loaded = {0};
    int result = dj_loaded_batch_load(history, key, &loaded, err);
    batch->row = loaded.batch;
    batch->runs = loaded.runs;
    batch->run_count = loaded.run_count;
    batch->strings = loaded.strings;
    free(loaded.facts);
    return result == 0 ? read_runs(batch, history, err) : result;
}

void dj_batches_finish(struct dj_batches *batches)
{
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_batch *batch = &batches->batch[i];
        dj_strings_finish(&batch->strings);
        free(batch->runs);
        free(batch->conditions);
        dj_histogram_finish(&batch->times);
        dj_histogram_finish(&batch->hwui);
    }
    free(batches->batch);
    *batches = (struct dj_batches){0};
}
