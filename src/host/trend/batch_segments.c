/* Converts the batches that were read into segments. Adds one point per batch and the
 * objective that applies to the segment. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gate/objectives.h"
#include "trend/changes.h"
#include "trend/reading.h"
#include "trend/segment.h"

static const struct dj_trend_batch *get_batch(const struct dj_trend_reading *reading,
                                              const struct dj_trend_group *group,
                                              size_t i)
{
    return &reading->batches[reading->batches_by_group[group->first + i]];
}

static double get_value(const struct dj_trend_reading *reading,
                        const struct dj_trend_batch *batch, size_t run,
                        enum dj_metric metric)
{
    size_t row = reading->rows_by_batch[batch->first + run];
    for (size_t i = 0; i < reading->column_count; i++) {
        if (reading->columns[i] == metric) {
            return reading->values[row * reading->column_count + i];
        }
    }
    return NAN;
}

/* Returns whether all runs of a group have the counts of a share. hwui's counters and
 * frame rows count differently, so a segment uses the same source for all its points. */
static bool is_known_to_all(const struct dj_trend_reading *reading,
                            const struct dj_trend_group *group,
                            const struct dj_compare_metric *metric)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct dj_trend_batch *batch = get_batch(reading, group, i);
        for (size_t k = 0; k < batch->runs; k++) {
            if (!isfinite(get_value(reading, batch, k, metric->value)) ||
                !(get_value(reading, batch, k, metric->of) > 0)) {
                return false;
            }
        }
    }
    return true;
}

static void add_point(struct dj_trend_reading *reading,
                      const struct dj_trend_batch *batch,
                      const struct dj_compare_metric *metric, bool uses_replacement,
                      struct dj_trend_segment *segment)
{
    enum dj_metric value = uses_replacement ? metric->replacement_value : metric->value;
    enum dj_metric of = uses_replacement ? metric->replacement_of : metric->of;
    struct dj_trend_centre centre;
    for (size_t i = 0; i < batch->runs; i++) {
        reading->value[i] = get_value(reading, batch, i, value);
        reading->of[i] = segment->share ? get_value(reading, batch, i, of) : 1;
    }
    dj_trend_compute_centre(reading->value, segment->share ? reading->of : NULL,
                            batch->runs, metric->factor, &centre);
    if (centre.runs > 0) {
        size_t count = segment->point_count;
        segment->backwards +=
            count > 0 && batch->point.key < segment->points[count - 1].key;
        dj_trend_add_point(segment, &batch->point, &centre);
    }
}

/* Returns the requested metric, or its substitute if dj_metrics_choose() prefers the
 * substitute. */
static const struct dj_compare_metric *
choose_metric(const struct dj_trend_reading *reading, const struct dj_trend_group *group,
              const struct dj_compare_metric *requested)
{
    const struct dj_compare_metric *substitute = dj_compare_metric_substitute(requested);
    const enum dj_metric metrics[] = {requested->value,
                                      dj_metrics_substitute(requested->value)};
    struct dj_known_metrics known = {0};
    for (size_t i = 0; substitute != NULL && i < group->count; i++) {
        const struct dj_trend_batch *batch = get_batch(reading, group, i);
        for (size_t k = 0; k < 2 * batch->runs; k++) {
            enum dj_metric metric = metrics[k % 2];
            known.known[metric] =
                known.known[metric] || isfinite(get_value(reading, batch, k / 2, metric));
        }
    }
    return dj_metrics_choose(requested->value, &known) != requested->value ? substitute
                                                                           : requested;
}

/* Stores the objective in the segment if the objective applies. `metric` is the displayed
 * metric: `requested` or a substitute of `requested`. */
static void set_objective(const struct dj_compare_metric *requested,
                          const struct dj_compare_metric *metric,
                          const struct dj_trend_group *group,
                          const struct dj_objective *objective,
                          struct dj_trend_segment *segment)
{
    bool jank =
        metric->kind == DJ_EFFECT_SHARE && metric->value == DJ_METRIC_JANKY_FRAMES;
    bool same_metric =
        objective->metric == metric->value || objective->metric == requested->value ||
        (jank && (objective->smooth || dj_metrics_find_share(objective->metric) != NULL));
    if (!same_metric || segment->objective.known ||
        !dj_gate_objective_applies(objective, group->head.flow, group->head.serial,
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

/* Finds the objective in the newest batch that has objectives. Objectives that cannot be
 * read are ignored. */
static void find_objective(struct dj_trend *trend,
                           const struct dj_compare_metric *requested,
                           const struct dj_compare_metric *metric,
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
    int code = dj_gate_objectives_read(json, &objectives, &unread);
    for (size_t i = 0; i < objectives.count && code == 0 && !segment->objective.known;
         i++) {
        set_objective(requested, metric, group, &objectives.objective[i], segment);
        by = objectives.objective[i].by;
    }
    if (segment->objective.known) {
        segment->objective.by = dj_memory_strings_add(&trend->texts, by);
    }
    dj_gate_objectives_finish(&objectives);
}

static void set_metric(const struct dj_compare_metric *metric,
                       struct dj_trend_segment *segment)
{
    enum dj_metrics_direction sense = dj_metrics_direction(metric->value);
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
                       const struct dj_compare_metric *requested)
{
    const struct dj_compare_metric *metric = choose_metric(reading, of, requested);
    struct dj_trend_segment *segment =
        dj_trend_add_segment(reading->trend, &of->head, reading->err);
    if (segment == NULL) {
        return DJ_E_LIMIT;
    }
    set_metric(metric, segment);
    bool uses_replacement = segment->share && !is_known_to_all(reading, of, metric);
    for (size_t i = 0; i < of->count; i++) {
        add_point(reading, get_batch(reading, of, i), metric, uses_replacement, segment);
    }
    if (!dj_trend_remove_empty(reading->trend)) {
        find_objective(reading->trend, requested, metric, of, segment);
    }
    return 0;
}

int dj_trend_add_segments(struct dj_trend_reading *reading)
{
    int code = 0;
    for (size_t i = reading->from; i < reading->to && code == 0; i++) {
        const struct dj_trend_group *group = &reading->outline->groups[i];
        for (size_t k = 0;
             k < reading->requested_count && group->series == 0 && code == 0; k++) {
            code = add_segment(reading, group, reading->requested[k]);
        }
    }
    return code;
}
