#include <stdlib.h>
#include <string.h>

#include "fleet/views/views.h"
#include "memory/memory.h"

static void add_sums(struct dj_fleet_group *sum, const struct dj_fleet_group *group)
{
    sum->sessions += group->sessions;
    sum->frames += group->frames;
    sum->janky += group->janky;
    sum->janky_of += group->janky_of;
    sum->slow += group->slow;
    sum->slow_of += group->slow_of;
    sum->frozen += group->frozen;
    sum->frozen_of += group->frozen_of;
    sum->timed_frames += group->timed_frames;
    sum->slow_sessions += group->slow_sessions;
    sum->frozen_sessions += group->frozen_sessions;
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        sum->times[i] += group->times[i];
    }
}

/* Compares as people count: 1.10 is higher than 1.9. */
static int compare_versions(const void *a, const void *b)
{
    const struct dj_fleet_group *one = a, *other = b;
    return strverscmp(other->key[0], one->key[0]);
}

void dj_fleet_sum_versions(const struct dj_fleet_result *by_day,
                           struct dj_fleet_result *versions)
{
    *versions = (struct dj_fleet_result){.query = by_day->query};
    versions->query.by[0] = DJ_FLEET_VERSION;
    versions->query.by_count = 1;
    for (size_t i = 0; i < by_day->count; i++) {
        const struct dj_fleet_group *group = &by_day->groups[i];
        size_t at = 0;
        while (at < versions->count &&
               strcmp(versions->groups[at].key[0], group->key[0]) != 0) {
            at++;
        }
        if (at == versions->count) {
            DJ_XPUSH(versions->groups, versions->count,
                     (struct dj_fleet_group){.key = {dj_xstrdup(group->key[0])}});
        }
        add_sums(&versions->groups[at], group);
    }
    if (versions->count > 1) {
        qsort(versions->groups, versions->count, sizeof(*versions->groups),
              compare_versions);
    }
}
