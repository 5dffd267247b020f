#include "triage/index/index.h"
#include "base/compare.h"

/* If the process of a thread is unknown, it is assumed to be a process whose id is
 * smaller than the thread's id by at most this number. Most threads are created soon
 * after their process, so their ids are near the id of the process. */
enum { NEAR_IDS = 100 };

const struct dj_triage_thread *dj_triage_find_thread(const struct dj_triage_index *index,
                                                     uint32_t tid)
{
    size_t from = 0, to = index->thread_count;
    DJ_SEARCH(from, to, middle, index->threads[middle].tid < tid);
    bool found = from < index->thread_count && index->threads[from].tid == tid;
    return found ? &index->threads[from] : NULL;
}

/* Returns the index of the first state in the range `of` that ends after at_ns. The range
 * is sorted by time. */
static size_t find_ending_after(const struct dj_trace *trace, const uint32_t *places,
                                struct dj_triage_range of, int64_t at_ns)
{
    DJ_SEARCH(of.from, of.to, middle, trace->states[places[middle]].end_ns <= at_ns);
    return of.from;
}

size_t dj_triage_find_state(const struct dj_triage_index *index,
                            const struct dj_triage_thread *thread, int64_t at_ns)
{
    return find_ending_after(index->trace, index->states, thread->states, at_ns);
}

size_t dj_triage_find_run(const struct dj_triage_index *index,
                          const struct dj_triage_cpu *cpu, int64_t at_ns)
{
    return find_ending_after(index->trace, index->runs, cpu->runs, at_ns);
}

size_t dj_triage_find_first_slice(const struct dj_trace *trace, int64_t at_ns)
{
    struct dj_triage_range of = {0, trace->slice_count};
    DJ_SEARCH(of.from, of.to, middle, trace->slices[middle].start_ns < at_ns);
    return of.from;
}

size_t dj_triage_find_mark_after(const struct dj_triage_index *index,
                                 const uint32_t *places, struct dj_triage_range of,
                                 int64_t at_ns)
{
    DJ_SEARCH(of.from, of.to, middle, index->trace->marks[places[middle]].at_ns <= at_ns);
    return of.from;
}

int32_t dj_triage_find_slice(const struct dj_triage_index *index,
                             const struct dj_triage_thread *thread, int64_t at_ns,
                             int64_t *until_ns)
{
    size_t from = thread->inner.from;
    size_t to = thread->inner.to;
    /* Finds the first element that begins after at_ns. */
    DJ_SEARCH(from, to, middle, index->inner[middle].start_ns <= at_ns);
    if (until_ns != NULL) {
        *until_ns = from < thread->inner.to ? index->inner[from].start_ns : INT64_MAX;
    }
    return from > thread->inner.from ? index->inner[from - 1].slice : DJ_NO_SLICE;
}

bool dj_triage_is_same_process(const struct dj_triage_index *index, uint32_t a,
                               uint32_t b)
{
    const struct dj_triage_thread *left = dj_triage_find_thread(index, a);
    const struct dj_triage_thread *right = dj_triage_find_thread(index, b);
    if (a == b || left == NULL || right == NULL || left->kernel || right->kernel) {
        return a == b;
    }
    if (left->pid > 0 && right->pid > 0) {
        return left->pid == right->pid;
    }
    /* The process of at least one thread is unknown. Most threads are created soon after
     * their process, so the ids are compared. */
    int64_t base = a < b ? a : b;
    if (left->pid > 0 || right->pid > 0) {
        base = left->pid > 0 ? left->pid : right->pid;
    }
    int64_t other = left->pid > 0 ? b : right->pid > 0 ? a : a < b ? b : a;
    return other > base && other - base < NEAR_IDS;
}

size_t dj_triage_count_guessed_threads(const struct dj_triage_index *index)
{
    size_t count = 0;
    for (size_t i = 0; i < index->thread_count; i++) {
        const struct dj_triage_thread *thread = &index->threads[i];
        bool is_unknown = thread->pid <= 0 && !thread->kernel && thread->tid > 0 &&
                          thread->states.to > thread->states.from;
        int64_t after = (int64_t)thread->tid - index->pid;
        count += is_unknown && index->pid > 0 && after > 0 && after < NEAR_IDS;
    }
    return count;
}
