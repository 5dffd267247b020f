/* Which changes somebody accepted. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "judge/trend_parts.h"

/* ---- blessings ---- */

struct blessing_reading {
    struct dj_trend *trend;
    struct dj_error *err;
};

/* The point that a blessing is from: the batch itself, else the first of that time, else
 * the place. */
static size_t place_of(const struct dj_trend_segment *segment,
                       const struct dj_blessing *blessing)
{
    for (size_t i = 0; i < segment->point_count; i++) {
        const char *id = segment->points[i].id;
        if (id != NULL && strcmp(id, blessing->from_point) == 0) {
            return i;
        }
    }
    size_t i = 0;
    if (blessing->from_unix_ms == INT64_MIN) {
        return blessing->from_ordinal >= 0 ? (size_t)blessing->from_ordinal : SIZE_MAX;
    }
    while (i < segment->point_count &&
           segment->points[i].at_unix_ms < blessing->from_unix_ms) {
        i++;
    }
    return i < segment->point_count ? i : SIZE_MAX;
}

static bool is_near(size_t a, size_t b)
{
    return a != SIZE_MAX && (a > b ? a - b : b - a) <= DJ_TREND_NEAR;
}

static bool is_of(const struct dj_trend_segment *segment,
                  const struct dj_blessing *blessing)
{
    return strcmp(segment->project, blessing->project) == 0 &&
           strcmp(segment->metric, blessing->metric) == 0 &&
           (blessing->segment == NULL || strcmp(segment->key, blessing->segment) == 0);
}

static int keep_blessing(struct blessing_reading *reading,
                         const struct dj_blessing *blessing,
                         struct dj_trend_blessing **kept)
{
    struct dj_trend *trend = reading->trend;
    struct dj_trend_blessing *one = calloc(1, sizeof(*one));
    if (one == NULL || !DJ_ARRAY_PUSH(trend->blessings, trend->blessing_count, one)) {
        free(one);
        return dj_trend_no_memory(reading->err);
    }
    one->made_unix_ms = blessing->made_unix_ms;
    int code = dj_trend_keep(trend, blessing->id, &one->id, reading->err);
    code =
        code == 0 ? dj_trend_keep(trend, blessing->who, &one->who, reading->err) : code;
    *kept = one;
    return code == 0 ? dj_trend_keep(trend, blessing->why, &one->why, reading->err)
                     : code;
}

static int take_blessing(void *user, const struct dj_blessing *blessing)
{
    struct blessing_reading *reading = user;
    struct dj_trend_blessing *kept = NULL;
    int code = 0;
    for (size_t i = 0; i < reading->trend->segment_count; i++) {
        struct dj_trend_segment *segment = &reading->trend->segments[i];
        if (blessing->withdrawn != NULL || segment->change_count == 0 ||
            !is_of(segment, blessing)) {
            continue;
        }
        size_t place = place_of(segment, blessing);
        for (size_t k = 0; k < segment->change_count && code == 0; k++) {
            struct dj_trend_change *change = &segment->changes[k];
            if (is_near(place, change->index) &&
                (change->direction > 0) == blessing->up) {
                code = kept == NULL ? keep_blessing(reading, blessing, &kept) : 0;
                change->blessing = kept;
            }
        }
    }
    return code;
}

/* NULL: segments of several. They stand by project. */
static const char *only_project(const struct dj_trend *trend)
{
    const char *first = trend->segments[0].project;
    const char *last = trend->segments[trend->segment_count - 1].project;
    return strcmp(first, last) == 0 ? first : NULL;
}

static bool has_changes(const struct dj_trend *trend)
{
    size_t i = 0;
    while (i < trend->segment_count && trend->segments[i].change_count == 0) {
        i++;
    }
    return i < trend->segment_count;
}

int dj_trend_bless(struct dj_trend *trend, struct dj_history *history,
                   struct dj_error *err)
{
    struct blessing_reading reading = {trend, err};
    return has_changes(trend) ? dj_history_each_blessing(history, only_project(trend),
                                                         take_blessing, &reading, err)
                              : 0;
}
