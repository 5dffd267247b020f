#include "trace/perfetto/clocks.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/compare.h"
#include "memory/memory.h"

enum {
    MOST_IN_SNAPSHOT = 64, /* Maximum number of clocks used from one snapshot. */
    /* Maximum length of the unit of a clock. If the trace contains a longer unit, the
     * unit is treated as 1 ns. */
    MOST_UNIT_NS = 1000000000,
    /* If a clock has at least this many pairs, a pair with an earlier time is not
     * inserted, because inserting into a long array would be slow. */
    MOST_UNORDERED = 1 << 14
};

/* Returns a key that identifies a clock. From the id DJ_PF_SEQUENCE_CLOCK on, each
 * sequence has its own clocks, so the key of such a clock also contains the sequence. */
static uint64_t make_key(uint64_t sequence, uint64_t clock)
{
    bool own = clock >= DJ_PF_SEQUENCE_CLOCK && clock <= DJ_PF_SEQUENCE_CLOCK_LAST;
    return own ? (sequence + 1) << 8 | clock : clock & UINT32_MAX;
}

static struct dj_perfetto_clock *find_clock(const struct dj_perfetto_clocks *clocks,
                                            uint64_t key)
{
    size_t place = dj_map_get(&clocks->places, key);
    return place == DJ_MAP_NONE ? NULL : &clocks->clocks[place];
}

const struct dj_perfetto_clock *
dj_perfetto_clocks_find(const struct dj_perfetto_clocks *clocks, uint64_t clock)
{
    return find_clock(clocks, clock);
}

static struct dj_perfetto_clock *get_clock(struct dj_perfetto_clocks *clocks,
                                           uint64_t key)
{
    struct dj_perfetto_clock *found = find_clock(clocks, key);
    if (found != NULL) {
        return found;
    }
    dj_xcheck(dj_map_set(&clocks->places, key, clocks->count));
    DJ_XPUSH(clocks->clocks, clocks->count, (struct dj_perfetto_clock){.unit_ns = 1});
    return &clocks->clocks[clocks->count - 1];
}

static int64_t multiply(uint64_t stamp, int64_t unit_ns)
{
    return (int64_t)(stamp * (uint64_t)unit_ns);
}

/* Returns the index of the first pair that is later than from_ns. */
static size_t find_later(const struct dj_perfetto_clock *clock, int64_t from_ns)
{
    size_t low = 0;
    size_t high = clock->count;
    DJ_SEARCH(low, high, middle, clock->pairs[middle].from_ns <= from_ns);
    return low;
}

static void insert_pair(struct dj_perfetto_clock *clock, struct dj_perfetto_pair pair)
{
    size_t at = find_later(clock, pair.from_ns);
    bool too_late = at < clock->count && clock->count >= MOST_UNORDERED;
    if (too_late || (at > 0 && clock->pairs[at - 1].from_ns == pair.from_ns)) {
        return;
    }
    DJ_XROOM(clock->pairs, clock->count);
    memmove(clock->pairs + at + 1, clock->pairs + at,
            (clock->count - at) * sizeof(*clock->pairs));
    clock->pairs[at] = pair;
    clock->count++;
}

static bool convert_to_main(struct dj_perfetto_clock *clock, int64_t from_ns,
                            int64_t *to_ns)
{
    if (clock->count == 0) {
        return false;
    }
    size_t hint = clock->hint;
    if (hint >= clock->count || clock->pairs[hint].from_ns > from_ns ||
        (hint + 1 < clock->count && clock->pairs[hint + 1].from_ns <= from_ns)) {
        size_t later = find_later(clock, from_ns);
        hint = later > 0 ? later - 1 : 0;
        clock->hint = hint;
    }
    const struct dj_perfetto_pair *pair = &clock->pairs[hint];
    *to_ns = dj_checked_add_wrapped(
        pair->to_ns, (int64_t)((uint64_t)from_ns - (uint64_t)pair->from_ns));
    return true;
}

struct reading {
    uint64_t key;
    int64_t ns;
};

static struct reading read_clock(struct dj_perfetto_clocks *clocks, uint64_t sequence,
                                 struct dj_str bytes)
{
    DJ_PF_FIELDS(got, bytes, DJ_PF_CLOCK_UNIT_NS);
    uint64_t key = make_key(sequence, (uint64_t)dj_proto_int(&got[DJ_PF_CLOCK_ID]));
    struct dj_perfetto_clock *clock = get_clock(clocks, key);
    int64_t unit_ns = dj_proto_int(&got[DJ_PF_CLOCK_UNIT_NS]);
    clock->unit_ns = unit_ns > 0 && unit_ns <= MOST_UNIT_NS ? unit_ns : 1;
    clock->incremental = dj_proto_int(&got[DJ_PF_CLOCK_INCREMENTAL]) != 0;
    clock->last_ns =
        multiply((uint64_t)dj_proto_int(&got[DJ_PF_CLOCK_TIMESTAMP]), clock->unit_ns);
    return (struct reading){key, clock->last_ns};
}

/* Finds the value of the trace's clock in a snapshot. If the snapshot does not contain
 * the trace's clock, computes the value from another clock of the snapshot. */
static bool find_main_reading(struct dj_perfetto_clocks *clocks,
                              const struct reading *readings, size_t count,
                              int64_t *main_ns)
{
    for (size_t i = 0; i < count; i++) {
        if (readings[i].key == clocks->main) {
            *main_ns = readings[i].ns;
            clocks->main_known = true;
            return true;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (convert_to_main(find_clock(clocks, readings[i].key), readings[i].ns,
                            main_ns)) {
            return true;
        }
    }
    return false;
}

void dj_perfetto_clocks_add_snapshot(struct dj_perfetto_clocks *clocks, uint64_t sequence,
                                     struct dj_str snapshot)
{
    struct reading readings[MOST_IN_SNAPSHOT];
    struct dj_proto_message message = dj_proto_open(snapshot);
    struct dj_proto_field field = {0};
    size_t count = 0;
    int64_t main_ns;
    while (dj_proto_next(&message, &field)) {
        if (field.number == DJ_PF_SNAPSHOT_CLOCK && field.wire == DJ_PROTO_BYTES &&
            count < MOST_IN_SNAPSHOT) {
            readings[count++] = read_clock(clocks, sequence, field.bytes);
        } else if (field.number == DJ_PF_SNAPSHOT_PRIMARY &&
                   field.wire == DJ_PROTO_VARINT && !clocks->main_known &&
                   clocks->converted == 0 && field.value != 0) {
            clocks->main = make_key(sequence, field.value);
            clocks->main_known = true;
        }
    }
    if (!find_main_reading(clocks, readings, count, &main_ns)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (readings[i].key != clocks->main) {
            insert_pair(find_clock(clocks, readings[i].key),
                        (struct dj_perfetto_pair){readings[i].ns, main_ns});
        }
    }
}

bool dj_perfetto_clocks_convert(struct dj_perfetto_clocks *clocks, uint64_t sequence,
                                uint64_t clock, uint64_t stamp, int64_t *at_ns)
{
    uint64_t key = clock == 0 ? clocks->main : make_key(sequence, clock);
    *at_ns = (int64_t)stamp;
    if (key == clocks->main) {
        return *at_ns >= 0;
    }
    struct dj_perfetto_clock *found = find_clock(clocks, key);
    clocks->converted++;
    if (found == NULL) {
        return false;
    }
    int64_t from_ns = multiply(stamp, found->unit_ns);
    if (found->incremental) {
        from_ns = dj_checked_add_wrapped(found->last_ns, from_ns);
        found->last_ns = from_ns;
    }
    return convert_to_main(found, from_ns, at_ns) && *at_ns >= 0;
}

void dj_perfetto_clocks_finish(struct dj_perfetto_clocks *clocks)
{
    for (size_t i = 0; i < clocks->count; i++) {
        free(clocks->clocks[i].pairs);
    }
    free(clocks->clocks);
    dj_map_finish(&clocks->places);
    *clocks = (struct dj_perfetto_clocks){0};
}
