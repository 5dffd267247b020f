#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/optional_text.h"
#include "compare/compare_private.h"
#include "memory/memory.h"
#include "store/timeline.h"

enum { PAST_MOST = 20, RUNS_LEAST = 2 };

/* Reads the runs of earlier batches, newest batch first, and computes the centre of each
 * metric for each batch. The values of a run are an array with one column per ratio and
 * two columns per share: count and total. */
struct past {
    struct dj_comparison *comparison;
    enum dj_metric columns[DJ_TIMELINE_METRICS_MAX];
    size_t column_count;
    /* Key of the batch that is being read, or 0 before the first one. */
    int64_t batch;
    size_t batch_count;
    /* The values of the current batch's runs, column_count per run. */
    double *values;
    size_t run_count;
};

static int64_t find_first_begin_unix_ms(const struct dj_side *side)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < side->batch_count; i++) {
        const struct dj_batch_row *batch = &side->batches[i];
        first = batch->began_unix_ms < first ? batch->began_unix_ms : first;
    }
    return first;
}

/* Returns whether both sides belong to the same project, flow and device of this
 * store. */
static bool is_one_segment(const struct dj_side *a, const struct dj_side *b,
                           const struct dj_store *store)
{
    const struct dj_side *sides[] = {a, b};
    if (!dj_optional_text_equal(a->store, dj_store_path(store)) ||
        !dj_optional_text_equal(b->store, dj_store_path(store))) {
        return false;
    }
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < sides[s]->batch_count; i++) {
            const struct dj_batch_row *batch = &sides[s]->batches[i];
            if (batch->device_key != a->batches[0].device_key ||
                !dj_optional_text_equal(batch->project, a->batches[0].project) ||
                !dj_optional_text_equal(batch->name, a->batches[0].name)) {
                return false;
            }
        }
    }
    return true;
}

static int choose_columns(struct past *past, struct dj_error *err)
{
    const struct dj_comparison *comparison = past->comparison;
    for (size_t i = 0; i < comparison->metric_count; i++) {
        const struct dj_compare_metric *metric = comparison->metrics[i].metric;
        bool uses_replacement = comparison->metrics[i].uses_replacement;
        comparison->metrics[i].past.log_centre = dj_xcalloc(PAST_MOST, sizeof(double));
        if (past->column_count + 2 > DJ_TIMELINE_METRICS_MAX) {
            return dj_error_set(
                err, DJ_E_LIMIT,
                "too many metrics for one comparison: the maximum is %d values per "
                "run, and a share needs two",
                DJ_TIMELINE_METRICS_MAX);
        }
        past->columns[past->column_count++] =
            uses_replacement ? metric->replacement_value : metric->value;
        if (metric->kind == DJ_EFFECT_SHARE) {
            past->columns[past->column_count++] =
                uses_replacement ? metric->replacement_of : metric->of;
        }
    }
    return 0;
}

/* Copies one column of the current batch's runs to `buffer` and returns `buffer`. */
static const double *gather_column(const struct past *past, size_t column, double *buffer)
{
    for (size_t i = 0; i < past->run_count; i++) {
        buffer[i] = past->values[i * past->column_count + column];
    }
    return buffer;
}

/* Computes the centre of each metric for the current batch, after all runs of the batch
 * were read. */
static void end_batch(struct past *past)
{
    struct dj_comparison *comparison = past->comparison;
    double *buffer = dj_xcalloc(past->run_count, 2 * sizeof(*buffer));
    for (size_t i = 0, column = 0; i < comparison->metric_count; i++) {
        struct dj_comparison_metric *metric = &comparison->metrics[i];
        struct dj_effect_side side = {.count = past->run_count};
        side.value = gather_column(past, column++, buffer);
        if (metric->metric->kind == DJ_EFFECT_SHARE) {
            side.of = gather_column(past, column++, buffer + past->run_count);
        }
        double centre = dj_compare_log_centre(&side, metric->metric->kind);
        double *own = (double *)metric->past.log_centre;
        if (isfinite(centre)) {
            own[metric->past.count++] = centre;
        }
    }
    free(buffer);
    past->run_count = 0;
}

static int add_run(void *user, int64_t batch, const double *values)
{
    struct past *past = user;
    if (batch != past->batch && past->batch != 0) {
        end_batch(past);
    }
    past->batch_count += batch != past->batch;
    past->batch = batch;
    dj_xcheck(dj_array_reserve_one(&past->values, past->run_count,
                                   (past->column_count + 1) * sizeof(*past->values)));
    memcpy(past->values + past->run_count++ * past->column_count, values,
           past->column_count * sizeof(*values));
    return 0;
}

/* Removes the past of all metrics if there are too few earlier batches. */
static void finish_past(struct past *past)
{
    struct dj_comparison *comparison = past->comparison;
    comparison->past_batches = past->batch_count;
    for (size_t i = 0; i < comparison->metric_count; i++) {
        struct dj_comparison_metric *metric = &comparison->metrics[i];
        if (past->batch_count < DJ_EFFECT_PAST_BATCHES_MIN) {
            metric->past.count = 0;
        }
        metric->member.rules.past = metric->past.count > 0 ? &metric->past : NULL;
    }
}

int dj_compare_read_past(struct dj_comparison *comparison, struct dj_store *store,
                         struct dj_error *err)
{
    const struct dj_side *a = comparison->a;
    const struct dj_side *b = comparison->b;
    struct past past = {.comparison = comparison};
    if (store == NULL || !is_one_segment(a, b, store)) {
        return 0;
    }
    const struct dj_past_filter filter = {
        .project = a->batches[0].project,
        .flow = a->batches[0].name,
        .device_key = a->batches[0].device_key,
        .before_unix_ms = find_first_begin_unix_ms(b) > find_first_begin_unix_ms(a)
                              ? find_first_begin_unix_ms(b)
                              : find_first_begin_unix_ms(a),
        .least_runs = RUNS_LEAST,
        .most = PAST_MOST,
    };
    int code = choose_columns(&past, err);
    if (code == 0) {
        code = dj_store_read_past_runs(store, &filter, past.columns, past.column_count,
                                       add_run, &past, err);
    }
    if (code == 0) {
        if (past.batch != 0) {
            end_batch(&past);
        }
        finish_past(&past);
    }
    free(past.values);
    return code;
}
