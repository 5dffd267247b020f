#include "triage/group.h"

#include "memory/memory.h"

void dj_triage_group(const struct dj_triage_index *index,
                     struct dj_triage_grouping *grouping)
{
    grouping->order = dj_xresize(NULL, grouping->count, sizeof(*grouping->order));
    grouping->ranges = dj_xcalloc(grouping->groups, sizeof(*grouping->ranges));
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
}

ptrdiff_t dj_triage_place_of(const struct dj_triage_index *index, uint32_t tid)
{
    const struct dj_triage_thread *thread = dj_triage_thread_of(index, tid);
    return thread == NULL ? -1 : thread - index->threads;
}
