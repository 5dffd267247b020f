#include "trace/threads.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 1024, FREE_OF_FULL = 4 };

static struct dj_thread_slot *slot_of(const struct dj_threads *threads, uint32_t tid)
{
    size_t at = dj_threads_place(threads, tid);
    while (threads->slots[at].thread != NULL && threads->slots[at].tid != tid) {
        at = (at + 1) & (threads->capacity - 1);
    }
    return &threads->slots[at];
}

static bool grow(struct dj_threads *threads)
{
    struct dj_threads grown = {
        .count = threads->count,
        .capacity = threads->capacity == 0 ? FIRST_CAPACITY : 2 * threads->capacity};
    grown.slots = calloc(grown.capacity, sizeof(*grown.slots));
    if (grown.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < threads->capacity; i++) {
        if (threads->slots[i].thread != NULL) {
            *slot_of(&grown, threads->slots[i].tid) = threads->slots[i];
        }
    }
    free(threads->slots);
    *threads = grown;
    return true;
}

struct dj_thread *dj_threads_get_far(struct dj_threads *threads, uint32_t tid)
{
    if (FREE_OF_FULL * threads->count >= threads->capacity && !grow(threads)) {
        return NULL;
    }
    struct dj_thread_slot *slot = slot_of(threads, tid);
    if (slot->thread == NULL) {
        struct dj_thread *made = malloc(sizeof(*made));
        if (made == NULL) {
            return NULL;
        }
        *made = (struct dj_thread){
            .known = {.tid = tid, .pid = DJ_PID_UNKNOWN, .from_ns = INT64_MIN},
            .now = {.tid = tid, .cpu = -1, .waker = -1, .waker_cpu = -1},
        };
        *slot = (struct dj_thread_slot){tid, made};
        threads->count++;
    }
    return slot->thread;
}

const struct dj_thread *dj_threads_find(const struct dj_threads *threads, uint32_t tid)
{
    return threads->capacity > 0 ? slot_of(threads, tid)->thread : NULL;
}

void dj_threads_finish(struct dj_threads *threads)
{
    for (size_t i = 0; i < threads->capacity; i++) {
        free(threads->slots[i].thread);
    }
    free(threads->slots);
    *threads = (struct dj_threads){0};
}
