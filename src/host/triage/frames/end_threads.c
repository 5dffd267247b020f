/* Finds the thread in which frames end, for traces that name only the process of a frame.
 */
#include "base/compare.h"
#include "base/map.h"
#include "memory/memory.h"
#include "triage/frames/frames_private.h"

/* A thread is the end thread of a process under two conditions. It ran at the end of at
 * least this percentage of the frames of the process. The main thread ran at the end of
 * fewer than half of these frames. */
enum { ENDS_PERCENT = 80 };

static bool has_process_only(const struct dj_triage_index *index,
                             const struct dj_triage_frame *frame, int32_t pid)
{
    const struct dj_triage_thread *thread = dj_triage_find_thread(index, frame->tid);
    return frame->slice == DJ_NO_SLICE && (int32_t)frame->tid == pid &&
           (thread == NULL || thread->pid == pid || thread->pid <= 0);
}

static bool is_running_at(const struct dj_triage_index *index,
                          const struct dj_triage_thread *thread, int64_t at_ns)
{
    size_t at = dj_triage_find_state(index, thread, at_ns - 1);
    if (at >= thread->states.to) {
        return false;
    }
    const struct dj_trace_state *state = dj_triage_get_state(index, at);
    return state->state == DJ_THREAD_RUNNING && state->start_ns < at_ns;
}

/* Returns the number of the process's frames at whose end the thread ran. If `thread` is
 * NULL, returns the number of all frames of the process. */
static size_t count_ends(const struct dj_triage_index *index,
                         const struct dj_triage_frames *frames, int32_t pid,
                         const struct dj_triage_thread *thread)
{
    size_t count = 0;
    for (size_t i = 0; i < frames->count; i++) {
        count += has_process_only(index, &frames->all[i], pid) &&
                 (thread == NULL || is_running_at(index, thread, frames->all[i].end_ns));
    }
    return count;
}

/* Counts the samples of each thread of the process during the frame. */
static void count_samples(const struct dj_trace *trace,
                          const struct dj_triage_frame *frame, int32_t pid,
                          struct dj_map *counts)
{
    size_t from = 0, to = trace->sample_count;
    DJ_SEARCH(from, to, at, trace->samples[at].at_ns < frame->start_ns);
    for (; from < trace->sample_count && trace->samples[from].at_ns < frame->end_ns;
         from++) {
        const struct dj_trace_sample *sample = &trace->samples[from];
        if (sample->source == DJ_STACK_CPU && sample->pid == pid && sample->tid != 0) {
            size_t known = dj_map_get(counts, sample->tid);
            dj_xcheck(
                dj_map_set(counts, sample->tid, known == DJ_MAP_NONE ? 1 : known + 1));
        }
    }
}

/* Returns the thread of the process that was sampled most often during its frames. The
 * main thread is preferred if it has at least half of the samples. */
static uint32_t find_sampled_thread(const struct dj_triage_index *index,
                                    const struct dj_triage_frames *frames, int32_t pid)
{
    struct dj_map counts = {0};
    size_t all = 0, most = 0;
    uint32_t tid = (uint32_t)pid;
    for (size_t i = 0; i < frames->count; i++) {
        if (has_process_only(index, &frames->all[i], pid)) {
            count_samples(index->trace, &frames->all[i], pid, &counts);
        }
    }
    for (size_t i = 0; i < counts.capacity; i++) {
        const struct dj_map_slot *slot = &counts.slots[i];
        if (slot->value == DJ_MAP_NONE) {
            continue;
        }
        bool more = slot->value > most || (slot->value == most && slot->key < tid);
        tid = more ? (uint32_t)slot->key : tid;
        most = more ? slot->value : most;
        all += slot->value;
    }
    size_t main = dj_map_get(&counts, (uint32_t)pid);
    dj_map_finish(&counts);
    return main != DJ_MAP_NONE && 2 * main >= all ? (uint32_t)pid : tid;
}

/* Returns the end thread of the process. If no thread fulfils the conditions of
 * ENDS_PERCENT, returns the main thread. Without thread states, returns the thread that
 * was sampled most often. */
static uint32_t find_end_thread(const struct dj_triage_index *index,
                                const struct dj_triage_frames *frames, int32_t pid)
{
    if (!index->has_states && index->trace->samples != NULL) {
        return find_sampled_thread(index, frames, pid);
    }
    size_t all = count_ends(index, frames, pid, NULL);
    size_t most = 0;
    size_t first = 0;
    uint32_t tid = (uint32_t)pid;
    for (size_t i = 0; i < index->thread_count; i++) {
        const struct dj_triage_thread *thread = &index->threads[i];
        bool main = thread->tid == (uint32_t)pid;
        if ((thread->pid != pid && !main) || thread->states.from == thread->states.to) {
            continue;
        }
        size_t ends = count_ends(index, frames, pid, thread);
        first = main ? ends : first;
        if (!main && ends > most) {
            most = ends;
            tid = thread->tid;
        }
    }
    return 100 * most >= ENDS_PERCENT * all && 2 * first < all ? tid : (uint32_t)pid;
}

/* Maximum number of processes for which end threads are searched. */
enum { MOST_PROCESSES = 64 };

void dj_triage_frames_set_end_threads(const struct dj_triage_index *index,
                                      struct dj_triage_frames *frames)
{
    /* Processes that were already examined, by process id. */
    struct dj_map processes = {0};
    for (size_t i = 0; i < frames->count; i++) {
        int32_t pid = (int32_t)frames->all[i].tid;
        if (processes.count == MOST_PROCESSES ||
            !has_process_only(index, &frames->all[i], pid) ||
            dj_map_get(&processes, (uint32_t)pid) != DJ_MAP_NONE) {
            continue;
        }
        dj_xcheck(dj_map_set(&processes, (uint32_t)pid, i));
        uint32_t tid = find_end_thread(index, frames, pid);
        for (size_t k = i; k < frames->count && tid != (uint32_t)pid; k++) {
            if (has_process_only(index, &frames->all[k], pid)) {
                frames->all[k].tid = tid;
                /* Without thread states, no hand-over from the main thread is known. */
                frames->all[k].start_tid =
                    index->has_states ? frames->all[k].start_tid : 0;
            }
        }
    }
    dj_map_finish(&processes);
}
