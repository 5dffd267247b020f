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
    const char *key; /* NULL: a free slot */
    const char *name;
    int64_t cookie, start_ns;
    int32_t pid;
};

enum { FIRST_OPEN = 8, FIRST_ASYNCS = 64, MOST_LANES = 1 << 30 };

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

static size_t home_of(const struct dj_summing *summing, const char *key, int64_t cookie,
                      int32_t pid)
{
    uint64_t mixed = (uint64_t)(uintptr_t)key ^ (uint64_t)(uint32_t)pid << 32;
    mixed = (mixed ^ mixed >> 32) * UINT64_C(0xbf58476d1ce4e5b9) + (uint64_t)cookie;
    mixed *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 32) & (summing->async_capacity - 1);
}

/* Where the one of this key, cookie and process is, or would be. */
static struct dj_async *slot_of(const struct dj_summing *summing, const char *key,
                                int64_t cookie, int32_t pid)
{
    size_t at = home_of(summing, key, cookie, pid);
    const struct dj_async *slots = summing->asyncs;
    while (slots[at].key != NULL &&
           (slots[at].key != key || slots[at].cookie != cookie || slots[at].pid != pid)) {
        at = (at + 1) & (summing->async_capacity - 1);
    }
    return &summing->asyncs[at];
}

static bool grow_asyncs(struct dj_summing *summing)
{
    size_t before = summing->async_capacity;
    struct dj_async *slots = summing->asyncs;
    size_t capacity = before == 0 ? FIRST_ASYNCS : 2 * before;
    struct dj_async *grown = count_room(summing, (capacity - before) * sizeof(*grown))
                                 ? calloc(capacity, sizeof(*grown))
                                 : NULL;
    if (grown == NULL) {
        return false;
    }
    summing->asyncs = grown;
    summing->async_capacity = capacity;
    for (size_t i = 0; i < before; i++) {
        if (slots[i].key != NULL) {
            *slot_of(summing, slots[i].key, slots[i].cookie, slots[i].pid) = slots[i];
        }
    }
    free(slots);
    return true;
}

/* Those behind it move up, as far as each may be found there. */
static void take_out(struct dj_summing *summing, struct dj_async *slot)
{
    struct dj_async *slots = summing->asyncs;
    size_t mask = summing->async_capacity - 1;
    size_t free_at = (size_t)(slot - slots);
    for (size_t at = (free_at + 1) & mask; slots[at].key != NULL; at = (at + 1) & mask) {
        size_t home = home_of(summing, slots[at].key, slots[at].cookie, slots[at].pid);
        if (((at - home) & mask) >= ((at - free_at) & mask)) {
            slots[free_at] = slots[at];
            free_at = at;
        }
    }
    slots[free_at].key = NULL;
    summing->async_count--;
}

/* A second beginning of what is under way already leaves the first one open. */
static bool take_async(struct dj_summing *summing, const struct dj_edge *edge)
{
    bool first = summing->async_capacity == 0;
    summing->unfit |= !first && edge->at_ns < summing->async_ns;
    summing->async_ns = edge->at_ns;
    if (summing->unfit ||
        (2 * summing->async_count >= summing->async_capacity && !grow_asyncs(summing))) {
        return false;
    }
    struct dj_async *slot = slot_of(summing, edge->key, edge->cookie, edge->pid);
    bool under_way = slot->key != NULL;
    if (edge->kind == DJ_EDGE_ASYNC_BEGIN) {
        bool fits =
            !under_way || put(summing, (struct dj_trace_sum){
                                           .name = slot->name, .async = true, .open = 1});
        summing->async_count += !under_way;
        *slot = (struct dj_async){edge->key, edge->name, edge->cookie, edge->at_ns,
                                  edge->pid};
        return fits;
    }
    if (!under_way) {
        summing->trace->endings++;
        return true;
    }
    int64_t length_ns = dj_subtract_saturated(edge->at_ns, slot->start_ns);
    const struct dj_trace_sum sum = {.name = slot->name,
                                     .async = true,
                                     .total_ns = length_ns,
                                     .longest_ns = length_ns};
    take_out(summing, slot);
    return put(summing, sum);
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
    for (size_t i = 0; i < summing->async_capacity && fits; i++) {
        const struct dj_async *async = &summing->asyncs[i];
        fits = async->key == NULL ||
               put(summing,
                   (struct dj_trace_sum){.name = async->name, .async = true, .open = 1});
    }
    return fits;
}

void dj_summing_finish(struct dj_summing *summing)
{
    for (size_t i = 0; i < summing->lane_count; i++) {
        free(summing->lanes[i].open);
    }
    free(summing->lanes);
    free(summing->asyncs);
    dj_map_finish(&summing->places);
    *summing = (struct dj_summing){.trace = summing->trace, .unfit = summing->unfit};
}
