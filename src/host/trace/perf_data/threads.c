#include "trace/perf_data/threads.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

void dj_perf_data_threads_finish(struct dj_perf_threads *threads)
{
    free(threads->threads);
    dj_map_finish(&threads->places);
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
    thread->pid = change->pid > 0 ? change->pid : DJ_PID_UNKNOWN;
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
