#include "capture/linux/known_threads.h"

int dj_known_threads_add(void *user, const struct dj_event *event)
{
    struct dj_known_threads *known = user;
    bool fits = event->kind != DJ_EVENT_THREAD ||
                dj_map_set(&known->pids, (uint32_t)event->other, (uint32_t)event->pid);
    return fits ? 0 : DJ_E_NO_MEMORY;
}

static int write_thread(struct dj_known_threads *known, int32_t tid)
{
    size_t at;
    size_t pid = tid > 0 ? dj_map_first(&known->pids, (uint32_t)tid, &at) : DJ_MAP_NONE;
    if (pid == DJ_MAP_NONE) {
        return 0;
    }
    const struct dj_event event = {
        .kind = DJ_EVENT_THREAD, .other = tid, .pid = (int32_t)pid, .cpu = -1};
    dj_map_remove(&known->pids, at);
    return known->sink.take(known->sink.user, &event);
}

int dj_known_threads_write(void *user, const struct dj_event *event)
{
    struct dj_known_threads *known = user;
    int code = write_thread(known, event->tid);
    code = code == 0 ? write_thread(known, event->other) : code;
    return code == 0 ? known->sink.take(known->sink.user, event) : code;
}

void dj_known_threads_finish(struct dj_known_threads *known)
{
    dj_map_finish(&known->pids);
}
