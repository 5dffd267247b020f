#include "triage/fences.h"

#include "trace/event.h"

const char *dj_triage_fence_of(const struct dj_triage_index *index,
                               const struct dj_triage_thread *thread,
                               const struct dj_trace_state *sleep)
{
    const struct dj_trace *trace = index->trace;
    size_t from = thread->fences.from;
    size_t to = thread->fences.to;
    while (from < to) { /* the first after it fell asleep */
        size_t middle = from + (to - from) / 2;
        if (trace->marks[index->fences[middle]].at_ns <= sleep->start_ns) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    if (from == thread->fences.from) {
        return NULL;
    }
    const struct dj_trace_mark *begun = &trace->marks[index->fences[from - 1]];
    const struct dj_trace_mark *next =
        from < thread->fences.to ? &trace->marks[index->fences[from]] : NULL;
    /* Where the end of a wait was lost, nobody knows when it was. */
    bool ends = next == NULL ||
                (next->kind == DJ_EVENT_FENCE_WAIT_END && next->at_ns >= sleep->end_ns);
    return begun->kind == DJ_EVENT_FENCE_WAIT_BEGIN && ends ? begun->name : NULL;
}
