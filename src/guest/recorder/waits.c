#include "recorder/waits.h"

#include <stdatomic.h>
#include <stddef.h>

enum {
    /* A shorter wait in a swap may be only a wait for the window system's reply. */
    SWAP_WAIT_NS = 1000000,
    /* Bytes by which the stack addresses of two waits of one loop may differ, because
     * their functions have different local variables. */
    STACK_SLACK = 200,
    EPOCH_EVENTS = 60, /* Length of an epoch: a number of frames, or of waits in a
                        * thread that never swaps. */
    WAKES = 256,       /* Number of slots of the wake table. A power of two. */
    CACHE_LINE = 64
};

/* One slot of the wake table: the last wake-up of an object. The members are written
 * one by one, so a reader may see a mixture of two wake-ups. If these are wake-ups of
 * different objects, the reader finds out by comparing `object`. If both are wake-ups
 * of one object, each member is correct for one of them. Each slot has its own cache
 * line, so that threads that use different objects do not slow each other down. */
static struct wake {
    _Alignas(CACHE_LINE) _Atomic uint32_t waiters; /* Number of waits that have not
                                                    * returned. */
    _Atomic(const void *) object;
    _Atomic int64_t at_ns;
    /* Time at which the thread that made the wake-up had itself woken. */
    _Atomic int64_t woke_ns;
    _Atomic bool swaps; /* True if the waking thread presents frames. */
    _Atomic(const struct dj_waits *) waker;
} wakes[WAKES];

static struct wake *find_wake(const void *object)
{
    uint64_t hash = ((uintptr_t)object >> 3) * UINT64_C(0x9E3779B97F4A7C15);
    return &wakes[(size_t)(hash >> 32) & (WAKES - 1)];
}

static void count_event(struct dj_waits *waits)
{
    if (++waits->epoch_events >= EPOCH_EVENTS) {
        waits->epoch_events = 0;
        waits->shallowest[1] = waits->shallowest[0];
        waits->shallowest[0] = 0;
    }
}

bool dj_waits_is_loop(const struct dj_waits *waits, uintptr_t stack)
{
    uintptr_t shallowest = waits->shallowest[0] > waits->shallowest[1]
                               ? waits->shallowest[0]
                               : waits->shallowest[1];
    return stack >= shallowest || shallowest - stack <= STACK_SLACK;
}

/* Stores the stack depth of the wait if it is the shallowest so far. Returns true if the
 * wait is at the depth of the event loop or shallower. */
static bool store_wait_depth(struct dj_waits *waits, uintptr_t stack)
{
    bool is_loop = dj_waits_is_loop(waits, stack);
    if (stack > waits->shallowest[0]) {
        waits->shallowest[0] = stack;
    }
    return is_loop;
}

void dj_waits_end_wait(struct dj_waits *waits, int64_t begin_ns, int64_t end_ns,
                       uintptr_t stack)
{
    if (end_ns - begin_ns <= DJ_LOOP_WAIT_NS) {
        return;
    }
    waits->last_ns = end_ns;
    waits->last_stack = stack;
    if (store_wait_depth(waits, stack)) {
        waits->woke_ns = end_ns;
    }
    if (!waits->swaps) {
        count_event(waits);
    }
}

void dj_waits_end_event_wait(struct dj_waits *waits, int64_t begin_ns, int64_t end_ns)
{
    if (end_ns - begin_ns > DJ_LOOP_WAIT_NS) {
        waits->woke_ns = end_ns;
    }
}

void dj_recorder_waits_swap_waited(struct dj_waits *waits, int64_t waited_ns,
                                   uintptr_t stack)
{
    if (waited_ns > SWAP_WAIT_NS) {
        store_wait_depth(waits, stack);
    }
}

void dj_waits_add_waiter(const void *object)
{
    atomic_fetch_add(&find_wake(object)->waiters, 1);
}

void dj_waits_remove_waiter(const void *object)
{
    atomic_fetch_sub(&find_wake(object)->waiters, 1);
}

bool dj_waits_has_waiter(const void *object)
{
    /* Pairs with dj_waits_add_waiter(). */
    return atomic_load(&find_wake(object)->waiters) != 0;
}

void dj_waits_note_waking(const struct dj_waits *waits, const void *object,
                          int64_t now_ns)
{
    struct wake *wake = find_wake(object);
    atomic_store_explicit(&wake->object, NULL, memory_order_relaxed);
    atomic_store_explicit(&wake->at_ns, now_ns, memory_order_relaxed);
    atomic_store_explicit(&wake->woke_ns, waits->woke_ns, memory_order_relaxed);
    atomic_store_explicit(&wake->swaps, waits->swaps, memory_order_relaxed);
    atomic_store_explicit(&wake->waker, waits, memory_order_relaxed);
    /* Pairs with the acquire load in dj_waits_note_woken(). */
    atomic_store_explicit(&wake->object, object, memory_order_release);
}

void dj_waits_note_woken(struct dj_waits *waits, const void *object, int64_t begin_ns,
                         int64_t end_ns, uintptr_t stack)
{
    struct wake *wake = find_wake(object);
    bool known = atomic_load_explicit(&wake->object, memory_order_acquire) == object;
    if (known && atomic_load_explicit(&wake->waker, memory_order_relaxed) == waits) {
        /* The last wake-up was made by this thread itself, so it was a request, and
         * the wait was for the reply. */
        if (end_ns - begin_ns > DJ_LOOP_WAIT_NS) {
            atomic_store_explicit(&wake->object, NULL, memory_order_relaxed);
        }
        return;
    }
    if (!known || atomic_load_explicit(&wake->at_ns, memory_order_relaxed) < begin_ns) {
        dj_waits_end_wait(waits, begin_ns, end_ns, stack);
        return;
    }
    if (atomic_load_explicit(&wake->swaps, memory_order_relaxed)) {
        return;
    }
    /* woke_ns must not decrease. A helper thread that this thread woke has an older
     * time. */
    int64_t woke_ns = atomic_load_explicit(&wake->woke_ns, memory_order_relaxed);
    if (woke_ns > waits->woke_ns && store_wait_depth(waits, stack)) {
        waits->woke_ns = woke_ns;
    }
}

void dj_recorder_waits_loop_moved(struct dj_waits *waits)
{
    waits->shallowest[0] = waits->last_stack;
    waits->shallowest[1] = 0;
    if (waits->last_ns > waits->woke_ns) {
        waits->woke_ns = waits->last_ns;
    }
}

bool dj_waits_is_affected(const struct dj_waits *waits, const void *object, bool alone)
{
    struct wake *wake = find_wake(object);
    return atomic_load_explicit(&wake->object, memory_order_acquire) == object &&
           (alone || atomic_load_explicit(&wake->waker, memory_order_relaxed) == waits);
}

int64_t dj_waits_get_frame_start(const struct dj_waits *waits, int64_t born_ns)
{
    int64_t start_ns = waits->swapped_ns != 0 ? waits->swapped_ns : born_ns;
    /* A wake-up after the start of the previous frame counts even if it is before the
     * return of the previous swap. The reason is that another thread may have begun this
     * frame while the previous frame was still being swapped. */
    if (waits->woke_ns > waits->started_ns) {
        start_ns = waits->woke_ns;
    }
    return start_ns;
}

int64_t dj_waits_begin_frame(struct dj_waits *waits, int64_t born_ns)
{
    waits->started_ns = dj_waits_get_frame_start(waits, born_ns);
    return waits->started_ns;
}

void dj_waits_end_frame(struct dj_waits *waits, int64_t now_ns)
{
    if (!waits->swaps) {
        /* This is the thread's first frame. Forget the depths of waits before its end,
         * because waits of start-up code do not show the depth of the event loop. */
        waits->swaps = true;
        waits->shallowest[0] = waits->last_ns > now_ns ? waits->last_stack : 0;
        waits->shallowest[1] = 0;
    }
    waits->swapped_ns = now_ns;
    count_event(waits);
}
