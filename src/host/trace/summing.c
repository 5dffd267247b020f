#include "trace/summing.h"

#include <stdlib.h>

#include "base/checked.h"
#include "memory/memory.h"

/* An open section of a thread. */
struct begun {
    const char *name;
    int64_t start_ns;
    int64_t self_ns; /* minus the duration of inner sections */
};

/* The open sections of a thread, outermost first. */
struct dj_lane {
    struct begun *open; /* owned */
    size_t depth, capacity;
    int64_t last_ns;
    uint32_t tid, life;
};

struct dj_async {
    const char *key;
    const char *name;
    int64_t cookie, start_ns;
    int32_t pid;
};

enum {
    FIRST_OPEN = 8,
    ASYNC_BYTES = sizeof(struct dj_async) + 2 * sizeof(struct dj_map_slot)
};

static void put(struct dj_summing *summing, struct dj_trace_sum sum)
{
    sum.count = 1;
    summing->trace->slice_count++;
    dj_fold_put(&summing->trace->sums, &sum);
}

static void put_open(struct dj_summing *summing, const char *name, bool async)
{
    put(summing, (struct dj_trace_sum){.name = name, .async = async, .open = 1});
}

/* Memory for open sections has the same limit as rows. */
static void count_room(struct dj_summing *summing, size_t bytes)
{
    size_t most = summing->trace->memory_bytes;
    summing->open_bytes += bytes;
    summing->unfit |= most > 0 && summing->open_bytes > most;
}

/* ---- sections of threads ---- */

static struct dj_lane *make_lane(struct dj_summing *summing, const struct dj_edge *edge)
{
    count_room(summing, sizeof(struct dj_lane));
    summing->lane = summing->lane_count;
    dj_xcheck(dj_map_put(&summing->places, edge->tid, summing->lane));
    DJ_XPUSH(
        summing->lanes, summing->lane_count,
        (struct dj_lane){.tid = edge->tid, .life = edge->life, .last_ns = INT64_MIN});
    return &summing->lanes[summing->lane];
}

static void leave_open(struct dj_summing *summing, struct dj_lane *lane)
{
    for (size_t i = 0; i < lane->depth; i++) {
        put_open(summing, lane->open[i].name, false);
    }
    lane->depth = 0;
}

/* Returns the lane of the edge's thread. A later thread with the same id starts with an
 * empty lane. */
static struct dj_lane *lane_of(struct dj_summing *summing, const struct dj_edge *edge)
{
    struct dj_lane *lane =
        summing->lane_count > 0 ? &summing->lanes[summing->lane] : NULL;
    if (lane == NULL || lane->tid != edge->tid) {
        size_t place = dj_map_get(&summing->places, edge->tid);
        if (place == DJ_MAP_NONE) {
            return make_lane(summing, edge);
        }
        summing->lane = place;
        lane = &summing->lanes[place];
    }
    if (lane->life != edge->life) {
        lane->life = edge->life;
        lane->last_ns = INT64_MIN;
        leave_open(summing, lane);
    }
    return lane;
}

static void begin_section(struct dj_summing *summing, struct dj_lane *lane,
                          const struct dj_edge *edge)
{
    if (lane->depth == lane->capacity) {
        size_t more = lane->capacity == 0 ? FIRST_OPEN : lane->capacity;
        count_room(summing, more * sizeof(*lane->open));
        lane->capacity += more;
        lane->open = dj_xresize(lane->open, lane->capacity, sizeof(*lane->open));
    }
    lane->open[lane->depth++] = (struct begun){edge->name, edge->at_ns, 0};
}

/* The self time of the outer section excludes the inner one. */
static void end_section(struct dj_summing *summing, struct dj_lane *lane,
                        const struct dj_edge *edge)
{
    if (lane->depth == 0) {
        summing->trace->endings++;
        return;
    }
    struct begun *ended = &lane->open[--lane->depth];
    int64_t length_ns = dj_subtract_saturated(edge->at_ns, ended->start_ns);
    if (lane->depth > 0) {
        ended[-1].self_ns = dj_subtract_saturated(ended[-1].self_ns, length_ns);
    }
    put(summing,
        (struct dj_trace_sum){.name = ended->name,
                              .total_ns = length_ns,
                              .self_ns = dj_add_saturated(ended->self_ns, length_ns),
                              .longest_ns = length_ns});
}

static void take_nested(struct dj_summing *summing, const struct dj_edge *edge)
{
    struct dj_lane *lane = lane_of(summing, edge);
    summing->unfit |= edge->at_ns < lane->last_ns;
    lane->last_ns = edge->at_ns;
    (edge->kind == DJ_EDGE_BEGIN ? begin_section : end_section)(summing, lane, edge);
}

/* ---- async sections ---- */

static uint64_t hash_of(const struct dj_edge *edge)
{
    uint64_t mixed = (uint64_t)(uintptr_t)edge->key ^ (uint64_t)(uint32_t)edge->pid << 32;
    return (mixed ^ mixed >> 32) * UINT64_C(0xbf58476d1ce4e5b9) + (uint64_t)edge->cookie;
}

/* Returns the open section with the edge's key, cookie and process, and sets *slot to its
 * slot in the map. Returns NULL if there is none. */
static struct dj_async *find_async(const struct dj_map *asyncs,
                                   const struct dj_edge *edge, uint64_t hash,
                                   size_t *slot)
{
    size_t found = dj_map_first(asyncs, hash, slot);
    for (; found != DJ_MAP_NONE; found = dj_map_next(asyncs, hash, slot)) {
        struct dj_async *async = (struct dj_async *)found;
        if (async->key == edge->key && async->cookie == edge->cookie &&
            async->pid == edge->pid) {
            return async;
        }
    }
    return NULL;
}

/* A second begin of an open section leaves the first one open. */
static void begin_async(struct dj_summing *summing, const struct dj_edge *edge)
{
    size_t slot;
    uint64_t hash = hash_of(edge);
    struct dj_async *async = find_async(&summing->asyncs, edge, hash, &slot);
    if (async != NULL) {
        put_open(summing, async->name, true);
    } else {
        async = dj_xcalloc(1, sizeof(*async));
        count_room(summing, ASYNC_BYTES);
        dj_xcheck(dj_map_add(&summing->asyncs, hash, (uintptr_t)async));
    }
    *async =
        (struct dj_async){edge->key, edge->name, edge->cookie, edge->at_ns, edge->pid};
}

static void end_async(struct dj_summing *summing, const struct dj_edge *edge)
{
    size_t slot;
    struct dj_async *async = find_async(&summing->asyncs, edge, hash_of(edge), &slot);
    if (async == NULL) {
        summing->trace->endings++;
        return;
    }
    int64_t length_ns = dj_subtract_saturated(edge->at_ns, async->start_ns);
    put(summing, (struct dj_trace_sum){.name = async->name,
                                       .async = true,
                                       .total_ns = length_ns,
                                       .longest_ns = length_ns});
    dj_map_remove(&summing->asyncs, slot);
    free(async);
    summing->open_bytes -= ASYNC_BYTES;
}

static void take_async(struct dj_summing *summing, const struct dj_edge *edge)
{
    summing->unfit |= summing->async_seen && edge->at_ns < summing->async_ns;
    summing->async_seen = true;
    summing->async_ns = edge->at_ns;
    (edge->kind == DJ_EDGE_ASYNC_BEGIN ? begin_async : end_async)(summing, edge);
}

/* ---- all edges ---- */

void dj_summing_take(struct dj_summing *summing, const struct dj_edge *edge)
{
    bool async = edge->kind == DJ_EDGE_ASYNC_BEGIN || edge->kind == DJ_EDGE_ASYNC_END;
    if (!summing->unfit) {
        (async ? take_async : take_nested)(summing, edge);
    }
}

void dj_summing_end(struct dj_summing *summing)
{
    for (size_t i = 0; i < summing->lane_count; i++) {
        leave_open(summing, &summing->lanes[i]);
    }
    for (size_t i = 0; i < summing->asyncs.capacity; i++) {
        size_t found = summing->asyncs.slots[i].value;
        if (found != DJ_MAP_NONE) {
            put_open(summing, ((const struct dj_async *)found)->name, true);
        }
    }
}

void dj_summing_finish(struct dj_summing *summing)
{
    for (size_t i = 0; i < summing->lane_count; i++) {
        free(summing->lanes[i].open);
    }
    free(summing->lanes);
    for (size_t i = 0; i < summing->asyncs.capacity; i++) {
        if (summing->asyncs.slots[i].value != DJ_MAP_NONE) {
            free((struct dj_async *)summing->asyncs.slots[i].value);
        }
    }
    dj_map_finish(&summing->asyncs);
    dj_map_finish(&summing->places);
    *summing = (struct dj_summing){.trace = summing->trace, .unfit = summing->unfit};
}
