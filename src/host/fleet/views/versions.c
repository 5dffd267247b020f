#include <stdlib.h>
#include <string.h>

#include "fleet/session.h"
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

/* A version, and the sum of the days of its sessions. */
struct version {
    struct dj_fleet_group sums;
    double days;
};

/* The newest first, by the mean day of the sessions: the first day would depend on the
 * clock of a single device. With the same day as people count: 1.10 is higher than
 * 1.9. */
static int compare_versions(const void *a, const void *b)
{
    const struct version *one = a, *other = b;
    double difference = other->days / (double)other->sums.sessions -
                        one->days / (double)one->sums.sessions;
    return difference != 0 ? (difference > 0) - (difference < 0)
                           : strverscmp(other->sums.key[0], one->sums.key[0]);
}

static struct version *find_version(struct version *versions, size_t count,
                                    const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(versions[i].sums.key[0], name) == 0) {
            return &versions[i];
        }
    }
    return NULL;
}

void dj_fleet_sum_versions(const struct dj_fleet_result *by_day,
                           struct dj_fleet_result *result)
{
    struct version *versions = NULL;
    size_t count = 0;
    *result = (struct dj_fleet_result){.query = by_day->query};
    result->query.by[0] = DJ_FLEET_VERSION;
    result->query.by_count = 1;
    for (size_t i = 0; i < by_day->count; i++) {
        const struct dj_fleet_group *group = &by_day->groups[i];
        struct version *version = find_version(versions, count, group->key[0]);
        int64_t day = 0;
        if (version == NULL) {
            DJ_XPUSH(versions, count,
                     (struct version){.sums.key = {dj_xstrdup(group->key[0])}});
            version = &versions[count - 1];
        }
        dj_session_parse_day(dj_str_of(group->key[1]), &day);
        version->days += (double)day * (double)group->sessions;
        add_sums(&version->sums, group);
    }
    if (count > 1) {
        qsort(versions, count, sizeof(*versions), compare_versions);
    }
    for (size_t i = 0; i < count; i++) {
        DJ_XPUSH(result->groups, result->count, versions[i].sums);
    }
    free(versions);
}
