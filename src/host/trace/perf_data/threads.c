#include "trace/perf_data/threads.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

void dj_perf_data_threads_finish(struct dj_perf_threads *threads)
{
    free(threads->threads);
    dj_map_finish(&threads->places);
    dj_map_finish(&threads->running_counts);
    *threads = (struct dj_perf_threads){.threads = NULL};
}

static struct dj_perf_thread *get_thread(struct dj_perf_threads *threads, int32_t tid)
{
    size_t place = dj_map_get(&threads->places, (uint32_t)tid);
    if (place == DJ_MAP_NONE) {
        static const struct dj_perf_thread unknown = {.pid = DJ_PID_UNKNOWN};
        place = threads->count;
        dj_xcheck(dj_map_add(&threads->places, (uint32_t)tid, place));
        DJ_XPUSH(threads->threads, threads->count, unknown);
    }
    return &threads->threads[place];
}

/* Changes the number of running threads of a process. Returns the new number. */
static size_t count_running(struct dj_perf_threads *threads, int32_t pid, bool more)
{
    size_t count = dj_map_get(&threads->running_counts, (uint32_t)pid);
    count = count == DJ_MAP_NONE ? 0 : count;
    count = more ? count + 1 : count > 0 ? count - 1 : 0;
    dj_xcheck(dj_map_set(&threads->running_counts, (uint32_t)pid, count));
    return count;
}

static void set_process(struct dj_perf_threads *threads, struct dj_perf_thread *thread,
                        int32_t pid)
{
    if (thread->is_running && thread->pid != pid) {
        count_running(threads, thread->pid, false);
        thread->is_running = false;
    }
    if (!thread->is_running) {
        count_running(threads, pid, true);
        thread->is_running = true;
    }
    thread->pid = pid;
}

/* If some threads of a process were not announced, some of them may still run when all
 * known ones have ended. So a process ends only with an announced thread, and only after
 * its main thread has ended. */
bool dj_perf_data_threads_exit(struct dj_perf_threads *threads, int32_t tid, int32_t pid)
{
    struct dj_perf_thread *thread = get_thread(threads, tid);
    bool was_announced = thread->is_running;
    set_process(threads, thread, pid);
    thread->is_running = false;
    bool was_last = count_running(threads, pid, false) == 0;
    size_t main_thread = dj_map_get(&threads->places, (uint32_t)pid);
    return was_announced && was_last && main_thread != DJ_MAP_NONE &&
           !threads->threads[main_thread].is_running;
}

int dj_perf_data_threads_name(struct dj_perf_threads *threads,
                              const struct dj_perf_thread_change *change,
                              struct dj_str name, struct dj_event_sink sink)
{
    if (change->tid <= 0) {
        return 0;
    }
    struct dj_perf_thread *thread = get_thread(threads, change->tid);
    size_t length = strnlen(name.at, name.length);
    length = length < sizeof(thread->name) ? length : sizeof(thread->name) - 1;
    bool is_renamed = thread->name[0] != '\0' && length > 0 &&
                      !dj_str_is((struct dj_str){name.at, length}, thread->name);
    memset(thread->name, 0, sizeof(thread->name));
    memcpy(thread->name, name.at, length);
    set_process(threads, thread, change->pid > 0 ? change->pid : DJ_PID_UNKNOWN);
    struct dj_event event = dj_event_make(DJ_EVENT_THREAD);
    event.other = change->tid;
    event.pid = thread->pid;
    event.other_name = (struct dj_str){thread->name, length};
    int code = sink.take(sink.user, &event);
    if (code == 0 && is_renamed && change->at_ns > 0) {
        event.kind = DJ_EVENT_RENAME;
        event.at_ns = change->at_ns;
        event.tid = change->tid;
        code = sink.take(sink.user, &event);
    }
    return code;
}

int dj_perf_data_threads_fork(struct dj_perf_threads *threads,
                              const struct dj_perf_thread_change *change,
                              int32_t parent_tid, struct dj_event_sink sink)
{
    size_t place = dj_map_get(&threads->places, (uint32_t)parent_tid);
    char name[sizeof(threads->threads->name)] = "";
    if (place != DJ_MAP_NONE) {
        memcpy(name, threads->threads[place].name, sizeof(name));
    }
    return dj_perf_data_threads_name(threads, change, dj_str_of(name), sink);
}
