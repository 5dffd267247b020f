/* Builds the segments of other tools' figures. */
#include <stdlib.h>
#include <string.h>

#include "base/optional_text.h"
#include "memory/memory.h"
#include "trend/changes.h"
#include "trend/reading.h"
#include "trend/segment.h"

struct reading {
    const struct dj_trend_query *query;
    struct dj_trend *trend;
    /* The current batch: points with the same time, version and commit are treated as the
     * runs of one batch. */
    struct dj_trend_segment *segment;
    struct dj_trend_point batch;
    double *values;
    size_t value_count;
};

static bool is_requested(const struct dj_trend_query *query, const char *metric)
{
    for (size_t i = 0; i < query->metric_count; i++) {
        if (strcmp(query->metrics[i], metric) == 0) {
            return true;
        }
    }
    return query->metric_count == 0;
}

static int add_series(void *user, const struct dj_stored_series *series)
{
    struct dj_trend_outline *outline = user;
    const struct dj_trend_query *query = outline->query;
    if (!is_requested(query, series->metric)) {
        return 0;
    }
    /* The device is known only by its name. So its class is unknown, and the series is
     * excluded. */
    if (query->class != NULL && query->class->need_count > 0) {
        outline->unclassed++;
        return 0;
    }
    struct dj_trend_group *group = dj_trend_add_group(outline);
    struct dj_trend_segment *head = &group->head;
    struct dj_strings *names = &outline->names;
    head->project = dj_memory_strings_add(names, series->project);
    head->flow = dj_memory_strings_add(names, dj_optional_text_or_empty(series->flow));
    head->serial =
        dj_memory_strings_add(names, dj_optional_text_or_empty(series->device));
    head->release = dj_memory_strings_add(names, series->release);
    head->config =
        dj_memory_strings_add(names, dj_optional_text_or_empty(series->config));
    head->metric = dj_memory_strings_add(names, series->metric);
    head->unit = dj_memory_strings_add(names, dj_optional_text_or_empty(series->unit));
    head->words = head->metric;
    head->digits = -1;
    head->imported = true;
    head->less_is_better = series->sense == DJ_SERIES_LESS;
    head->more_is_better = series->sense == DJ_SERIES_MORE;
    dj_trend_set_segment_key(head, head->serial);
    group->series = series->key;
    group->weight = (size_t)series->points;
    return 0;
}

int dj_trend_find_series(struct dj_trend_outline *outline)
{
    const struct dj_timeline_filter filter = dj_trend_get_filter(outline->query);
    return dj_store_read_series(outline->store, &filter, add_series, outline,
                                outline->err);
}

/* Returns whether the texts are equal. NULL and "" are equal, because both mean
 * unknown. */
static bool is_same_text(const char *a, const char *b)
{
    return strcmp(dj_optional_text_or_empty(a), dj_optional_text_or_empty(b)) == 0;
}

static void end_batch(struct reading *reading)
{
    struct dj_trend_centre centre;
    if (reading->value_count > 0) {
        dj_trend_compute_centre(reading->values, NULL, reading->value_count, 1, &centre);
        dj_trend_add_point(reading->segment, &reading->batch, &centre);
        reading->value_count = 0;
    }
}

static void begin_batch(struct reading *reading, const struct dj_series_point *point)
{
    struct dj_strings *texts = &reading->trend->texts;
    end_batch(reading);
    reading->batch =
        (struct dj_trend_point){.at_unix_ms = point->at_unix_ms,
                                .version = dj_memory_strings_add(texts, point->version),
                                .commit = dj_memory_strings_add(texts, point->commit)};
}

static bool is_of_batch(const struct reading *reading,
                        const struct dj_series_point *point)
{
    bool named = point->at_unix_ms != DJ_SERIES_NO_TIME || point->version != NULL ||
                 point->commit != NULL;
    return reading->value_count > 0 && named &&
           reading->batch.at_unix_ms == point->at_unix_ms &&
           is_same_text(reading->batch.version, point->version) &&
           is_same_text(reading->batch.commit, point->commit);
}

static int add_point(void *user, const struct dj_series_point *point)
{
    struct reading *reading = user;
    if (reading->query->since_unix_ms > 0 &&
        point->at_unix_ms < reading->query->since_unix_ms) {
        return 0;
    }
    if (!dj_trend_requests_build(reading->query, point->version, NULL, point->commit)) {
        return 0;
    }
    if (!is_of_batch(reading, point)) {
        begin_batch(reading, point);
    }
    DJ_XPUSH(reading->values, reading->value_count, point->value);
    return 0;
}

int dj_trend_read_series(struct dj_trend_outline *outline, size_t from, size_t to,
                         struct dj_trend *trend, struct dj_error *err)
{
    struct reading reading = {.query = outline->query, .trend = trend};
    int code = 0;
    for (size_t i = from; i < to && code == 0; i++) {
        const struct dj_trend_group *group = &outline->groups[i];
        if (group->series == 0) {
            continue;
        }
        reading.segment = dj_trend_add_segment(trend, &group->head, err);
        if (reading.segment == NULL) {
            code = DJ_E_LIMIT;
            break;
        }
        code =
            dj_store_read_points(outline->store, group->series, add_point, &reading, err);
        if (code == 0) {
            end_batch(&reading);
            /* No point of the series matches the query. */
            dj_trend_remove_empty(trend);
        }
    }
    free(reading.values);
    return code;
}
