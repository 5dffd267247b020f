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

static bool is_before(const struct dj_pf_source *a, const struct dj_pf_source *b)
{
    return a->next_ns != b->next_ns ? a->next_ns < b->next_ns : a->order < b->order;
}

static void sink_down(struct dj_pf_heap *heap)
{
    struct dj_pf_source moved = heap->all[0];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count &&
            is_before(&heap->all[child + 1], &heap->all[child])) {
            child++;
        }
        if (!is_before(&heap->all[child], &moved)) {
            break;
        }
        heap->all[at] = heap->all[child];
    }
    heap->all[at] = moved;
}

static void take_first_out(struct dj_pf_heap *heap)
{
    heap->all[0] = heap->all[--heap->count];
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

/* All of them may be under way at once. */
static bool add(struct dj_pf_order *order, struct dj_pf_source source)
{
    struct dj_pf_queue *queue = &order->queue;
    struct dj_pf_heap *later = &order->later;
    size_t count = queue->count - queue->from + later->count + order->begun.count + 1;
    if (!make_room(&order->begun.all, &order->begun.capacity, count)) {
        return false;
    }
    source.order = order->added++;
    if (queue->count == queue->from ||
        !is_before(&source, &queue->all[queue->count - 1])) {
        return append(queue, &source);
    }
    if (!make_room(&later->all, &later->capacity, later->count + 1)) {
        return false;
    }
    put_in(later, &source);
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

/* The earlier of them; NULL is never. */
static const struct dj_pf_source *earlier(const struct dj_pf_source *a,
                                          const struct dj_pf_source *b)
{
    return b == NULL || (a != NULL && is_before(a, b)) ? a : b;
}

static const struct dj_pf_source *first_of(const struct dj_pf_queue *queue,
                                           const struct dj_pf_heap *heap)
{
    return earlier(queue->from < queue->count ? &queue->all[queue->from] : NULL,
                   heap->count > 0 ? &heap->all[0] : NULL);
}

/* The first of those that wait begins. */
static void begin(struct dj_pf_order *order, const struct dj_pf_source *first)
{
    put_in(&order->begun, first);
    if (order->later.count > 0 && first == &order->later.all[0]) {
        take_first_out(&order->later);
    } else {
        order->queue.from++;
    }
}

struct dj_pf_source *dj_pf_order_first(struct dj_pf_order *order, int64_t *until_ns)
{
    const struct dj_pf_heap *begun = &order->begun;
    const struct dj_pf_source *next = first_of(&order->queue, &order->later);
    if (next != NULL && (begun->count == 0 || is_before(next, &begun->all[0]))) {
        begin(order, next);
        next = first_of(&order->queue, &order->later);
    }
    if (begun->count == 0) {
        return NULL;
    }
    next = earlier(begun->count > 1 ? &begun->all[1] : NULL, next);
    next = earlier(begun->count > 2 ? &begun->all[2] : NULL, next);
    *until_ns = next == NULL                        ? INT64_MAX
                : next->order > begun->all[0].order ? next->next_ns
                                                    : next->next_ns - 1;
    return &begun->all[0];
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
