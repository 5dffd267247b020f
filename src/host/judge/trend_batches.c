/* The segments of a store's batches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "judge/objectives.h"
#include "judge/trend_reading.h"

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

/* ---- batches ---- */

static int take_batch(void *user, const struct dj_timeline_batch *row)
{
    struct dj_trend_reading *reading = user;
    if (reading->batch_count == reading->batch_capacity) {
        size_t more = reading->batch_capacity == 0 ? 64 : reading->batch_capacity * 2;
        void *batches =
            dj_array_resize(reading->batches, more, sizeof(*reading->batches));
        if (batches == NULL) {
            return dj_trend_no_memory(reading->err);
        }
        reading->batches = batches;
        reading->batch_capacity = more;
    }
    struct dj_trend_batch *batch = &reading->batches[reading->batch_count];
    *batch = (struct dj_trend_batch){
        .point = {.key = row->key, .at_unix_ms = row->began_unix_ms, .value = NAN}};
    const struct {
        const char *text;
        const char **kept;
    } texts[] = {{row->id, &batch->point.id},
                 {row->version, &batch->point.version},
                 {row->commit, &batch->point.commit},
                 {row->label, &batch->point.label},
                 {row->objectives, &batch->point.objectives}};
    int code = dj_trend_find_group(reading, row, &batch->group);
    for (size_t i = 0; i < ROWS(texts) && code == 0; i++) {
        code = dj_trend_keep(reading->trend, texts[i].text, texts[i].kept, reading->err);
    }
    reading->batch_count += code == 0;
    return code;
}

static int compare_keys(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static int index_batches(struct dj_trend_reading *reading)
{
    reading->by_key = calloc(reading->batch_count + 1, sizeof(*reading->by_key));
    if (reading->by_key == NULL) {
        return dj_trend_no_memory(reading->err);
    }
    for (size_t i = 0; i < reading->batch_count; i++) {
        reading->by_key[i].key = reading->batches[i].point.key;
        reading->by_key[i].index = i;
    }
    qsort(reading->by_key, reading->batch_count, sizeof(*reading->by_key), compare_keys);
    return 0;
}

/* ---- runs ---- */

static int grow_rows(struct dj_trend_reading *reading)
{
    if (reading->row_count < reading->row_capacity) {
        return 0;
    }
    size_t more = reading->row_capacity == 0 ? 1024 : reading->row_capacity * 2;
    void *rows = dj_array_resize(reading->rows, more, sizeof(*reading->rows));
    reading->rows = rows != NULL ? rows : reading->rows;
    void *values = dj_array_resize(reading->values, more,
                                   (reading->column_count + 1) * sizeof(double));
    reading->values = values != NULL ? values : reading->values;
    if (rows == NULL || values == NULL) {
        return dj_trend_no_memory(reading->err);
    }
    reading->row_capacity = more;
    return 0;
}

static int take_run(void *user, int64_t batch, const double *values)
{
    struct dj_trend_reading *reading = user;
    int code = grow_rows(reading);
    if (code != 0) {
        return code;
    }
    const void *found = bsearch(&batch, reading->by_key, reading->batch_count,
                                sizeof(*reading->by_key), compare_keys);
    if (found == NULL) {
        return 0; /* put in meanwhile */
    }
    size_t at = (size_t)((const char *)found - (const char *)reading->by_key) /
                sizeof(*reading->by_key);
    size_t index = reading->by_key[at].index;
    reading->rows[reading->row_count] = (struct dj_trend_run){index, reading->row_count};
    memcpy(reading->values + reading->row_count * reading->column_count, values,
           reading->column_count * sizeof(double));
    reading->row_count++;
    reading->batches[index].runs++;
    return 0;
}

/* Counting sort: each batch's rows one after the other. */
static int sort_rows(struct dj_trend_reading *reading)
{
    size_t most = 0;
    size_t first = 0;
    reading->sorted = calloc(reading->row_count + 1, sizeof(*reading->sorted));
    for (size_t i = 0; i < reading->batch_count; i++) {
        struct dj_trend_batch *batch = &reading->batches[i];
        most = batch->runs > most ? batch->runs : most;
        batch->first = first;
        first += batch->runs;
        batch->runs = 0;
    }
    reading->value = calloc(2 * most + 1, sizeof(double));
    if (reading->sorted == NULL || reading->value == NULL) {
        return dj_trend_no_memory(reading->err);
    }
    reading->of = reading->value + most;
    for (size_t i = 0; i < reading->row_count; i++) {
        struct dj_trend_batch *batch = &reading->batches[reading->rows[i].batch];
        reading->sorted[batch->first + batch->runs++] = i;
    }
    return 0;
}

/* The same of batches by group. */
static int sort_batches(struct dj_trend_reading *reading)
{
    size_t first = 0;
    reading->of_group = calloc(reading->batch_count + 1, sizeof(*reading->of_group));
    if (reading->of_group == NULL) {
        return dj_trend_no_memory(reading->err);
    }
    for (size_t i = 0; i < reading->batch_count; i++) {
        reading->groups[reading->batches[i].group].count++;
    }
    for (size_t i = 0; i < reading->group_count; i++) {
        reading->groups[i].first = first;
        first += reading->groups[i].count;
        reading->groups[i].count = 0;
    }
    for (size_t i = 0; i < reading->batch_count; i++) {
        struct dj_trend_group *group = &reading->groups[reading->batches[i].group];
        reading->of_group[group->first + group->count++] = i;
    }
    return 0;
}

static const struct dj_trend_batch *nth_batch(const struct dj_trend_reading *reading,
                                              const struct dj_trend_group *group,
                                              size_t i)
{
    return &reading->batches[reading->of_group[group->first + i]];
}

static size_t column_of(const struct dj_trend_reading *reading, enum dj_metric metric)
{
    size_t i = 0;
    while (i < reading->column_count && reading->columns[i] != metric) {
        i++;
    }
    return i;
}

static double value_at(const struct dj_trend_reading *reading,
                       const struct dj_trend_batch *batch, size_t run,
                       enum dj_metric metric)
{
    size_t row = reading->sorted[batch->first + run];
    size_t column = column_of(reading, metric);
    return column < reading->column_count
               ? reading->values[row * reading->column_count + column]
               : NAN;
}

/* ---- segments ---- */

/* A share is of one kind in a whole segment: hwui's counters and rows differ. */
static bool all_know(const struct dj_trend_reading *reading,
                     const struct dj_trend_group *group, const struct dj_compared *metric)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct dj_trend_batch *batch = nth_batch(reading, group, i);
        for (size_t k = 0; k < batch->runs; k++) {
            if (!isfinite(value_at(reading, batch, k, metric->value)) ||
                !(value_at(reading, batch, k, metric->of) > 0)) {
                return false;
            }
        }
    }
    return true;
}

static int measure(struct dj_trend_reading *reading, const struct dj_trend_batch *batch,
                   const struct dj_compared *metric, bool otherwise,
                   struct dj_trend_centre *centre)
{
    bool share = metric->kind == DJ_EFFECT_SHARE;
    for (size_t i = 0; i < batch->runs; i++) {
        reading->value[i] =
            value_at(reading, batch, i, otherwise ? metric->value_else : metric->value);
        reading->of[i] =
            share ? value_at(reading, batch, i, otherwise ? metric->of_else : metric->of)
                  : 1;
    }
    return dj_trend_centre_of(reading->value, share ? reading->of : NULL, batch->runs,
                              metric->factor, centre, reading->err);
}

static int add_point(struct dj_trend_reading *reading, const struct dj_trend_batch *batch,
                     const struct dj_compared *metric, bool otherwise,
                     struct dj_trend_segment *segment)
{
    struct dj_trend_centre centre;
    int code = measure(reading, batch, metric, otherwise, &centre);
    if (code != 0 || centre.runs == 0) {
        return code;
    }
    struct dj_trend_point *point = dj_trend_add_point(segment, reading->err);
    if (point == NULL) {
        return DJ_E_NO_MEMORY;
    }
    *point = batch->point;
    point->ordinal = (int64_t)segment->point_count - 1;
    point->runs = centre.runs;
    point->value = centre.value;
    point->log = centre.log;
    point->ci = centre.ci;
    segment->linear = segment->linear || centre.linear;
    segment->backwards += segment->point_count > 1 && point[0].key < point[-1].key;
    return 0;
}

static void take_objective(const struct dj_compared *metric,
                           const struct dj_trend_group *group,
                           const struct dj_objective *objective,
                           struct dj_trend_segment *segment)
{
    bool jank =
        metric->kind == DJ_EFFECT_SHARE && metric->value == DJ_METRIC_JANKY_FRAMES;
    bool same_metric =
        objective->metric == metric->value ||
        (jank && (objective->smooth || objective->metric == DJ_METRIC_JANKY_PCT ||
                  objective->metric == DJ_METRIC_HWUI_JANKY_PCT ||
                  objective->metric == DJ_METRIC_ROWS_JANKY_PCT));
    if (!same_metric || segment->objective.known ||
        !dj_objective_applies(objective, group->head.flow, group->head.serial,
                              &group->facts)) {
        return;
    }
    double factor = jank ? 1 : metric->factor;
    segment->objective.known = true;
    segment->objective.at_least = objective->at_least != objective->smooth;
    segment->objective.bound =
        (objective->smooth ? 100 - objective->bound : objective->bound) / factor;
    segment->objective.goal =
        (objective->smooth ? 100 - objective->goal : objective->goal) / factor;
}

/* Of the newest batch that has any. What cannot be read is none. */
static int find_objective(struct dj_trend_reading *reading,
                          const struct dj_compared *metric,
                          const struct dj_trend_group *group,
                          struct dj_trend_segment *segment)
{
    const char *json = NULL;
    for (size_t i = segment->point_count; i > 0 && json == NULL; i--) {
        json = segment->points[i - 1].objectives;
    }
    if (json == NULL) {
        return 0;
    }
    struct dj_objectives objectives = {0};
    struct dj_error unread = {0};
    const char *by = "";
    int code = dj_objectives_read(json, &objectives, &unread);
    for (size_t i = 0; i < objectives.count && code == 0 && !segment->objective.known;
         i++) {
        take_objective(metric, group, &objectives.objective[i], segment);
        by = objectives.objective[i].by;
    }
    code = segment->objective.known
               ? dj_trend_keep(reading->trend, by, &segment->objective.by, reading->err)
               : 0;
    dj_objectives_finish(&objectives);
    return code == DJ_E_NO_MEMORY ? code : 0;
}

static void name_metric(const struct dj_compared *metric,
                        struct dj_trend_segment *segment)
{
    enum dj_metric_sense sense = dj_metric_sense(metric->value);
    bool neutral = metric->kind == DJ_EFFECT_RATIO && sense == DJ_METRIC_NEUTRAL;
    segment->metric = metric->name;
    segment->words = metric->words;
    segment->unit = metric->unit;
    segment->digits = strcmp(metric->unit, "ms") == 0 ? 2 : 1;
    segment->share = metric->kind == DJ_EFFECT_SHARE;
    segment->more_is_better = metric->more_is_better;
    segment->less_is_better = !metric->more_is_better && !neutral;
}

static int add_segment(struct dj_trend_reading *reading, size_t group,
                       const struct dj_compared *metric)
{
    struct dj_trend_segment *segment = dj_trend_add_segment(reading->trend, reading->err);
    if (segment == NULL) {
        return reading->err->code;
    }
    const struct dj_trend_group *of = &reading->groups[group];
    *segment = of->head;
    segment->objective.bound = segment->objective.goal = NAN;
    name_metric(metric, segment);
    bool otherwise = segment->share && !all_know(reading, of, metric);
    int code = 0;
    for (size_t i = 0; i < of->count && code == 0; i++) {
        code = add_point(reading, nth_batch(reading, of, i), metric, otherwise, segment);
    }
    if (code == 0 && segment->point_count == 0) {
        free(segment->points);
        reading->trend->segment_count--;
        return metric->instead != NULL
                   ? add_segment(reading, group, dj_compared_find(metric->instead))
                   : 0;
    }
    return code == 0 ? find_objective(reading, metric, of, segment) : code;
}

static int add_segments(struct dj_trend_reading *reading)
{
    int code = 0;
    for (size_t i = 0; i < reading->group_count && code == 0; i++) {
        for (size_t k = 0; k < reading->asked_count && code == 0; k++) {
            code =
                reading->groups[i].out ? 0 : add_segment(reading, i, reading->asked[k]);
        }
    }
    return code;
}

static void finish(struct dj_trend_reading *reading)
{
    free(reading->groups);
    free(reading->batches);
    free(reading->by_key);
    free(reading->rows);
    free(reading->values);
    free(reading->sorted);
    free(reading->of_group);
    free(reading->value);
}

int dj_trend_read_batches(struct dj_history *history, const struct dj_trend_query *query,
                          struct dj_trend *trend, struct dj_error *err)
{
    struct dj_error own = {0};
    struct dj_trend_reading reading = {.history = history,
                                       .query = query,
                                       .trend = trend,
                                       .err = err != NULL ? err : &own};
    const struct dj_timeline_filter filter = {query->project, query->flow, query->serial,
                                              query->since_unix_ms};
    dj_trend_ask_for(&reading);
    if (reading.asked_count == 0) {
        return 0;
    }
    int code = dj_history_each_timeline_batch(history, &filter, take_batch, &reading,
                                              reading.err);
    code = code == 0 ? dj_trend_judge_devices(&reading) : code;
    code = code == 0 ? index_batches(&reading) : code;
    code = code == 0 ? dj_history_each_timeline_run(history, &filter, reading.columns,
                                                    reading.column_count, take_run,
                                                    &reading, reading.err)
                     : code;
    code = code == 0 ? sort_rows(&reading) : code;
    code = code == 0 ? sort_batches(&reading) : code;
    code = code == 0 ? add_segments(&reading) : code;
    finish(&reading);
    return code;
}
