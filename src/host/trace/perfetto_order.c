#include "trace/perfetto_order.h"

#include <stdlib.h>

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
    dj_pf_run_destroy(order->spare);
    run->count = run->at = 0;
    run->unordered = false;
    order->spare = run;
}

struct dj_pf_run *dj_pf_order_make_run(struct dj_pf_order *order)
{
    struct dj_pf_run *run = order->spare != NULL ? order->spare : calloc(1, sizeof(*run));
    order->spare = NULL;
    return run;
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

static void sink_down(struct dj_pf_order *order)
{
    struct dj_pf_source moved = order->heap[0];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < order->count; at = child) {
        if (child + 1 < order->count &&
            is_before(&order->heap[child + 1], &order->heap[child])) {
            child++;
        }
        if (!is_before(&order->heap[child], &moved)) {
            break;
        }
        order->heap[at] = order->heap[child];
    }
    order->heap[at] = moved;
}

static bool add(struct dj_pf_order *order, struct dj_pf_source source)
{
    if (order->count == order->capacity) {
        size_t capacity = 2 * order->capacity + 64;
        struct dj_pf_source *grown =
            dj_array_resize(order->heap, capacity, sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        order->heap = grown;
        order->capacity = capacity;
    }
    source.order = order->added++;
    size_t at = order->count++;
    while (at > 0 && is_before(&source, &order->heap[(at - 1) / 2])) {
        order->heap[at] = order->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    order->heap[at] = source;
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
        dj_pf_bundle_close(bundle);
        return next_ns == INT64_MAX;
    }
    order->waiting += BUNDLE_WEIGHT + bundle->sorted_count / 2;
    return true;
}

struct dj_pf_source *dj_pf_order_first(struct dj_pf_order *order, int64_t *until_ns)
{
    const struct dj_pf_source *next = order->count > 1 ? &order->heap[1] : NULL;
    if (order->count > 2 && is_before(&order->heap[2], next)) {
        next = &order->heap[2];
    }
    if (order->count == 0) {
        return NULL;
    }
    *until_ns = next == NULL                         ? INT64_MAX
                : next->order > order->heap[0].order ? next->next_ns
                                                     : next->next_ns - 1;
    return &order->heap[0];
}

static void end(struct dj_pf_order *order, struct dj_pf_source *source)
{
    if (source->bundle != NULL) {
        order->waiting -= BUNDLE_WEIGHT + source->bundle->sorted_count / 2;
        dj_pf_bundle_close(source->bundle);
    } else {
        end_run(order, source->run);
    }
}

void dj_pf_order_passed(struct dj_pf_order *order, size_t items)
{
    struct dj_pf_source *source = &order->heap[0];
    const struct dj_pf_run *run = source->run;
    if (run != NULL) {
        order->waiting -= items;
        source->next_ns = run->at < run->count ? run->items[run->at].at_ns : INT64_MAX;
    } else {
        source->next_ns = source->bundle->next_ns;
    }
    if (run != NULL ? run->at == run->count : source->next_ns == INT64_MAX) {
        end(order, source);
        order->heap[0] = order->heap[--order->count];
    }
    if (order->count > 1) {
        sink_down(order);
    }
}

void dj_pf_order_finish(struct dj_pf_order *order)
{
    for (size_t i = 0; i < order->count; i++) {
        end(order, &order->heap[i]);
    }
    free(order->heap);
    dj_pf_run_destroy(order->spare);
    *order = (struct dj_pf_order){0};
}
