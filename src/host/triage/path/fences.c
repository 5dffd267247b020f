#include "triage/path/wait.h"

#include "trace/event.h"

const char *dj_triage_find_fence(const struct dj_triage_index *index,
                                 const struct dj_triage_thread *thread,
                                 const struct dj_trace_state *sleep)
{
    const struct dj_trace *trace = index->trace;
    size_t after =
        dj_triage_find_mark_after(index, index->fences, thread->fences, sleep->start_ns);
    if (after == thread->fences.from) {
        return NULL;
    }
    const struct dj_trace_mark *begun = &trace->marks[index->fences[after - 1]];
    const struct dj_trace_mark *next =
        after < thread->fences.to ? &trace->marks[index->fences[after]] : NULL;
    /* If the end of a fence wait was lost, the duration of the wait is unknown. The wait
     * is then ignored. */
    bool ends = next == NULL ||
                (next->kind == DJ_EVENT_FENCE_WAIT_END && next->at_ns >= sleep->end_ns);
    return begun->kind == DJ_EVENT_FENCE_WAIT_BEGIN && ends ? begun->name : NULL;
}
