/* What a store has of what is asked for, before any of it is read: so that a trend can be
 * read part by part, and no more of it is held than a part. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "judge/trend_reading.h"
#include "memory/memory.h"

struct dj_trend_group *dj_trend_add_group(struct dj_trend_outline *outline)
{
    DJ_XPUSH(outline->groups, outline->group_count,
             (struct dj_trend_group){.head = {.unit = ""}});
    return &outline->groups[outline->group_count - 1];
}

/* ---- the order ---- */

static int compare_places(const void *left, const void *right)
{
    const struct dj_trend_place *a = left;
    const struct dj_trend_place *b = right;
    return a->group != b->group ? DJ_COMPARE(a->group, b->group)
                                : DJ_COMPARE(a->key, b->key);
}

static int compare_groups(const void *left, const void *right)
{
    const struct dj_trend_group *a = left;
    const struct dj_trend_group *b = right;
    return dj_trend_compare_segments(&a->head, &b->head);
}

/* Leaves those out that are not of the class, and orders the others; batches follow. */
static void order(struct dj_trend_outline *outline)
{
    size_t *moved = dj_xcalloc(outline->group_count, sizeof(*moved));
    size_t groups = 0;
    size_t places = 0;
    for (size_t i = 0; i < outline->group_count; i++) {
        if (!outline->groups[i].out) {
            outline->groups[groups] = outline->groups[i];
            outline->groups[groups++].first = i; /* where it was */
        }
    }
    outline->group_count = groups;
    if (groups > 0) {
        qsort(outline->groups, groups, sizeof(*outline->groups), compare_groups);
    }
    for (size_t i = 0; i < groups; i++) {
        moved[outline->groups[i].first] = i + 1;
    }
    for (size_t i = 0; i < outline->place_count; i++) {
        struct dj_trend_place place = outline->places[i];
        if (moved[place.group] > 0) {
            place.group = moved[place.group] - 1;
            outline->places[places++] = place;
        }
    }
    outline->place_count = places;
    if (places > 0) {
        qsort(outline->places, places, sizeof(*outline->places), compare_places);
    }
    free(moved);
}

static void find_places(struct dj_trend_outline *outline)
{
    for (size_t i = 0; i < outline->group_count; i++) {
        outline->groups[i].first = outline->groups[i].count = 0;
    }
    for (size_t i = outline->place_count; i > 0; i--) {
        struct dj_trend_group *group = &outline->groups[outline->places[i - 1].group];
        group->first = i - 1;
        group->count++;
    }
}

int dj_trend_outline_read(struct dj_trend_outline *outline, struct dj_error *err)
{
    outline->err = err;
    int code = dj_trend_find_groups(outline);
    if (code == 0) {
        code = dj_trend_find_series(outline);
    }
    if (code == 0) {
        order(outline);
        find_places(outline);
    }
    return code;
}

void dj_trend_outline_finish(struct dj_trend_outline *outline)
{
    dj_strings_finish(&outline->names);
    dj_trend_git_close(outline->git);
    free(outline->groups);
    free(outline->places);
    dj_map_finish(&outline->by_hash);
    dj_text_finish(&outline->options);
    dj_text_finish(&outline->config);
    *outline = (struct dj_trend_outline){0};
}
