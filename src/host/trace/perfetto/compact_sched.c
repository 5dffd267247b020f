#include "trace/perfetto/bundle.h"

#include <stdlib.h>

#include "memory/memory.h"

/* Decodes the next `count` numbers of an array. If the array ends earlier or is invalid,
 * sets the remaining numbers to `missing`. */
static void read_numbers(struct dj_proto_message *array, uint64_t *numbers, size_t count,
                         uint64_t missing)
{
    for (size_t i = dj_proto_varints(array, numbers, count); i < count; i++) {
        numbers[i] = missing;
    }
}

/* Replaces the differences in `times` by times. Stops before a time that would overflow.
 * Returns the number of valid times. */
static size_t sum_deltas(int64_t *last_ns, uint64_t *times, size_t count)
{
    uint64_t at_ns = (uint64_t)*last_ns;
    for (size_t i = 0; i < count; i++) {
        at_ns += times[i];
        times[i] = at_ns;
        if ((int64_t)at_ns < 0) {
            return i;
        }
    }
    *last_ns = (int64_t)at_ns;
    return count;
}

void dj_perfetto_compact_read_ahead(struct dj_perfetto_packed *packed)
{
    struct dj_perfetto_ahead *ahead = packed->ahead;
    size_t count = dj_proto_varints(&packed->times, ahead->times, DJ_PF_AHEAD);
    count = sum_deltas(&packed->last_ns, ahead->times, count);
    ahead->at = 0;
    ahead->times[count] = INT64_MAX;
    read_numbers(&packed->pids, ahead->pids, count, 0);
    read_numbers(&packed->names, ahead->names, count, UINT64_MAX);
    read_numbers(&packed->third, ahead->third, count, 0);
    read_numbers(&packed->fourth, ahead->fourth, count, 0);
    packed->next_ns = (int64_t)ahead->times[0];
}

int64_t dj_perfetto_compact_get_first_time(struct dj_proto_message times)
{
    uint64_t first_ns;
    return dj_proto_varint(&times, &first_ns) && first_ns <= INT64_MAX ? (int64_t)first_ns
                                                                       : INT64_MAX;
}

static void start_array(struct dj_perfetto_packed *packed)
{
    if (packed->next_ns != INT64_MAX) {
        packed->ahead = dj_xresize(NULL, 1, sizeof(*packed->ahead));
        dj_perfetto_compact_read_ahead(packed);
    }
}

void dj_perfetto_compact_start(struct dj_perfetto_compact *compact)
{
    start_array(&compact->switches);
    start_array(&compact->wakes);
}

struct dj_perfetto_compact *dj_perfetto_compact_open(struct dj_str bytes,
                                                     uint64_t *damaged)
{
    struct dj_perfetto_compact *compact = dj_xcalloc(1, sizeof(*compact));
    struct dj_proto_message *const arrays[DJ_PF_COMPACT_FIELDS] = {
        [DJ_PF_COMPACT_SWITCH_TIME] = &compact->switches.times,
        [DJ_PF_COMPACT_SWITCH_STATE] = &compact->switches.third,
        [DJ_PF_COMPACT_SWITCH_PID] = &compact->switches.pids,
        [DJ_PF_COMPACT_SWITCH_NAME] = &compact->switches.names,
        [DJ_PF_COMPACT_WAKING_TIME] = &compact->wakes.times,
        [DJ_PF_COMPACT_WAKING_PID] = &compact->wakes.pids,
        [DJ_PF_COMPACT_WAKING_CPU] = &compact->wakes.third,
        [DJ_PF_COMPACT_WAKING_NAME] = &compact->wakes.names,
        [DJ_PF_COMPACT_WAKING_FLAGS] = &compact->wakes.fourth,
    };
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field;
    while (dj_proto_next(&message, &field)) {
        if (field.number >= DJ_PF_COMPACT_FIELDS) {
            continue;
        }
        if (field.wire != DJ_PROTO_BYTES) {
            /* The array is not packed. No known program writes such an array. */
            (*damaged)++;
        } else if (arrays[field.number] != NULL) {
            *arrays[field.number] = dj_proto_open(field.bytes);
        } else if (field.number == DJ_PF_COMPACT_NAMES) {
            DJ_XPUSH(compact->names, compact->name_count, field.bytes);
        }
    }
    *damaged += message.failed;
    compact->switches.next_ns =
        dj_perfetto_compact_get_first_time(compact->switches.times);
    compact->wakes.next_ns = dj_perfetto_compact_get_first_time(compact->wakes.times);
    return compact;
}

void dj_perfetto_compact_close(struct dj_perfetto_compact *compact)
{
    if (compact != NULL) {
        free(compact->switches.ahead);
        free(compact->wakes.ahead);
        free(compact->names);
        free(compact);
    }
}
