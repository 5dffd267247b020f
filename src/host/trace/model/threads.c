#include "trace/model/threads.h"

#include <stdlib.h>

#include "memory/memory.h"

struct dj_live_thread *dj_threads_add(struct dj_threads *threads, uint32_t tid)
{
    struct dj_live_thread *made = dj_xcalloc(1, sizeof(*made));
    dj_xcheck(dj_map_add(&threads->by_tid, tid, (uintptr_t)made));
    *made = (struct dj_live_thread){
        .known = {.tid = tid, .pid = DJ_PID_UNKNOWN, .from_ns = INT64_MIN},
        .now = {.tid = tid, .cpu = -1, .waker = -1, .waker_cpu = -1},
    };
    return made;
}

struct dj_live_thread *dj_threads_next(const struct dj_threads *threads, size_t *at)
{
    while (*at < threads->by_tid.capacity) {
        size_t found = threads->by_tid.slots[(*at)++].value;
        if (found != DJ_MAP_NONE) {
            return (struct dj_live_thread *)found;
        }
    }
    return NULL;
}

void dj_threads_finish(struct dj_threads *threads)
{
    struct dj_live_thread *thread;
    for (size_t at = 0; (thread = dj_threads_next(threads, &at)) != NULL;) {
        free(thread);
    }
    dj_map_finish(&threads->by_tid);
}
