/* Which metrics a trend is of. */
#include "judge/trend_reading.h"

/* A column of the store that has no row in compare.h, as one. */
static const struct dj_compared *plain_metric(enum dj_metric metric)
{
    static struct dj_compared made[DJ_METRIC_COUNT];
    const char *name = dj_metric_name(metric);
    const struct dj_metric_unit *unit = dj_metric_units(name)->unit;
    struct dj_compared *compared = &made[metric];
    *compared =
        (struct dj_compared){.name = name,
                             .words = name,
                             .unit = unit->name,
                             .factor = unit->factor,
                             .kind = DJ_EFFECT_RATIO,
                             .value = metric,
                             .of = DJ_METRIC_FRAMES,
                             .value_else = metric,
                             .of_else = DJ_METRIC_FRAMES,
                             .more_is_better = dj_metric_sense(metric) == DJ_METRIC_MORE};
    return compared;
}

static const struct dj_compared *find_metric(const char *name)
{
    enum dj_metric metric;
    const struct dj_compared *compared = dj_compared_find(name);
    return compared != NULL                ? compared
           : dj_metric_find(name, &metric) ? plain_metric(metric)
                                           : NULL;
}

static void add_column(struct dj_trend_reading *reading, enum dj_metric metric)
{
    for (size_t i = 0; i < reading->column_count; i++) {
        if (reading->columns[i] == metric) {
            return;
        }
    }
    if (reading->column_count < DJ_TIMELINE_METRICS) {
        reading->columns[reading->column_count++] = metric;
    }
}

static void add_columns_of(struct dj_trend_reading *reading,
                           const struct dj_compared *metric)
{
    add_column(reading, metric->value);
    if (metric->kind == DJ_EFFECT_SHARE) {
        add_column(reading, metric->of);
        add_column(reading, metric->value_else);
        add_column(reading, metric->of_else);
    }
    add_column(reading, dj_metric_substitute(metric->value));
}

void dj_trend_ask_for(struct dj_trend_reading *reading)
{
    const struct dj_trend_query *query = reading->outline->query;
    const struct dj_compared *metric;
    for (size_t i = 0; i < query->metric_count; i++) {
        metric = find_metric(query->metrics[i]);
        if (metric != NULL) { /* else of another tool */
            reading->asked[reading->asked_count++] = metric;
        }
    }
    for (size_t i = 0; query->metric_count == 0 && (metric = dj_compared(i)) != NULL;
         i++) {
        if (metric->gates) {
            reading->asked[reading->asked_count++] = metric;
        }
    }
    for (size_t i = 0; i < reading->asked_count; i++) {
        add_columns_of(reading, reading->asked[i]);
    }
}
