/* The segments of other tools' figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "judge/trend_parts.h"

struct reading {
    const struct dj_trend_query *query;
    struct dj_trend *trend;
    struct dj_error *err;
    int64_t *keys; /* of the series, beside the segments from `first` on */
    size_t first, key_capacity;
    /* The points of one moment, version and commit: the runs of a batch. */
    struct dj_trend_segment *segment;
    struct dj_trend_point batch;
    double *values;
    size_t value_count, value_capacity;
};

static bool is_asked_for(const struct dj_trend_query *query, const char *metric)
{
    for (size_t i = 0; i < query->metric_count; i++) {
        if (strcmp(query->metrics[i], metric) == 0) {
            return true;
        }
    }
    return query->metric_count == 0;
}

static int keep_key(struct reading *reading, int64_t key)
{
    size_t place = reading->trend->segment_count - 1 - reading->first;
    if (place == reading->key_capacity) {
        size_t more = place == 0 ? 16 : place * 2;
        void *keys = dj_array_resize(reading->keys, more, sizeof(*reading->keys));
        if (keys == NULL) {
            return dj_trend_no_memory(reading->err);
        }
        reading->keys = keys;
        reading->key_capacity = more;
    }
    reading->keys[place] = key;
    return 0;
}

static int take_series(void *user, const struct dj_series_of_store *series)
{
    struct reading *reading = user;
    if (!is_asked_for(reading->query, series->metric)) {
        return 0;
    }
    /* Of its device nothing is known but the name. */
    if (reading->query->class != NULL && reading->query->class->need_count > 0) {
        reading->trend->unclassed++;
        return 0;
    }
    struct dj_trend_segment *segment = dj_trend_add_segment(reading->trend, reading->err);
    if (segment == NULL) {
        return reading->err->code;
    }
    const struct {
        const char *text;
        const char **kept;
    } texts[] = {{series->project, &segment->project},
                 {series->flow != NULL ? series->flow : "", &segment->flow},
                 {series->device != NULL ? series->device : "", &segment->serial},
                 {series->release, &segment->release},
                 {series->config != NULL ? series->config : "", &segment->config},
                 {series->metric, &segment->metric},
                 {series->unit != NULL ? series->unit : "", &segment->unit}};
    int code = 0;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && code == 0; i++) {
        code = dj_trend_keep(reading->trend, texts[i].text, texts[i].kept, reading->err);
    }
    segment->words = segment->metric;
    segment->digits = -1;
    segment->imported = true;
    segment->less_is_better = series->sense == DJ_SERIES_LESS;
    segment->more_is_better = series->sense == DJ_SERIES_MORE;
    dj_trend_name_segment(segment, segment->serial);
    return code == 0 ? keep_key(reading, series->key) : code;
}

/* ---- points ---- */

static bool same(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static int end_batch(struct reading *reading)
{
    struct dj_trend_centre centre;
    if (reading->value_count == 0) {
        return 0;
    }
    int code = dj_trend_centre_of(reading->values, NULL, reading->value_count, 1, &centre,
                                  reading->err);
    struct dj_trend_point *point =
        code == 0 ? dj_trend_add_point(reading->segment, reading->err) : NULL;
    if (point == NULL) {
        return code != 0 ? code : DJ_E_NO_MEMORY;
    }
    *point = reading->batch;
    point->ordinal = (int64_t)reading->segment->point_count - 1;
    point->runs = centre.runs;
    point->value = centre.value;
    point->log = centre.log;
    point->ci = centre.ci;
    reading->segment->linear = reading->segment->linear || centre.linear;
    reading->value_count = 0;
    return 0;
}

static int begin_batch(struct reading *reading, const struct dj_series_point *point)
{
    int code = end_batch(reading);
    reading->batch = (struct dj_trend_point){.at_unix_ms = point->at_unix_ms};
    code = code == 0 ? dj_trend_keep(reading->trend, point->version,
                                     &reading->batch.version, reading->err)
                     : code;
    return code == 0 ? dj_trend_keep(reading->trend, point->commit,
                                     &reading->batch.commit, reading->err)
                     : code;
}

static bool is_of_batch(const struct reading *reading,
                        const struct dj_series_point *point)
{
    bool named = point->at_unix_ms != DJ_SERIES_NO_TIME || point->version != NULL ||
                 point->commit != NULL;
    return reading->value_count > 0 && named &&
           reading->batch.at_unix_ms == point->at_unix_ms &&
           same(reading->batch.version, point->version) &&
           same(reading->batch.commit, point->commit);
}

static int take_point(void *user, const struct dj_series_point *point)
{
    struct reading *reading = user;
    int code = 0;
    if (reading->query->since_unix_ms > 0 &&
        point->at_unix_ms < reading->query->since_unix_ms) {
        return 0;
    }
    if (!is_of_batch(reading, point)) {
        code = begin_batch(reading, point);
    }
    if (code == 0 && reading->value_count == reading->value_capacity) {
        size_t more = reading->value_capacity == 0 ? 16 : reading->value_capacity * 2;
        void *values = dj_array_resize(reading->values, more, sizeof(*reading->values));
        if (values == NULL) {
            return dj_trend_no_memory(reading->err);
        }
        reading->values = values;
        reading->value_capacity = more;
    }
    if (code == 0) {
        reading->values[reading->value_count++] = point->value;
    }
    return code;
}

/* A series that ended before the day asked for is no segment, as with batches. */
static void leave_out_empty(struct dj_trend *trend, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < trend->segment_count; i++) {
        if (trend->segments[i].point_count > 0) {
            trend->segments[kept++] = trend->segments[i];
        } else {
            free(trend->segments[i].points);
        }
    }
    trend->segment_count = kept;
}

int dj_trend_read_series(struct dj_history *history, const struct dj_trend_query *query,
                         struct dj_trend *trend, struct dj_error *err)
{
    struct dj_error own = {0};
    struct reading reading = {.query = query,
                              .trend = trend,
                              .err = err != NULL ? err : &own,
                              .first = trend->segment_count};
    const struct dj_timeline_filter filter = {query->project, query->flow, query->serial,
                                              query->since_unix_ms};
    int code =
        dj_history_each_series(history, &filter, take_series, &reading, reading.err);
    for (size_t i = reading.first; i < trend->segment_count && code == 0; i++) {
        reading.segment = &trend->segments[i];
        code = dj_history_each_point(history, reading.keys[i - reading.first], take_point,
                                     &reading, reading.err);
        code = code == 0 ? end_batch(&reading) : code;
    }
    if (code == 0) {
        leave_out_empty(trend, reading.first);
    }
    free(reading.keys);
    free(reading.values);
    return code;
}
