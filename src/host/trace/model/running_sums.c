#include "trace/model/running_sums.h"

#include <stdlib.h>

#include "base/checked.h"
#include "memory/memory.h"

/* An open section of a thread. */
struct begun {
    const char *name;
    int64_t start_ns;
    /* While the section is open, minus the total duration of the inner sections that have
     * ended. At the end of the section, its duration is added, which gives the self time.
     */
    int64_t self_ns;
};

/* A lane is a thread with its open sections. */
struct dj_lane {
    struct begun *open; /* Open sections, the outermost first. Owned by this struct. */
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
    FIRST_OPEN = 8, /* Number of open sections for which a lane has memory at first. */
    /* Estimated memory of an open async section, in bytes. */
    ASYNC_BYTES = sizeof(struct dj_async) + 2 * sizeof(struct dj_map_slot)
};

static void add_sum(struct dj_running_sums *running_sums, struct dj_trace_sum sum)
{
    sum.count = 1;
    running_sums->trace->slice_count++;
    dj_trace_fold_add(&running_sums->trace->sums, &sum);
}

static void add_open(struct dj_running_sums *running_sums, const char *name, bool async)
{
    add_sum(running_sums, (struct dj_trace_sum){.name = name, .async = async, .open = 1});
}

/* Adds to the memory that open sections use. The limit is trace->memory_bytes, as for
 * rows. */
static void count_memory(struct dj_running_sums *running_sums, size_t bytes)
{
    size_t most = running_sums->trace->memory_bytes;
    running_sums->open_bytes += bytes;
    running_sums->needs_second_read |= most > 0 && running_sums->open_bytes > most;
}

static struct dj_lane *add_lane(struct dj_running_sums *running_sums,
                                const struct dj_edge *edge)
{
    count_memory(running_sums, sizeof(struct dj_lane));
    running_sums->lane = running_sums->lane_count;
    dj_xcheck(dj_map_set(&running_sums->places, edge->tid, running_sums->lane));
    DJ_XPUSH(
        running_sums->lanes, running_sums->lane_count,
        (struct dj_lane){.tid = edge->tid, .life = edge->life, .last_ns = INT64_MIN});
    return &running_sums->lanes[running_sums->lane];
}

static void end_lane(struct dj_running_sums *running_sums, struct dj_lane *lane)
{
    for (size_t i = 0; i < lane->depth; i++) {
        add_open(running_sums, lane->open[i].name, false);
    }
    lane->depth = 0;
}

/* Returns the lane of the edge's thread. If another thread had this id before, ends the
 * open sections of the earlier thread. */
static struct dj_lane *get_lane(struct dj_running_sums *running_sums,
                                const struct dj_edge *edge)
{
    struct dj_lane *lane =
        running_sums->lane_count > 0 ? &running_sums->lanes[running_sums->lane] : NULL;
    if (lane == NULL || lane->tid != edge->tid) {
        size_t place = dj_map_get(&running_sums->places, edge->tid);
        if (place == DJ_MAP_NONE) {
            return add_lane(running_sums, edge);
        }
        running_sums->lane = place;
        lane = &running_sums->lanes[place];
    }
    if (lane->life != edge->life) {
        lane->life = edge->life;
        lane->last_ns = INT64_MIN;
        end_lane(running_sums, lane);
    }
    return lane;
}

static void begin_section(struct dj_running_sums *running_sums, struct dj_lane *lane,
                          const struct dj_edge *edge)
{
    if (lane->depth == lane->capacity) {
        size_t more = lane->capacity == 0 ? FIRST_OPEN : lane->capacity;
        count_memory(running_sums, more * sizeof(*lane->open));
        lane->capacity += more;
        lane->open = dj_xresize(lane->open, lane->capacity, sizeof(*lane->open));
    }
    lane->open[lane->depth++] = (struct begun){edge->name, edge->at_ns, 0};
}

/* Ends the innermost section. Subtracts its duration from the self time of the section
 * around it. */
static void end_section(struct dj_running_sums *running_sums, struct dj_lane *lane,
                        const struct dj_edge *edge)
{
    if (lane->depth == 0) {
        running_sums->trace->endings++;
        return;
    }
    struct begun *ended = &lane->open[--lane->depth];
    int64_t length_ns = dj_checked_subtract_saturated(edge->at_ns, ended->start_ns);
    if (lane->depth > 0) {
        ended[-1].self_ns = dj_checked_subtract_saturated(ended[-1].self_ns, length_ns);
    }
    add_sum(running_sums, (struct dj_trace_sum){.name = ended->name,
                                                .total_ns = length_ns,
                                                .self_ns = dj_checked_add_saturated(
                                                    ended->self_ns, length_ns),
                                                .longest_ns = length_ns});
}

static void add_nested_edge(struct dj_running_sums *running_sums,
                            const struct dj_edge *edge)
{
    struct dj_lane *lane = get_lane(running_sums, edge);
    running_sums->needs_second_read |= edge->at_ns < lane->last_ns;
    lane->last_ns = edge->at_ns;
    (edge->kind == DJ_EDGE_BEGIN ? begin_section : end_section)(running_sums, lane, edge);
}

static uint64_t compute_hash(const struct dj_edge *edge)
{
    uint64_t mixed = (uint64_t)(uintptr_t)edge->key ^ (uint64_t)(uint32_t)edge->pid << 32;
    return (mixed ^ mixed >> 32) * UINT64_C(0xbf58476d1ce4e5b9) + (uint64_t)edge->cookie;
}

/* Returns the open async section with the same key, cookie and process as the edge, and
 * sets *slot to its slot in the map. Returns NULL if there is none. */
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

/* Begins an async section. If a section with the same key, cookie and process is already
 * open, counts the earlier one as a section without an end. */
static void begin_async(struct dj_running_sums *running_sums, const struct dj_edge *edge)
{
    size_t slot;
    uint64_t hash = compute_hash(edge);
    struct dj_async *async = find_async(&running_sums->asyncs, edge, hash, &slot);
    if (async != NULL) {
        add_open(running_sums, async->name, true);
    } else {
        async = dj_xcalloc(1, sizeof(*async));
        count_memory(running_sums, ASYNC_BYTES);
        dj_xcheck(dj_map_add(&running_sums->asyncs, hash, (uintptr_t)async));
    }
    *async =
        (struct dj_async){edge->key, edge->name, edge->cookie, edge->at_ns, edge->pid};
}

static void end_async(struct dj_running_sums *running_sums, const struct dj_edge *edge)
{
    size_t slot;
    struct dj_async *async =
        find_async(&running_sums->asyncs, edge, compute_hash(edge), &slot);
    if (async == NULL) {
        running_sums->trace->endings++;
        return;
    }
    int64_t length_ns = dj_checked_subtract_saturated(edge->at_ns, async->start_ns);
    add_sum(running_sums, (struct dj_trace_sum){.name = async->name,
                                                .async = true,
                                                .total_ns = length_ns,
                                                .longest_ns = length_ns});
    dj_map_remove(&running_sums->asyncs, slot);
    free(async);
    running_sums->open_bytes -= ASYNC_BYTES;
}

static void add_async_edge(struct dj_running_sums *running_sums,
                           const struct dj_edge *edge)
{
    running_sums->needs_second_read |=
        running_sums->async_seen && edge->at_ns < running_sums->async_ns;
    running_sums->async_seen = true;
    running_sums->async_ns = edge->at_ns;
    (edge->kind == DJ_EDGE_ASYNC_BEGIN ? begin_async : end_async)(running_sums, edge);
}

void dj_running_sums_add_edge(struct dj_running_sums *running_sums,
                              const struct dj_edge *edge)
{
    bool async = edge->kind == DJ_EDGE_ASYNC_BEGIN || edge->kind == DJ_EDGE_ASYNC_END;
    if (!running_sums->needs_second_read) {
        (async ? add_async_edge : add_nested_edge)(running_sums, edge);
    }
}

void dj_running_sums_complete(struct dj_running_sums *running_sums)
{
    for (size_t i = 0; i < running_sums->lane_count; i++) {
        end_lane(running_sums, &running_sums->lanes[i]);
    }
    for (size_t i = 0; i < running_sums->asyncs.capacity; i++) {
        size_t found = running_sums->asyncs.slots[i].value;
        if (found != DJ_MAP_NONE) {
            add_open(running_sums, ((const struct dj_async *)found)->name, true);
        }
    }
}

void dj_running_sums_finish(struct dj_running_sums *running_sums)
{
    for (size_t i = 0; i < running_sums->lane_count; i++) {
        free(running_sums->lanes[i].open);
    }
    free(running_sums->lanes);
    for (size_t i = 0; i < running_sums->asyncs.capacity; i++) {
        if (running_sums->asyncs.slots[i].value != DJ_MAP_NONE) {
            free((struct dj_async *)running_sums->asyncs.slots[i].value);
        }
    }
    dj_map_finish(&running_sums->asyncs);
    dj_map_finish(&running_sums->places);
    *running_sums =
        (struct dj_running_sums){.trace = running_sums->trace,
                                 .needs_second_read = running_sums->needs_second_read};
}
