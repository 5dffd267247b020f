/* Turns the batches that were read into segments: a point per batch, and the objective
 * that applies to them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gate/objectives.h"
#include "trend/trend_changes.h"
#include "trend/trend_reading.h"
#include "trend/trend_segment.h"

static const struct dj_trend_batch *nth_batch(const struct dj_trend_reading *reading,
                                              const struct dj_trend_group *group,
                                              size_t i)
{
    return &reading->batches[reading->of_group[group->first + i]];
}

static double value_at(const struct dj_trend_reading *reading,
                       const struct dj_trend_batch *batch, size_t run,
                       enum dj_metric metric)
{
    size_t row = reading->sorted[batch->first + run];
    for (size_t i = 0; i < reading->column_count; i++) {
        if (reading->columns[i] == metric) {
            return reading->values[row * reading->column_count + i];
        }
    }
    return NAN;
}

/* ---- segments ---- */

/* A share uses one kind of count in a whole segment, because hwui's counters and rows
 * differ. */
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

static void add_point(struct dj_trend_reading *reading,
                      const struct dj_trend_batch *batch,
                      const struct dj_compared *metric, bool otherwise,
                      struct dj_trend_segment *segment)
{
    enum dj_metric value = otherwise ? metric->value_else : metric->value;
    enum dj_metric of = otherwise ? metric->of_else : metric->of;
    struct dj_trend_centre centre;
    for (size_t i = 0; i < batch->runs; i++) {
        reading->value[i] = value_at(reading, batch, i, value);
        reading->of[i] = segment->share ? value_at(reading, batch, i, of) : 1;
    }
    dj_trend_centre_of(reading->value, segment->share ? reading->of : NULL, batch->runs,
                       metric->factor, &centre);
    if (centre.runs > 0) {
        size_t count = segment->point_count;
        segment->backwards +=
            count > 0 && batch->point.key < segment->points[count - 1].key;
        dj_trend_add_point(segment, &batch->point, &centre);
    }
}

/* Returns the requested metric or its substitute. */
static const struct dj_compared *choose_metric(const struct dj_trend_reading *reading,
                                               const struct dj_trend_group *group,
                                               const struct dj_compared *asked)
{
    const struct dj_compared *substitute = dj_compared_substitute(asked);
    const enum dj_metric metrics[] = {asked->value, dj_metric_substitute(asked->value)};
    struct dj_known_metrics known = {0};
    for (size_t i = 0; substitute != NULL && i < group->count; i++) {
        const struct dj_trend_batch *batch = nth_batch(reading, group, i);
        for (size_t k = 0; k < 2 * batch->runs; k++) {
            enum dj_metric metric = metrics[k % 2];
            known.known[metric] =
                known.known[metric] || isfinite(value_at(reading, batch, k / 2, metric));
        }
    }
    return dj_metric_choose(asked->value, &known) != asked->value ? substitute : asked;
}

/* `asked` is the requested metric and `metric` the displayed one. */
static void take_objective(const struct dj_compared *asked,
                           const struct dj_compared *metric,
                           const struct dj_trend_group *group,
                           const struct dj_objective *objective,
                           struct dj_trend_segment *segment)
{
    bool jank =
        metric->kind == DJ_EFFECT_SHARE && metric->value == DJ_METRIC_JANKY_FRAMES;
    bool same_metric =
        objective->metric == metric->value || objective->metric == asked->value ||
        (jank && (objective->smooth || dj_metric_share(objective->metric) != NULL));
    if (!same_metric || segment->objective.known ||
        !dj_objective_applies(objective, group->head.flow, group->head.serial,
                              &group->facts)) {
        return;
    }
    double factor = jank ? 1 : metric->factor;
    bool smooth = objective->smooth;
    segment->objective.known = true;
    segment->objective.at_least = objective->at_least != smooth;
    segment->objective.bound =
        (smooth ? 100 - objective->bound : objective->bound) / factor;
    segment->objective.goal = (smooth ? 100 - objective->goal : objective->goal) / factor;
}

/* Uses the newest batch with objectives. Unreadable ones count as none. */
static void find_objective(struct dj_trend *trend, const struct dj_compared *asked,
                           const struct dj_compared *metric,
                           const struct dj_trend_group *group,
                           struct dj_trend_segment *segment)
{
    const char *json = NULL;
    for (size_t i = segment->point_count; i > 0 && json == NULL; i--) {
        json = segment->points[i - 1].objectives;
    }
    struct dj_objectives objectives = {0};
    struct dj_error unread = {0};
    const char *by = "";
    int code = dj_objectives_read(json, &objectives, &unread);
    for (size_t i = 0; i < objectives.count && code == 0 && !segment->objective.known;
         i++) {
        take_objective(asked, metric, group, &objectives.objective[i], segment);
        by = objectives.objective[i].by;
    }
    if (segment->objective.known) {
        segment->objective.by = dj_strings_keep(&trend->texts, by);
    }
    dj_objectives_finish(&objectives);
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

static int add_segment(struct dj_trend_reading *reading, const struct dj_trend_group *of,
                       const struct dj_compared *asked)
{
    const struct dj_compared *metric = choose_metric(reading, of, asked);
    struct dj_trend_segment *segment =
        dj_trend_add_segment(reading->trend, &of->head, reading->err);
    if (segment == NULL) {
        return DJ_E_LIMIT;
    }
    name_metric(metric, segment);
    bool otherwise = segment->share && !all_know(reading, of, metric);
    for (size_t i = 0; i < of->count; i++) {
        add_point(reading, nth_batch(reading, of, i), metric, otherwise, segment);
    }
    if (!dj_trend_drop_empty(reading->trend)) {
        find_objective(reading->trend, asked, metric, of, segment);
    }
    return 0;
}

int dj_trend_add_segments(struct dj_trend_reading *reading)
{
    int code = 0;
    for (size_t i = reading->from; i < reading->to && code == 0; i++) {
        const struct dj_trend_group *group = &reading->outline->groups[i];
        for (size_t k = 0; k < reading->asked_count && group->series == 0 && code == 0;
             k++) {
            code = add_segment(reading, group, reading->asked[k]);
        }
    }
    return code;
}
