/* A part of a store's batches, with the figures of their runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "judge/trend_reading.h"

/* ---- batches ---- */

static int compare_keys(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Mostly of the batch that was found last. SIZE_MAX: none of this part. */
static size_t find_key(struct dj_trend_reading *reading, int64_t key)
{
    size_t last = reading->last_key;
    if (last < reading->key_count && reading->by_key[last].key == key) {
        return last;
    }
    const void *found = bsearch(&key, reading->by_key, reading->key_count,
                                sizeof(*reading->by_key), compare_keys);
    if (found == NULL) {
        return SIZE_MAX;
    }
    reading->last_key = (size_t)((const char *)found - (const char *)reading->by_key) /
                        sizeof(*reading->by_key);
    return reading->last_key;
}

static int take_batch(void *user, const struct dj_timeline_batch *row)
{
    struct dj_trend_reading *reading = user;
    size_t place = find_key(reading, row->key);
    if (place == SIZE_MAX || reading->by_key[place].index != SIZE_MAX) {
        return 0;
    }
    struct dj_trend_batch *batch = &reading->batches[reading->batch_count];
    *batch = (struct dj_trend_batch){
        .point = {.key = row->key, .at_unix_ms = row->began_unix_ms, .value = NAN},
        .group = reading->by_key[place].group};
    const struct {
        const char *text;
        const char **kept;
    } texts[] = {{row->id, &batch->point.id},
                 {row->version, &batch->point.version},
                 {row->commit, &batch->point.commit},
                 {row->label, &batch->point.label},
                 {row->objectives, &batch->point.objectives}};
    int code = 0;
    for (size_t i = 0; i < COUNT_OF(texts) && code == 0; i++) {
        code = dj_trend_keep(reading->trend, texts[i].text, texts[i].kept, reading->err);
    }
    reading->by_key[place].index = reading->batch_count++;
    return code;
}

/* Which batches are of this part, and their keys as a statement wants them. */
static int name_batches(struct dj_trend_reading *reading, struct dj_text *keys)
{
    const struct dj_trend_outline *outline = reading->outline;
    for (size_t i = reading->from; i < reading->to; i++) {
        reading->key_count += outline->groups[i].count;
    }
    reading->by_key = calloc(reading->key_count + 1, sizeof(*reading->by_key));
    reading->batches = calloc(reading->key_count + 1, sizeof(*reading->batches));
    if (reading->by_key == NULL || reading->batches == NULL) {
        return dj_trend_no_memory(reading->err);
    }
    size_t named = 0;
    for (size_t i = reading->from; i < reading->to; i++) {
        const struct dj_trend_group *group = &outline->groups[i];
        for (size_t k = 0; k < group->count; k++, named++) {
            reading->by_key[named].key = outline->places[group->first + k].key;
            reading->by_key[named].index = SIZE_MAX;
            reading->by_key[named].group = i - reading->from;
            dj_text_string(keys, named > 0 ? "," : "");
            dj_text_int(keys, reading->by_key[named].key);
        }
    }
    qsort(reading->by_key, named, sizeof(*reading->by_key), compare_keys);
    return keys->failed ? dj_trend_no_memory(reading->err) : 0;
}

/* ---- runs ---- */

static int take_run(void *user, int64_t batch, const double *values)
{
    struct dj_trend_reading *reading = user;
    if (!DJ_ARRAY_ROOM(reading->rows, reading->row_count) ||
        !dj_array_make_room(&reading->values, reading->row_count,
                            (reading->column_count + 1) * sizeof(*reading->values))) {
        return dj_trend_no_memory(reading->err);
    }
    size_t at = find_key(reading, batch);
    size_t index = at != SIZE_MAX ? reading->by_key[at].index : SIZE_MAX;
    if (index == SIZE_MAX) {
        return 0; /* put in meanwhile */
    }
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

/* The same of batches by group: they come in the order they were made. From here on a
 * group's are those that came. */
static int sort_batches(struct dj_trend_reading *reading)
{
    size_t count = reading->to - reading->from;
    if (count == 0) { /* then there may be no array of groups */
        return 0;
    }
    struct dj_trend_group *groups = &reading->outline->groups[reading->from];
    size_t first = 0;
    reading->of_group = calloc(reading->batch_count + 1, sizeof(*reading->of_group));
    if (reading->of_group == NULL) {
        return dj_trend_no_memory(reading->err);
    }
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
        reading->of_group[group->first + group->count++] = i;
    }
    return 0;
}

static void finish(struct dj_trend_reading *reading)
{
    free(reading->batches);
    free(reading->by_key);
    free(reading->rows);
    free(reading->values);
    free(reading->sorted);
    free(reading->of_group);
    free(reading->value);
}

int dj_trend_read_batches(struct dj_trend_outline *outline, size_t from, size_t to,
                          struct dj_trend *trend, struct dj_error *err)
{
    struct dj_trend_reading reading = {.outline = outline,
                                       .from = from,
                                       .to = to,
                                       .history = outline->history,
                                       .query = outline->query,
                                       .trend = trend,
                                       .err = err};
    struct dj_text keys = {0};
    dj_trend_ask_for(&reading);
    int code = reading.asked_count > 0 ? name_batches(&reading, &keys) : 0;
    bool nothing = reading.key_count == 0 && from < to;
    if (code != 0 || reading.asked_count == 0 || nothing) {
        dj_text_finish(&keys);
        finish(&reading);
        return code;
    }
    /* All of them need not be named. */
    const struct dj_trend_query *query = reading.query;
    bool all = from == 0 && to == outline->group_count && to > 0;
    const struct dj_timeline_filter filter = {.project = query->project,
                                              .flow = query->flow,
                                              .serial = query->serial,
                                              .since_unix_ms = query->since_unix_ms,
                                              .keys = all ? NULL : dj_text_get(&keys)};
    code = dj_history_each_timeline_batch(reading.history, &filter, take_batch, &reading,
                                          err);
    code = code == 0 ? dj_history_each_timeline_run(reading.history, &filter,
                                                    reading.columns, reading.column_count,
                                                    take_run, &reading, err)
                     : code;
    code = code == 0 ? sort_rows(&reading) : code;
    code = code == 0 ? sort_batches(&reading) : code;
    code = code == 0 ? dj_trend_add_segments(&reading) : code;
    dj_text_finish(&keys);
    finish(&reading);
    return code;
}
