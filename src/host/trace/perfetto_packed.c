#include "trace/perfetto_packed.h"

#include <stdlib.h>

#include "base/array.h"

/* Reads the next numbers of an array; where it ends or makes no sense, `missing` stands
 * for those that are not there. Returns how many are. */
static size_t read_numbers(struct dj_pf_message *array, uint64_t *numbers, size_t count,
                           uint64_t missing)
{
    size_t read = dj_pf_varints(array, numbers, count);
    for (size_t i = read; i < count; i++) {
        numbers[i] = missing;
    }
    return read;
}

/* Stamps are deltas of the clock; one beyond its end is none. Returns how many there
 * are. */
static size_t add_up(int64_t *last_ns, uint64_t *times, size_t count)
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

void dj_pf_packed_read_on(struct dj_pf_packed *packed)
{
    size_t count = dj_pf_varints(&packed->arrays.times, packed->times, DJ_PF_AHEAD);
    count = add_up(&packed->last_ns, packed->times, count);
    packed->at = 0;
    packed->times[count] = INT64_MAX;
    read_numbers(&packed->arrays.pids, packed->pids, count, 0);
    read_numbers(&packed->arrays.names, packed->names, count, UINT64_MAX);
    read_numbers(&packed->arrays.third, packed->third, count, 0);
    read_numbers(&packed->arrays.fourth, packed->fourth, count, 0);
}

static bool put_name(struct dj_pf_compact *compact, struct dj_words name)
{
    struct dj_words *grown =
        dj_array_room(compact->names, compact->name_count, sizeof(*grown));
    if (grown == NULL) {
        return false;
    }
    compact->names = grown;
    compact->names[compact->name_count++] = name;
    return true;
}

static void begin(struct dj_pf_packed *packed)
{
    memset(&packed->arrays, 0, sizeof(packed->arrays));
    packed->last_ns = 0;
}

bool dj_pf_packed_open(struct dj_pf_compact *compact, struct dj_words bytes,
                       uint64_t *damaged)
{
    struct dj_pf_message *const arrays[DJ_PF_COMPACT_FIELDS] = {
        [DJ_PF_COMPACT_SWITCH_TIME] = &compact->switches.arrays.times,
        [DJ_PF_COMPACT_SWITCH_STATE] = &compact->switches.arrays.third,
        [DJ_PF_COMPACT_SWITCH_PID] = &compact->switches.arrays.pids,
        [DJ_PF_COMPACT_SWITCH_NAME] = &compact->switches.arrays.names,
        [DJ_PF_COMPACT_WAKING_TIME] = &compact->wakes.arrays.times,
        [DJ_PF_COMPACT_WAKING_PID] = &compact->wakes.arrays.pids,
        [DJ_PF_COMPACT_WAKING_CPU] = &compact->wakes.arrays.third,
        [DJ_PF_COMPACT_WAKING_NAME] = &compact->wakes.arrays.names,
        [DJ_PF_COMPACT_WAKING_FLAGS] = &compact->wakes.arrays.fourth,
    };
    struct dj_pf_message message = dj_pf_open(bytes);
    compact->names = NULL;
    compact->name_count = 0;
    begin(&compact->switches);
    begin(&compact->wakes);
    struct dj_pf_field field;
    while (dj_pf_next(&message, &field)) {
        if (field.number >= DJ_PF_COMPACT_FIELDS) {
            continue;
        }
        if (field.wire != DJ_WIRE_BYTES) {
            (*damaged)++; /* not packed: nobody writes it so */
        } else if (arrays[field.number] != NULL) {
            *arrays[field.number] = dj_pf_open(field.bytes);
        } else if (field.number == DJ_PF_COMPACT_NAMES &&
                   !put_name(compact, field.bytes)) {
            return false;
        }
    }
    *damaged += message.failed;
    dj_pf_packed_read_on(&compact->switches);
    dj_pf_packed_read_on(&compact->wakes);
    return true;
}

void dj_pf_packed_close(struct dj_pf_compact *compact)
{
    if (compact != NULL) {
        free(compact->names);
        free(compact);
    }
}
