#include "triage/group.h"

#include <stdlib.h>

#include "base/array.h"

bool dj_triage_group(const struct dj_triage_index *index,
                     struct dj_triage_grouping *grouping)
{
    grouping->order =
        dj_array_resize(NULL, grouping->count + 1, sizeof(*grouping->order));
    grouping->ranges = calloc(grouping->groups + 1, sizeof(*grouping->ranges));
    if (grouping->order == NULL || grouping->ranges == NULL) {
        return false;
    }
    for (size_t i = 0; i < grouping->count; i++) {
        ptrdiff_t key = grouping->key(index, i);
        if (key >= 0) {
            grouping->ranges[key].to++;
        }
    }
    size_t at = 0;
    for (size_t i = 0; i < grouping->groups; i++) {
        size_t size = grouping->ranges[i].to;
        grouping->ranges[i] = (struct dj_triage_range){at, at};
        at += size;
    }
    for (size_t i = 0; i < grouping->count; i++) {
        ptrdiff_t key = grouping->key(index, i);
        if (key >= 0) {
            grouping->order[grouping->ranges[key].to++] = (uint32_t)i;
        }
    }
    return true;
}

ptrdiff_t dj_triage_place_of(const struct dj_triage_index *index, uint32_t tid)
{
    const struct dj_triage_thread *thread = dj_triage_thread_of(index, tid);
    return thread == NULL ? -1 : thread - index->threads;
}
