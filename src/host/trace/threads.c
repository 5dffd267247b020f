#include "trace/threads.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 256 };

static size_t place_of(const struct dj_threads *threads, uint32_t tid)
{
    size_t at = dj_threads_place(threads, tid);
    while (threads->used[at] && threads->slots[at].known.tid != tid) {
        at = (at + 1) & (threads->capacity - 1);
    }
    return at;
}

static bool grow(struct dj_threads *threads)
{
    struct dj_threads grown = {
        .count = threads->count,
        .capacity = threads->capacity == 0 ? FIRST_CAPACITY : 2 * threads->capacity};
    grown.slots = calloc(grown.capacity, sizeof(*grown.slots));
    grown.used = calloc(grown.capacity, sizeof(*grown.used));
    if (grown.slots == NULL || grown.used == NULL) {
        free(grown.slots);
        free(grown.used);
        return false;
    }
    for (size_t i = 0; i < threads->capacity; i++) {
        if (threads->used[i]) {
            size_t at = place_of(&grown, threads->slots[i].known.tid);
            grown.slots[at] = threads->slots[i];
            grown.used[at] = 1;
        }
    }
    dj_threads_finish(threads);
    *threads = grown;
    return true;
}

struct dj_thread *dj_threads_get_far(struct dj_threads *threads, uint32_t tid)
{
    if (2 * threads->count >= threads->capacity && !grow(threads)) {
        return NULL;
    }
    size_t at = place_of(threads, tid);
    if (!threads->used[at]) {
        threads->used[at] = 1;
        threads->count++;
        threads->slots[at] = (struct dj_thread){
            .known = {.tid = tid, .pid = DJ_PID_UNKNOWN, .from_ns = INT64_MIN},
            .now = {.tid = tid, .cpu = -1, .waker = -1, .waker_cpu = -1},
        };
    }
    return &threads->slots[at];
}

const struct dj_thread *dj_threads_find(const struct dj_threads *threads, uint32_t tid)
{
    size_t at = threads->capacity > 0 ? place_of(threads, tid) : 0;
    return threads->capacity > 0 && threads->used[at] ? &threads->slots[at] : NULL;
}

void dj_threads_finish(struct dj_threads *threads)
{
    free(threads->slots);
    free(threads->used);
    *threads = (struct dj_threads){0};
}
