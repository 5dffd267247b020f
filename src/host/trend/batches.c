/* Reads the figures of some batches of a store. trend.h calls this set of batches a
 * part. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "trend/reading.h"

/* Returns a metric that describes a column of the store. Needed for columns that are not
 * in the list of metrics of compare.h. */
static const struct dj_compare_metric *make_column_metric(enum dj_metric metric)
{
    static struct dj_compare_metric made[DJ_METRIC_COUNT];
    const char *name = dj_metrics_name(metric);
    const struct dj_metric_unit *unit = dj_metrics_units(name)->unit;
    struct dj_compare_metric *compared = &made[metric];
    *compared = (struct dj_compare_metric){
        .name = name,
        .words = name,
        .unit = unit->name,
        .factor = unit->factor,
        .kind = DJ_EFFECT_RATIO,
        .value = metric,
        .of = DJ_METRIC_FRAMES,
        .replacement_value = metric,
        .replacement_of = DJ_METRIC_FRAMES,
        .more_is_better = dj_metrics_direction(metric) == DJ_METRIC_MORE};
    return compared;
}

static const struct dj_compare_metric *find_metric(const char *name)
{
    enum dj_metric metric;
    const struct dj_compare_metric *compared = dj_compare_metric_find(name);
    return compared != NULL                 ? compared
           : dj_metrics_find(name, &metric) ? make_column_metric(metric)
                                            : NULL;
}

static void add_column(struct dj_trend_reading *reading, enum dj_metric metric)
{
    for (size_t i = 0; i < reading->column_count; i++) {
        if (reading->columns[i] == metric) {
            return;
        }
    }
    if (reading->column_count < DJ_TIMELINE_METRICS_MAX) {
        reading->columns[reading->column_count++] = metric;
    }
}

static void add_columns_of(struct dj_trend_reading *reading,
                           const struct dj_compare_metric *metric)
{
    add_column(reading, metric->value);
    if (metric->kind == DJ_EFFECT_SHARE) {
        add_column(reading, metric->of);
        add_column(reading, metric->replacement_value);
        add_column(reading, metric->replacement_of);
    }
    add_column(reading, dj_metrics_substitute(metric->value));
}

/* Finds the requested metrics and the columns that must be read for them. */
static void choose_metrics(struct dj_trend_reading *reading)
{
    const struct dj_trend_query *query = reading->outline->query;
    const struct dj_compare_metric *metric;
    for (size_t i = 0; i < query->metric_count; i++) {
        metric = find_metric(query->metrics[i]);
        if (metric != NULL) {
            /* Metrics of other tools are read from series. */
            reading->requested[reading->requested_count++] = metric;
        }
    }
    for (size_t i = 0;
         query->metric_count == 0 && (metric = dj_compare_metric(i)) != NULL; i++) {
        if (metric->gates) {
            reading->requested[reading->requested_count++] = metric;
        }
    }
    for (size_t i = 0; i < reading->requested_count; i++) {
        add_columns_of(reading, reading->requested[i]);
    }
}

static int compare_keys(const void *left, const void *right)
{
    return DJ_COMPARE(*(const int64_t *)left, *(const int64_t *)right);
}

/* Returns the batch with this key, or NULL if this part does not have it. The batch that
 * was found last is tried first, because consecutive rows usually belong to one batch. */
static struct dj_trend_key *find_key(struct dj_trend_reading *reading, int64_t key)
{
    if (reading->last_key == NULL || reading->last_key->key != key) {
        reading->last_key = bsearch(&key, reading->by_key, reading->key_count,
                                    sizeof(*reading->by_key), compare_keys);
    }
    return reading->last_key;
}

static int add_batch(void *user, const struct dj_timeline_batch *row)
{
    struct dj_trend_reading *reading = user;
    struct dj_trend_key *key = find_key(reading, row->key);
    if (key == NULL || key->index != SIZE_MAX) {
        return 0;
    }
    struct dj_strings *texts = &reading->trend->texts;
    key->index = reading->batch_count;
    reading->batches[reading->batch_count++] = (struct dj_trend_batch){
        .point = {.id = dj_memory_strings_add(texts, row->id),
                  .version = dj_memory_strings_add(texts, row->version),
                  .commit = dj_memory_strings_add(texts, row->commit),
                  .label = dj_memory_strings_add(texts, row->label),
                  .objectives = dj_memory_strings_add(texts, row->objectives),
                  .key = row->key,
                  .at_unix_ms = row->began_unix_ms,
                  .value = NAN},
        .group = key->group};
    return 0;
}

/* Allocates the batches of this part. Writes their keys, separated by commas, for the SQL
 * statement. */
static void list_batches(struct dj_trend_reading *reading, struct dj_text *keys)
{
    const struct dj_trend_outline *outline = reading->outline;
    for (size_t i = reading->from; i < reading->to; i++) {
        reading->key_count += outline->groups[i].count;
    }
    reading->by_key = dj_xcalloc(reading->key_count, sizeof(*reading->by_key));
    reading->batches = dj_xcalloc(reading->key_count, sizeof(*reading->batches));
    size_t named = 0;
    for (size_t i = reading->from; i < reading->to; i++) {
        const struct dj_trend_group *group = &outline->groups[i];
        for (size_t k = 0; k < group->count; k++, named++) {
            int64_t key = outline->batch_refs[group->first + k].key;
            reading->by_key[named] =
                (struct dj_trend_key){key, SIZE_MAX, i - reading->from};
            dj_text_add(keys, named > 0 ? "," : "");
            dj_text_append_int(keys, key);
        }
    }
    qsort(reading->by_key, named, sizeof(*reading->by_key), compare_keys);
}

static int add_run(void *user, int64_t batch, const double *values)
{
    struct dj_trend_reading *reading = user;
    const struct dj_trend_key *key = find_key(reading, batch);
    if (key == NULL || key->index == SIZE_MAX) {
        return 0; /* The batch was inserted after the outline was read. */
    }
    dj_xcheck(dj_array_reserve_one(&reading->values, reading->row_count,
                                   (reading->column_count + 1) * sizeof(double)));
    memcpy(reading->values + reading->row_count * reading->column_count, values,
           reading->column_count * sizeof(double));
    DJ_XPUSH(reading->row_batch, reading->row_count, key->index);
    reading->batches[key->index].runs++;
    return 0;
}

/* Sorts the rows by batch. This is a counting sort. */
static void sort_rows(struct dj_trend_reading *reading)
{
    size_t most = 0;
    size_t first = 0;
    reading->rows_by_batch =
        dj_xcalloc(reading->row_count, sizeof(*reading->rows_by_batch));
    for (size_t i = 0; i < reading->batch_count; i++) {
        struct dj_trend_batch *batch = &reading->batches[i];
        most = batch->runs > most ? batch->runs : most;
        batch->first = first;
        first += batch->runs;
        batch->runs = 0;
    }
    reading->value = dj_xcalloc(most, 2 * sizeof(double));
    reading->of = reading->value + most;
    for (size_t i = 0; i < reading->row_count; i++) {
        struct dj_trend_batch *batch = &reading->batches[reading->row_batch[i]];
        reading->rows_by_batch[batch->first + batch->runs++] = i;
    }
}

/* Sorts the batches by group. This is a counting sort, so the order of measurement within
 * a group is kept. After this call, `first` and `count` of a group refer to
 * reading->batches_by_group. */
static void sort_batches(struct dj_trend_reading *reading)
{
    size_t count = reading->to - reading->from;
    if (count == 0) {
        /* The array of groups may be NULL. */
        return;
    }
    struct dj_trend_group *groups = &reading->outline->groups[reading->from];
    size_t first = 0;
    reading->batches_by_group =
        dj_xcalloc(reading->batch_count, sizeof(*reading->batches_by_group));
    for (size_t i = 0; i < count; i++) {
        groups[i].count = 0;
    }
    for (size_t i = 0; i < reading->batch_count; i++) {
        groups[reading->batches[i].group].count++;
    }
    for (size_t i = 0; i < count; i++) {
        groups[i].first = first;
        first += groups[i].count;
        groups[i].count = 0;
    }
    for (size_t i = 0; i < reading->batch_count; i++) {
        struct dj_trend_group *group = &groups[reading->batches[i].group];
        reading->batches_by_group[group->first + group->count++] = i;
    }
}

static void finish_reading(struct dj_trend_reading *reading)
{
    free(reading->batches);
    free(reading->by_key);
    free(reading->row_batch);
    free(reading->values);
    free(reading->rows_by_batch);
    free(reading->batches_by_group);
    free(reading->value);
}

int dj_trend_read_batches(struct dj_trend_outline *outline, size_t from, size_t to,
                          struct dj_trend *trend, struct dj_error *err)
{
    struct dj_trend_reading reading = {
        .outline = outline, .from = from, .to = to, .trend = trend, .err = err};
    struct dj_text keys = {0};
    choose_metrics(&reading);
    if (reading.requested_count == 0) {
        return 0;
    }
    list_batches(&reading, &keys);
    if (reading.key_count == 0 && from < to) {
        finish_reading(&reading);
        return 0;
    }
    /* If all batches are queried, their keys are not listed. */
    bool all = from == 0 && to == outline->group_count && to > 0;
    struct dj_timeline_filter filter = dj_trend_get_filter(outline->query);
    filter.keys = all ? NULL : dj_xtext(&keys);
    int code =
        dj_store_read_timeline_batches(outline->store, &filter, add_batch, &reading, err);
    if (code == 0) {
        code = dj_store_read_timeline_runs(outline->store, &filter, reading.columns,
                                           reading.column_count, add_run, &reading, err);
    }
    if (code == 0) {
        sort_rows(&reading);
        sort_batches(&reading);
        code = dj_trend_add_segments(&reading);
    }
    dj_text_finish(&keys);
    finish_reading(&reading);
    return code;
}
