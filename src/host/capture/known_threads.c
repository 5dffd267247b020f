#include "capture/known_threads.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/compare.h"

struct dj_known_thread {
    int32_t tid, pid;
    bool told;
};

static int by_tid(const void *a, const void *b)
{
    const struct dj_known_thread *left = a;
    const struct dj_known_thread *right = b;
    return DJ_COMPARE(left->tid, right->tid);
}

int dj_known_threads_learn(void *user, const struct dj_event *event)
{
    struct dj_known_threads *known = user;
    if (event->kind != DJ_EVENT_THREAD) {
        return 0;
    }
    if (!DJ_ARRAY_PUSH(
            known->threads, known->count,
            (struct dj_known_thread){.tid = event->other, .pid = event->pid})) {
        return DJ_E_NO_MEMORY;
    }
    return 0;
}

void dj_known_threads_ready(struct dj_known_threads *known)
{
    if (known->count > 0) {
        qsort(known->threads, known->count, sizeof(*known->threads), by_tid);
    }
}

static int tell(struct dj_known_threads *known, int32_t tid)
{
    const struct dj_known_thread wanted = {.tid = tid};
    struct dj_known_thread *thread =
        tid <= 0 || known->count == 0
            ? NULL
            : bsearch(&wanted, known->threads, known->count, sizeof(wanted), by_tid);
    if (thread == NULL || thread->told) {
        return 0;
    }
    const struct dj_event event = {
        .kind = DJ_EVENT_THREAD, .other = thread->tid, .pid = thread->pid, .cpu = -1};
    thread->told = true;
    return known->sink.take(known->sink.user, &event);
}

int dj_known_threads_take(void *user, const struct dj_event *event)
{
    struct dj_known_threads *known = user;
    int code = tell(known, event->tid);
    code = code == 0 ? tell(known, event->other) : code;
    return code == 0 ? known->sink.take(known->sink.user, event) : code;
}

void dj_known_threads_finish(struct dj_known_threads *known)
{
    free(known->threads);
    known->threads = NULL;
    known->count = 0;
}
