#include "trace/perfetto_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { BUNDLE_WEIGHT = 12 }; /* about as much memory as so many items */

bool dj_pf_run_put(struct dj_pf_run *run, const struct dj_pf_item *item)
{
    if (run->count == run->capacity) {
        size_t capacity = 2 * run->capacity + 64;
        struct dj_pf_item *grown = dj_array_resize(run->items, capacity, sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        run->items = grown;
        run->capacity = capacity;
    }
    run->unordered |= run->count > 0 && run->items[run->count - 1].at_ns > item->at_ns;
    run->items[run->count] = *item;
    run->items[run->count].order = (uint32_t)run->count;
    run->count++;
    return true;
}

void dj_pf_run_destroy(struct dj_pf_run *run)
{
    if (run != NULL) {
        free(run->items);
        free(run);
    }
}

/* A run's room, which has grown to what blocks hold, is the next one's. */
static void end_run(struct dj_pf_order *order, struct dj_pf_run *run)
{
    dj_pf_run_destroy(order->spare_run);
    run->count = run->at = 0;
    run->unordered = false;
    order->spare_run = run;
}

struct dj_pf_run *dj_pf_order_make_run(struct dj_pf_order *order)
{
    struct dj_pf_run *run =
        order->spare_run != NULL ? order->spare_run : calloc(1, sizeof(*run));
    order->spare_run = NULL;
    return run;
}

static void end_bundle(struct dj_pf_order *order, struct dj_pf_bundle *bundle)
{
    dj_pf_bundle_finish(bundle);
    bundle->spare = order->spare_bundles;
    order->spare_bundles = bundle;
}

struct dj_pf_bundle *dj_pf_order_make_bundle(struct dj_pf_order *order)
{
    struct dj_pf_bundle *bundle = order->spare_bundles;
    if (bundle == NULL) {
        return calloc(1, sizeof(*bundle));
    }
    order->spare_bundles = bundle->spare;
    *bundle = (struct dj_pf_bundle){0};
    return bundle;
}

static int by_time(const void *a, const void *b)
{
    const struct dj_pf_item *left = a;
    const struct dj_pf_item *right = b;
    int order = (left->at_ns > right->at_ns) - (left->at_ns < right->at_ns);
    return order != 0 ? order
                      : (left->order > right->order) - (left->order < right->order);
}

/* ---- the heap: earliest first, then what came first ---- */

static const struct dj_pf_source never = {.next_ns = INT64_MAX, .order = UINT64_MAX};

/* Both at once, without a branch: which source is first is not to be foretold. No time is
 * below 0. */
typedef unsigned __int128 key;

static inline key key_of(const struct dj_pf_source *source)
{
    return (key)(uint64_t)source->next_ns << 64 | source->order;
}

static inline bool is_before(const struct dj_pf_source *a, const struct dj_pf_source *b)
{
    return key_of(a) < key_of(b);
}

static void sink_down(struct dj_pf_heap *heap)
{
    struct dj_pf_source *all = heap->all;
    const struct dj_pf_source moved = all[0];
    const size_t count = heap->count;
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += is_before(&all[child + 1], &all[child]);
        if (!is_before(&all[child], &moved)) {
            break;
        }
        all[at] = all[child];
    }
    all[at] = moved;
}

static void end_heap(struct dj_pf_heap *heap)
{
    heap->all[heap->count] = heap->all[heap->count + 1] = never;
}

static void take_first_out(struct dj_pf_heap *heap)
{
    heap->all[0] = heap->all[--heap->count];
    end_heap(heap);
    if (heap->count > 1) {
        sink_down(heap);
    }
}

/* There is room. */
static void put_in(struct dj_pf_heap *heap, const struct dj_pf_source *source)
{
    size_t at = heap->count++;
    while (at > 0 && is_before(source, &heap->all[(at - 1) / 2])) {
        heap->all[at] = heap->all[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->all[at] = *source;
    end_heap(heap);
}

/* For so many in all. */
static bool make_room(struct dj_pf_source **all, size_t *capacity, size_t count)
{
    if (count <= *capacity) {
        return true;
    }
    struct dj_pf_source *grown =
        dj_array_resize(*all, 2 * *capacity + 64, sizeof(*grown));
    if (grown != NULL) {
        *all = grown;
        *capacity = 2 * *capacity + 64;
    }
    return grown != NULL;
}

static bool make_room_in(struct dj_pf_heap *heap, size_t count)
{
    return make_room(&heap->all, &heap->capacity, count + 2);
}

/* Moves up once as much is gone as is there, so that each moves once at most. */
static bool append(struct dj_pf_queue *queue, const struct dj_pf_source *source)
{
    size_t left = queue->count - queue->from;
    if (queue->count == queue->capacity && queue->from > 0 && queue->from >= left) {
        memcpy(queue->all, queue->all + queue->from, left * sizeof(*queue->all));
        queue->from = 0;
        queue->count = left;
    }
    if (!make_room(&queue->all, &queue->capacity, queue->count + 1)) {
        return false;
    }
    queue->all[queue->count++] = *source;
    return true;
}

/* Which of those that wait is the first. */
static void find_next(struct dj_pf_order *order)
{
    const struct dj_pf_queue *queue = &order->queue;
    const struct dj_pf_heap *later = &order->later;
    order->next = queue->from < queue->count ? queue->all[queue->from] : never;
    if (later->count > 0 && is_before(&later->all[0], &order->next)) {
        order->next = later->all[0];
    }
}

void dj_pf_order_init(struct dj_pf_order *order)
{
    *order = (struct dj_pf_order){.next = never};
}

/* All of them may be under way at once. */
static bool add(struct dj_pf_order *order, struct dj_pf_source source)
{
    struct dj_pf_queue *queue = &order->queue;
    struct dj_pf_heap *later = &order->later;
    size_t count = queue->count - queue->from + later->count + order->begun.count + 1;
    if (!make_room_in(&order->begun, count)) {
        return false;
    }
    source.order = order->added++;
    if (queue->count == queue->from ||
        !is_before(&source, &queue->all[queue->count - 1])) {
        if (!append(queue, &source)) {
            return false;
        }
    } else if (make_room_in(later, later->count + 1)) {
        put_in(later, &source);
    } else {
        return false;
    }
    if (is_before(&source, &order->next)) {
        order->next = source;
    }
    return true;
}

bool dj_pf_order_add_run(struct dj_pf_order *order, struct dj_pf_run *run)
{
    if (run->count == 0) {
        end_run(order, run);
        return true;
    }
    if (run->unordered) {
        qsort(run->items, run->count, sizeof(*run->items), by_time);
    }
    if (!add(order, (struct dj_pf_source){.next_ns = run->items[0].at_ns, .run = run})) {
        dj_pf_run_destroy(run);
        return false;
    }
    order->waiting += run->count;
    return true;
}

bool dj_pf_order_add_bundle(struct dj_pf_order *order, struct dj_pf_bundle *bundle)
{
    int64_t next_ns = bundle->next_ns;
    if (next_ns == INT64_MAX ||
        !add(order, (struct dj_pf_source){.next_ns = next_ns, .bundle = bundle})) {
        end_bundle(order, bundle);
        return next_ns == INT64_MAX;
    }
    order->waiting += BUNDLE_WEIGHT + bundle->sorted_count / 2;
    return true;
}

/* The first of those that wait begins. */
static void begin(struct dj_pf_order *order)
{
    struct dj_pf_heap *later = &order->later;
    put_in(&order->begun, &order->next);
    if (later->count > 0 && later->all[0].order == order->next.order) {
        take_first_out(later);
    } else {
        order->queue.from++;
    }
    find_next(order);
}

/* Until when `first` may be read: what is in front of it at one time comes before it. */
static inline int64_t until(const struct dj_pf_source *first,
                            const struct dj_pf_source *next)
{
    return next->next_ns - (next->order < first->order);
}

struct dj_pf_source *dj_pf_order_first(struct dj_pf_order *order, int64_t *until_ns)
{
    struct dj_pf_source *begun = order->begun.all;
    if (order->begun.count == 0 || is_before(&order->next, &begun[0])) {
        if (order->next.order == never.order) {
            return NULL;
        }
        begin(order);
    }
    begun = order->begun.all;
    int64_t by_next = until(begun, &order->next);
    int64_t by_second = until(begun, &begun[1]);
    int64_t by_third = until(begun, &begun[2]);
    by_next = by_second < by_next ? by_second : by_next;
    *until_ns = by_third < by_next ? by_third : by_next;
    return begun;
}

static void end(struct dj_pf_order *order, struct dj_pf_source *source)
{
    if (source->bundle != NULL) {
        order->waiting -= BUNDLE_WEIGHT + source->bundle->sorted_count / 2;
        end_bundle(order, source->bundle);
    } else {
        end_run(order, source->run);
    }
}

void dj_pf_order_passed(struct dj_pf_order *order, size_t items)
{
    struct dj_pf_source *source = &order->begun.all[0];
    const struct dj_pf_run *run = source->run;
    if (run != NULL) {
        order->waiting -= items;
        source->next_ns = run->at < run->count ? run->items[run->at].at_ns : INT64_MAX;
    } else {
        source->next_ns = source->bundle->next_ns;
    }
    if (run != NULL ? run->at == run->count : source->next_ns == INT64_MAX) {
        end(order, source);
        take_first_out(&order->begun);
    } else if (order->begun.count > 1) {
        sink_down(&order->begun);
    }
}

static void end_all(struct dj_pf_order *order, struct dj_pf_source *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        end(order, &all[i]);
    }
}

void dj_pf_order_finish(struct dj_pf_order *order)
{
    const struct dj_pf_queue *queue = &order->queue;
    if (queue->count > queue->from) {
        end_all(order, queue->all + queue->from, queue->count - queue->from);
    }
    end_all(order, order->later.all, order->later.count);
    end_all(order, order->begun.all, order->begun.count);
    free(queue->all);
    free(order->later.all);
    free(order->begun.all);
    dj_pf_run_destroy(order->spare_run);
    while (order->spare_bundles != NULL) {
        struct dj_pf_bundle *spare = order->spare_bundles;
        order->spare_bundles = spare->spare;
        free(spare);
    }
    *order = (struct dj_pf_order){0};
}
