/* Finds the changes that were blessed, that is, accepted by a person. */
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "trend/reading.h"

/* Returns the index of the first point to which a blessing applies, or SIZE_MAX if there
 * is none. The point is found by its batch, else by its time, else by its ordinal. */
static size_t find_first_point(const struct dj_trend_segment *segment,
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
    return a != SIZE_MAX && (a > b ? a - b : b - a) <= DJ_TREND_BLESSING_DISTANCE;
}

static bool matches_segment(const struct dj_trend_segment *segment,
                            const struct dj_blessing *blessing)
{
    return strcmp(segment->project, blessing->project) == 0 &&
           strcmp(segment->metric, blessing->metric) == 0 &&
           (blessing->segment == NULL || strcmp(segment->key, blessing->segment) == 0);
}

static struct dj_trend_blessing *add_blessing(struct dj_trend *trend,
                                              const struct dj_blessing *blessing)
{
    struct dj_trend_blessing *added = dj_xcalloc(1, sizeof(*added));
    *added = (struct dj_trend_blessing){
        .id = dj_memory_strings_add(&trend->texts, blessing->id),
        .who = dj_memory_strings_add(&trend->texts, blessing->who),
        .why = dj_memory_strings_add(&trend->texts, blessing->why),
        .made_unix_ms = blessing->made_unix_ms,
    };
    DJ_XPUSH(trend->blessings, trend->blessing_count, added);
    return added;
}

static int apply_blessing(void *user, const struct dj_blessing *blessing)
{
    struct dj_trend *trend = user;
    struct dj_trend_blessing *added = NULL;
    for (size_t i = 0; i < trend->segment_count; i++) {
        struct dj_trend_segment *segment = &trend->segments[i];
        if (blessing->withdrawn != NULL || segment->change_count == 0 ||
            !matches_segment(segment, blessing)) {
            continue;
        }
        size_t first_point = find_first_point(segment, blessing);
        for (size_t k = 0; k < segment->change_count; k++) {
            struct dj_trend_change *change = &segment->changes[k];
            if (is_near(first_point, change->index) &&
                (change->direction > 0) == blessing->up) {
                added = added != NULL ? added : add_blessing(trend, blessing);
                change->blessing = added;
            }
        }
    }
    return 0;
}

/* Returns the project of all segments, or NULL if the segments have several projects. The
 * segments are sorted by project. */
static const char *get_only_project(const struct dj_trend *trend)
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

int dj_trend_find_blessings(struct dj_trend *trend, struct dj_store *store,
                            struct dj_error *err)
{
    return has_changes(trend) ? dj_store_read_blessings(store, get_only_project(trend),
                                                        apply_blessing, trend, err)
                              : 0;
}
