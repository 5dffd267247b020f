#include "triage/path/wait.h"

#include "triage/names.h"

/* Returns the thread's innermost slice at at_ns for whose name `is` returns true, or
 * DJ_NO_SLICE. */
static int32_t find_slice(const struct dj_triage_index *index,
                          const struct dj_triage_thread *thread, int64_t at_ns,
                          bool (*is)(const char *name))
{
    int32_t at = dj_triage_find_slice(index, thread, at_ns, NULL);
    while (at != DJ_NO_SLICE && !is(index->trace->slices[at].name)) {
        at = index->parents[at];
    }
    return at;
}

static bool is_collection(const char *name)
{
    return dj_triage_get_work_kind(name) == DJ_CAUSE_GC;
}

static const struct dj_triage_thread *
find_colleague(const struct dj_triage_index *index, const struct dj_triage_thread *thread,
               int64_t at_ns, bool (*is)(const char *name))
{
    for (size_t i = 0; thread->pid > 0 && i < index->thread_count; i++) {
        const struct dj_triage_thread *other = &index->threads[i];
        if (other->pid == thread->pid && other->inner.to > other->inner.from &&
            other != thread && find_slice(index, other, at_ns, is) != DJ_NO_SLICE) {
            return other;
        }
    }
    return NULL;
}

bool dj_triage_is_collecting(const struct dj_triage_index *index,
                             const struct dj_triage_thread *thread, int64_t at_ns)
{
    return find_slice(index, thread, at_ns, is_collection) != DJ_NO_SLICE;
}

uint32_t dj_triage_find_collector(const struct dj_triage_index *index,
                                  const struct dj_triage_thread *thread, int64_t at_ns)
{
    const struct dj_triage_thread *other =
        find_colleague(index, thread, at_ns, is_collection);
    return other != NULL ? other->tid : 0;
}

int32_t dj_triage_find_fence_section(const struct dj_triage_index *index,
                                     const struct dj_triage_thread *thread, int64_t at_ns)
{
    const struct dj_triage_thread *other =
        find_colleague(index, thread, at_ns, dj_triage_is_fence_wait);
    return other != NULL ? find_slice(index, other, at_ns, dj_triage_is_fence_wait)
                         : DJ_NO_SLICE;
}
