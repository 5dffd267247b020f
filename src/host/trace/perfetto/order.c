#include "trace/perfetto/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "memory/memory.h"

enum {
    BUNDLE_WEIGHT = 12
}; /* Number of items that need about as much memory as one bundle. */

void dj_perfetto_run_add(struct dj_perfetto_run *run, const struct dj_perfetto_item *item)
{
    DJ_XRESERVE(run->items, run->capacity, run->count + 1);
    run->unordered |= run->count > 0 && run->items[run->count - 1].at_ns > item->at_ns;
    run->items[run->count] = *item;
    /* The time INT64_MAX means "no next event", so it is replaced by the time before it.
     */
    run->items[run->count].at_ns -= item->at_ns == INT64_MAX;
    run->items[run->count].order = (uint32_t)run->count;
    run->count++;
}

void dj_perfetto_run_destroy(struct dj_perfetto_run *run)
{
    if (run != NULL) {
        free(run->items);
        free(run);
    }
}

/* Stores an unused run, so that it can be used again. Its array already has the size that
 * a block needs. */
static void recycle_run(struct dj_perfetto_order *order, struct dj_perfetto_run *run)
{
    dj_perfetto_run_destroy(order->spare_run);
    run->count = run->at = 0;
    run->unordered = false;
    order->spare_run = run;
}

struct dj_perfetto_run *dj_perfetto_order_get_run(struct dj_perfetto_order *order)
{
    struct dj_perfetto_run *run =
        order->spare_run != NULL ? order->spare_run : dj_xcalloc(1, sizeof(*run));
    order->spare_run = NULL;
    return run;
}

static void recycle_bundle(struct dj_perfetto_order *order,
                           struct dj_perfetto_bundle *bundle)
{
    dj_perfetto_bundle_finish(bundle);
    bundle->spare = order->spare_bundles;
    order->spare_bundles = bundle;
}

struct dj_perfetto_bundle *dj_perfetto_order_get_bundle(struct dj_perfetto_order *order)
{
    struct dj_perfetto_bundle *bundle = order->spare_bundles;
    if (bundle == NULL) {
        return dj_xcalloc(1, sizeof(*bundle));
    }
    order->spare_bundles = bundle->spare;
    *bundle = (struct dj_perfetto_bundle){0};
    return bundle;
}

static int by_time(const void *a, const void *b)
{
    const struct dj_perfetto_item *left = a, *right = b;
    int order = DJ_COMPARE(left->at_ns, right->at_ns);
    return order != 0 ? order : DJ_COMPARE(left->order, right->order);
}

static const struct dj_perfetto_source never = {.next_ns = INT64_MAX,
                                                .order = UINT64_MAX};

/* Appends a source. If the array is full and at least half of it is unused, moves the
 * sources to the start of the array instead of enlarging the array. So each source is
 * moved at most once. */
static void append_source(struct dj_perfetto_queue *queue,
                          const struct dj_perfetto_source *source)
{
    size_t left = queue->count - queue->from;
    if (queue->count == queue->capacity && queue->from > 0 && queue->from >= left) {
        memcpy(queue->all, queue->all + queue->from, left * sizeof(*queue->all));
        queue->from = 0;
        queue->count = left;
    }
    DJ_XRESERVE(queue->all, queue->capacity, queue->count + 1);
    queue->all[queue->count++] = *source;
}

/* Sets order->next to the first waiting source. */
static void find_next(struct dj_perfetto_order *order)
{
    const struct dj_perfetto_queue *queue = &order->queue;
    const struct dj_perfetto_source *later =
        dj_perfetto_tournament_get_first(&order->later);
    order->next = queue->from < queue->count ? queue->all[queue->from] : never;
    if (later != NULL && dj_perfetto_source_is_before(later, &order->next)) {
        order->next = *later;
    }
}

void dj_perfetto_order_init(struct dj_perfetto_order *order)
{
    *order = (struct dj_perfetto_order){.next = never};
}

/* Adds a waiting source. All sources may have to be read at the same time, so memory for
 * all of them is reserved in order->begun. */
static void add_source(struct dj_perfetto_order *order, struct dj_perfetto_source source)
{
    struct dj_perfetto_queue *queue = &order->queue;
    struct dj_perfetto_tournament *later = &order->later;
    size_t count = queue->count - queue->from + later->count + order->begun.count + 1;
    dj_perfetto_tournament_reserve(&order->begun, count);
    source.order = order->added++;
    if (queue->count == queue->from ||
        !dj_perfetto_source_is_before(&source, &queue->all[queue->count - 1])) {
        append_source(queue, &source);
    } else {
        dj_perfetto_tournament_reserve(later, later->count + 1);
        dj_perfetto_tournament_add(later, &source);
    }
    if (dj_perfetto_source_is_before(&source, &order->next)) {
        order->next = source;
    }
}

void dj_perfetto_order_add_run(struct dj_perfetto_order *order,
                               struct dj_perfetto_run *run)
{
    if (run->count == 0) {
        recycle_run(order, run);
        return;
    }
    if (run->unordered) {
        qsort(run->items, run->count, sizeof(*run->items), by_time);
    }
    add_source(order,
               (struct dj_perfetto_source){.next_ns = run->items[0].at_ns, .run = run});
    order->waiting += run->count;
}

void dj_perfetto_order_add_bundle(struct dj_perfetto_order *order,
                                  struct dj_perfetto_bundle *bundle)
{
    if (bundle->next_ns == INT64_MAX) {
        recycle_bundle(order, bundle);
        return;
    }
    add_source(order,
               (struct dj_perfetto_source){.next_ns = bundle->next_ns, .bundle = bundle});
    order->waiting += BUNDLE_WEIGHT + bundle->sorted_count / 2;
}

void dj_perfetto_order_start_next(struct dj_perfetto_order *order)
{
    const struct dj_perfetto_source *later =
        dj_perfetto_tournament_get_first(&order->later);
    if (order->next.bundle != NULL) {
        dj_perfetto_bundle_start(order->next.bundle);
    }
    dj_perfetto_tournament_add(&order->begun, &order->next);
    if (later != NULL && later->order == order->next.order) {
        dj_perfetto_tournament_remove(&order->later, later);
    } else {
        order->queue.from++;
    }
    find_next(order);
}

static void end_source(struct dj_perfetto_order *order,
                       const struct dj_perfetto_source *source)
{
    if (source->bundle != NULL) {
        order->waiting -= BUNDLE_WEIGHT + source->bundle->sorted_count / 2;
        recycle_bundle(order, source->bundle);
    } else {
        recycle_run(order, source->run);
    }
}

void dj_perfetto_order_remove(struct dj_perfetto_order *order,
                              struct dj_perfetto_source *source)
{
    end_source(order, source);
    dj_perfetto_tournament_remove(&order->begun, source);
}

static void end_sources(struct dj_perfetto_order *order, struct dj_perfetto_source *all,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        end_source(order, &all[i]);
    }
}

void dj_perfetto_order_finish(struct dj_perfetto_order *order)
{
    const struct dj_perfetto_queue *queue = &order->queue;
    if (queue->count > queue->from) {
        end_sources(order, queue->all + queue->from, queue->count - queue->from);
    }
    end_sources(order, order->later.sources, order->later.count);
    end_sources(order, order->begun.sources, order->begun.count);
    free(queue->all);
    dj_perfetto_tournament_finish(&order->later);
    dj_perfetto_tournament_finish(&order->begun);
    dj_perfetto_run_destroy(order->spare_run);
    while (order->spare_bundles != NULL) {
        struct dj_perfetto_bundle *spare = order->spare_bundles;
        order->spare_bundles = spare->spare;
        free(spare);
    }
    *order = (struct dj_perfetto_order){0};
}
