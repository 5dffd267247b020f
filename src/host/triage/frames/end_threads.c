/* Finds the thread in which frames end, for traces that name only the process of a frame.
 */
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

/* Returns the end thread of the process. If no thread fulfils the conditions of
 * ENDS_PERCENT, returns the main thread. */
static uint32_t find_end_thread(const struct dj_triage_index *index,
                                const struct dj_triage_frames *frames, int32_t pid)
{
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
            }
        }
    }
    dj_map_finish(&processes);
}
