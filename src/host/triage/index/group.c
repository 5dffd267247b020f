#include "triage/index/group.h"

#include "memory/memory.h"

/* The ranges of all threads, or of all CPUs. Each range is `stride` bytes after the
 * previous one. */
struct ranges {
    char *first;
    size_t stride, count;
};

static struct dj_triage_range *get_range(const struct ranges *ranges, size_t place)
{
    return (void *)(ranges->first + place * ranges->stride);
}

static uint32_t *group(const struct dj_triage_index *index, size_t count,
                       dj_triage_group_key *key, const struct ranges *ranges)
{
    uint32_t *order = dj_xresize(NULL, count, sizeof(*order));
    for (size_t i = 0; i < count; i++) {
        ptrdiff_t place = key(index, i);
        if (place >= 0) {
            get_range(ranges, (size_t)place)->to++;
        }
    }
    size_t at = 0;
    for (size_t i = 0; i < ranges->count; i++) {
        struct dj_triage_range *range = get_range(ranges, i);
        size_t size = range->to;
        *range = (struct dj_triage_range){at, at};
        at += size;
    }
    for (size_t i = 0; i < count; i++) {
        ptrdiff_t place = key(index, i);
        if (place >= 0) {
            order[get_range(ranges, (size_t)place)->to++] = (uint32_t)i;
        }
    }
    return order;
}

uint32_t *dj_triage_group_by_thread(struct dj_triage_index *index, size_t count,
                                    dj_triage_group_key *key, size_t member)
{
    const struct ranges ranges = {(char *)index->threads + member,
                                  sizeof(*index->threads), index->thread_count};
    return group(index, count, key, &ranges);
}

uint32_t *dj_triage_group_by_cpu(struct dj_triage_index *index, size_t count,
                                 dj_triage_group_key *key, size_t member)
{
    const struct ranges ranges = {(char *)index->cpus + member, sizeof(*index->cpus),
                                  index->cpu_count};
    return group(index, count, key, &ranges);
}

ptrdiff_t dj_triage_find_thread_place(const struct dj_triage_index *index, uint32_t tid)
{
    const struct dj_triage_thread *thread = dj_triage_find_thread(index, tid);
    return thread == NULL ? -1 : thread - index->threads;
}

ptrdiff_t dj_triage_find_known_thread_place(const struct dj_triage_index *index,
                                            int32_t tid)
{
    return tid > 0 ? dj_triage_find_thread_place(index, (uint32_t)tid) : -1;
}
