#include "trace/summing.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/checked.h"
#include "trace/sums.h"

/* A section of a thread that has not ended. */
struct begun {
    const char *name;
    int64_t start_ns;
    int64_t self_ns; /* what those inside it took, taken from 0 */
};

/* A thread's, outermost first. */
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
    MOST_LANES = 1 << 30,
    ASYNC_BYTES = sizeof(struct dj_async) + 2 * sizeof(struct dj_map_slot)
};

static bool put(struct dj_summing *summing, struct dj_trace_sum sum)
{
    sum.count = 1;
    summing->trace->slice_count++;
    return dj_fold_put(&summing->trace->sums, &sum);
}

/* Room for what is open has the same limit as rows have. */
static bool count_room(struct dj_summing *summing, size_t bytes)
{
    size_t most = summing->trace->memory_bytes;
    summing->open_bytes += bytes;
    summing->unfit |= most > 0 && summing->open_bytes > most;
    return !summing->unfit;
}

/* ---- of threads ---- */

static struct dj_lane *make_lane(struct dj_summing *summing, const struct dj_edge *edge)
{
    if (summing->lane_count >= MOST_LANES ||
        !count_room(summing, sizeof(struct dj_lane))) {
        return NULL;
    }
    if (!DJ_ARRAY_ROOM(summing->lanes, summing->lane_count)) {
        return NULL;
    }
    if (!dj_map_put(&summing->places, edge->tid, summing->lane_count)) {
        return NULL;
    }
    summing->lane = summing->lane_count++;
    summing->lanes[summing->lane] =
        (struct dj_lane){.tid = edge->tid, .life = edge->life, .last_ns = INT64_MIN};
    return &summing->lanes[summing->lane];
}

static bool leave_open(struct dj_summing *summing, struct dj_lane *lane)
{
    bool fits = true;
    for (size_t i = 0; i < lane->depth && fits; i++) {
        fits = put(summing, (struct dj_trace_sum){.name = lane->open[i].name, .open = 1});
    }
    lane->depth = 0;
    return fits;
}

/* Its thread's; another thread that gets the same id later begins with nothing. */
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
        return leave_open(summing, lane) ? lane : NULL;
    }
    return lane;
}

static bool begin(struct dj_summing *summing, struct dj_lane *lane,
                  const struct dj_edge *edge)
{
    if (lane->depth == lane->capacity) {
        size_t capacity = lane->capacity == 0 ? FIRST_OPEN : 2 * lane->capacity;
        size_t more = capacity - lane->capacity;
        struct begun *grown = count_room(summing, more * sizeof(*grown))
                                  ? dj_array_resize(lane->open, capacity, sizeof(*grown))
                                  : NULL;
        if (grown == NULL) {
            return false;
        }
        lane->open = grown;
        lane->capacity = capacity;
    }
    lane->open[lane->depth++] = (struct begun){edge->name, edge->at_ns, 0};
    return true;
}

/* What an inner one took is not its outer one's own. */
static bool end(struct dj_summing *summing, struct dj_lane *lane,
                const struct dj_edge *edge)
{
    if (lane->depth == 0) {
        summing->trace->endings++;
        return true;
    }
    struct begun *ended = &lane->open[--lane->depth];
    int64_t length_ns = dj_subtract_saturated(edge->at_ns, ended->start_ns);
    if (lane->depth > 0) {
        ended[-1].self_ns = dj_subtract_saturated(ended[-1].self_ns, length_ns);
    }
    return put(summing, (struct dj_trace_sum){
                            .name = ended->name,
                            .total_ns = length_ns,
                            .self_ns = dj_add_saturated(ended->self_ns, length_ns),
                            .longest_ns = length_ns});
}

static bool take_nested(struct dj_summing *summing, const struct dj_edge *edge)
{
    struct dj_lane *lane = lane_of(summing, edge);
    if (lane == NULL) {
        return false;
    }
    summing->unfit |= edge->at_ns < lane->last_ns;
    lane->last_ns = edge->at_ns;
    return !summing->unfit &&
           (edge->kind == DJ_EDGE_BEGIN ? begin : end)(summing, lane, edge);
}

/* ---- async ones ---- */

static uint64_t hash_of(const struct dj_edge *edge)
{
    uint64_t mixed = (uint64_t)(uintptr_t)edge->key ^ (uint64_t)(uint32_t)edge->pid << 32;
    return (mixed ^ mixed >> 32) * UINT64_C(0xbf58476d1ce4e5b9) + (uint64_t)edge->cookie;
}

/* The one of this edge's key, cookie and process, and its slot of the map. NULL: none. */
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

static bool add_async(struct dj_summing *summing, const struct dj_edge *edge,
                      uint64_t hash)
{
    struct dj_async *async =
        count_room(summing, ASYNC_BYTES) ? malloc(sizeof(*async)) : NULL;
    if (async == NULL || !dj_map_add(&summing->asyncs, hash, (uintptr_t)async)) {
        free(async);
        return false;
    }
    *async =
        (struct dj_async){edge->key, edge->name, edge->cookie, edge->at_ns, edge->pid};
    return true;
}

/* A second beginning of what is under way already leaves the first one open. */
static bool begin_async(struct dj_summing *summing, const struct dj_edge *edge)
{
    size_t slot;
    uint64_t hash = hash_of(edge);
    struct dj_async *async = find_async(&summing->asyncs, edge, hash, &slot);
    if (async == NULL) {
        return add_async(summing, edge, hash);
    }
    const struct dj_trace_sum sum = {.name = async->name, .async = true, .open = 1};
    async->name = edge->name;
    async->start_ns = edge->at_ns;
    return put(summing, sum);
}

static bool end_async(struct dj_summing *summing, const struct dj_edge *edge)
{
    size_t slot;
    struct dj_async *async = find_async(&summing->asyncs, edge, hash_of(edge), &slot);
    if (async == NULL) {
        summing->trace->endings++;
        return true;
    }
    int64_t length_ns = dj_subtract_saturated(edge->at_ns, async->start_ns);
    const struct dj_trace_sum sum = {.name = async->name,
                                     .async = true,
                                     .total_ns = length_ns,
                                     .longest_ns = length_ns};
    dj_map_remove(&summing->asyncs, slot);
    free(async);
    summing->open_bytes -= ASYNC_BYTES;
    return put(summing, sum);
}

static bool take_async(struct dj_summing *summing, const struct dj_edge *edge)
{
    summing->unfit |= summing->async_seen && edge->at_ns < summing->async_ns;
    summing->async_seen = true;
    summing->async_ns = edge->at_ns;
    return !summing->unfit &&
           (edge->kind == DJ_EDGE_ASYNC_BEGIN ? begin_async : end_async)(summing, edge);
}

/* ---- all of them ---- */

bool dj_summing_take(struct dj_summing *summing, const struct dj_edge *edge)
{
    bool async = edge->kind == DJ_EDGE_ASYNC_BEGIN || edge->kind == DJ_EDGE_ASYNC_END;
    if (summing->trace->sums.order == NULL) {
        summing->trace->sums = dj_sums_fold(summing->trace->memory_bytes, true);
    }
    return (async ? take_async : take_nested)(summing, edge);
}

bool dj_summing_end(struct dj_summing *summing)
{
    bool fits = true;
    if (summing->trace->sums.order == NULL) {
        summing->trace->sums = dj_sums_fold(summing->trace->memory_bytes, true);
    }
    for (size_t i = 0; i < summing->lane_count && fits; i++) {
        fits = leave_open(summing, &summing->lanes[i]);
    }
    for (size_t i = 0; i < summing->asyncs.capacity && fits; i++) {
        size_t found = summing->asyncs.slots[i].value;
        fits = found == DJ_MAP_NONE ||
               put(summing,
                   (struct dj_trace_sum){.name = ((const struct dj_async *)found)->name,
                                         .async = true,
                                         .open = 1});
    }
    return fits;
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
