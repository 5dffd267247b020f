#include "trace/perfetto_packed.h"

#include <stdlib.h>

#include "base/array.h"

/* Stamps are deltas of the clock; one beyond its end is none. */
static inline void next_time(struct dj_pf_packed *packed)
{
    uint64_t delta;
    bool more = dj_pf_varint(&packed->times, &delta);
    int64_t next_ns = (int64_t)((uint64_t)packed->next_ns + delta);
    packed->next_ns = more && next_ns >= 0 ? next_ns : INT64_MAX;
}

void dj_pf_packed_next(struct dj_pf_packed *packed)
{
    next_time(packed);
}

static bool put_name(struct dj_pf_compact *compact, struct dj_words name)
{
    if ((compact->name_count & (compact->name_count - 1)) == 0) {
        size_t capacity = compact->name_count == 0 ? 1 : 2 * compact->name_count;
        struct dj_words *grown =
            dj_array_resize(compact->names, capacity, sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        compact->names = grown;
    }
    compact->names[compact->name_count++] = name;
    return true;
}

bool dj_pf_packed_open(struct dj_pf_compact *compact, struct dj_words bytes,
                       uint64_t *damaged)
{
    struct dj_pf_message *const arrays[DJ_PF_COMPACT_FIELDS] = {
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
    struct dj_pf_message message = dj_pf_open(bytes);
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
    next_time(&compact->switches);
    next_time(&compact->wakes);
    return true;
}

void dj_pf_packed_close(struct dj_pf_compact *compact)
{
    if (compact != NULL) {
        free(compact->names);
        free(compact);
    }
}

static inline struct dj_words packed_name(const struct dj_pf_compact *compact,
                                          struct dj_pf_message *names)
{
    uint64_t place;
    return dj_pf_varint(names, &place) && place < compact->name_count
               ? compact->names[place]
               : (struct dj_words){"", 0};
}

static inline int64_t packed_number(struct dj_pf_message *numbers)
{
    uint64_t number;
    return dj_pf_varint(numbers, &number) ? (int64_t)number : 0;
}

static inline void take_switch(struct dj_pf_compact *compact, struct dj_event *event)
{
    struct dj_pf_packed *packed = &compact->switches;
    event->kind = DJ_EVENT_SWITCH;
    event->state = (uint8_t)dj_task_state_of_bits(packed_number(&packed->third));
    event->other = (int32_t)packed_number(&packed->pids);
    event->other_name = packed_name(compact, &packed->names);
    next_time(packed);
}

/* Who wakes is whom the CPU runs. */
static inline void take_wake(struct dj_pf_compact *compact, struct dj_event *event)
{
    struct dj_pf_packed *packed = &compact->wakes;
    event->kind = DJ_EVENT_WAKING;
    event->other = (int32_t)packed_number(&packed->pids);
    event->other_name = packed_name(compact, &packed->names);
    event->value = packed_number(&packed->third);
    event->interrupted =
        dj_pf_kernel_interrupted((uint64_t)packed_number(&packed->fourth));
    next_time(packed);
}

void dj_pf_packed_take(struct dj_pf_compact *compact, int64_t clock_ns,
                       const struct dj_pf_running *running, struct dj_event *event)
{
    event->tid = running->tid;
    event->task = running->name;
    if (compact->wakes.next_ns == clock_ns) {
        take_wake(compact, event);
    } else {
        take_switch(compact, event);
    }
}
