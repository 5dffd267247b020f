/* The segments of other tools' figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "judge/trend_reading.h"

struct reading {
    const struct dj_trend_query *query;
    struct dj_trend *trend;
    struct dj_error *err;
    /* The points of one moment, version and commit: the runs of a batch. */
    struct dj_trend_segment *segment;
    struct dj_trend_point batch;
    double *values;
    size_t value_count;
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

static int take_series(void *user, const struct dj_series_of_store *series)
{
    struct dj_trend_outline *outline = user;
    const struct dj_trend_query *query = outline->query;
    if (!is_asked_for(query, series->metric)) {
        return 0;
    }
    /* Of its device nothing is known but the name. */
    if (query->class != NULL && query->class->need_count > 0) {
        outline->unclassed++;
        return 0;
    }
    struct dj_trend_group *group = dj_trend_add_group(outline);
    if (group == NULL) {
        return DJ_E_NO_MEMORY;
    }
    struct dj_trend_segment *head = &group->head;
    const struct {
        const char *text;
        const char **kept;
    } texts[] = {{series->project, &head->project},
                 {series->flow != NULL ? series->flow : "", &head->flow},
                 {series->device != NULL ? series->device : "", &head->serial},
                 {series->release, &head->release},
                 {series->config != NULL ? series->config : "", &head->config},
                 {series->metric, &head->metric},
                 {series->unit != NULL ? series->unit : "", &head->unit}};
    int code = 0;
    for (size_t i = 0; i < COUNT_OF(texts) && code == 0; i++) {
        code = dj_trend_keep(&outline->names, texts[i].text, texts[i].kept, outline->err);
    }
    head->words = head->metric;
    head->digits = -1;
    head->imported = true;
    head->less_is_better = series->sense == DJ_SERIES_LESS;
    head->more_is_better = series->sense == DJ_SERIES_MORE;
    dj_trend_name_segment(head, head->serial);
    group->series = series->key;
    group->weight = (size_t)series->points;
    return code;
}

int dj_trend_find_series(struct dj_trend_outline *outline)
{
    const struct dj_trend_query *query = outline->query;
    const struct dj_timeline_filter filter = {
        .project = query->project, .flow = query->flow, .serial = query->serial};
    return dj_history_each_series(outline->history, &filter, take_series, outline,
                                  outline->err);
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
    if (code == 0) {
        if (!DJ_ARRAY_PUSH(reading->values, reading->value_count, point->value)) {
            return dj_trend_no_memory(reading->err);
        }
    }
    return code;
}

/* A series that ended before the day asked for is no segment, as with batches. */
static void leave_out_empty(struct dj_trend *trend)
{
    struct dj_trend_segment *last = &trend->segments[trend->segment_count - 1];
    if (last->point_count == 0) {
        free(last->points);
        trend->segment_count--;
    }
}

int dj_trend_read_series(struct dj_trend_outline *outline, size_t from, size_t to,
                         struct dj_trend *trend, struct dj_error *err)
{
    struct reading reading = {.query = outline->query, .trend = trend, .err = err};
    int code = 0;
    for (size_t i = from; i < to && code == 0; i++) {
        const struct dj_trend_group *group = &outline->groups[i];
        if (group->series == 0) {
            continue;
        }
        reading.segment = dj_trend_add_segment(trend, err);
        if (reading.segment == NULL) {
            code = err->code;
            break;
        }
        *reading.segment = group->head;
        reading.segment->objective.bound = reading.segment->objective.goal = NAN;
        code = dj_history_each_point(outline->history, group->series, take_point,
                                     &reading, err);
        code = code == 0 ? end_batch(&reading) : code;
        if (code == 0) {
            leave_out_empty(trend);
        }
    }
    free(reading.values);
    return code;
}
