#include "trace/perfetto_packed.h"

#include "base/array.h"

void dj_pf_packed_next(struct dj_pf_packed *packed)
{
    uint64_t delta;
    packed->ended = !dj_pf_varint(&packed->times, &delta);
    if (!packed->ended) {
        packed->next_ns = (int64_t)((uint64_t)packed->next_ns + delta);
        packed->ended = packed->next_ns < 0;
    }
}

static bool put_name(struct dj_pf_bundle *bundle, struct dj_words name)
{
    if ((bundle->name_count & (bundle->name_count - 1)) == 0) {
        size_t capacity = bundle->name_count == 0 ? 1 : 2 * bundle->name_count;
        struct dj_words *grown = dj_array_resize(bundle->names, capacity, sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        bundle->names = grown;
    }
    bundle->names[bundle->name_count++] = name;
    return true;
}

bool dj_pf_packed_open(struct dj_pf_bundle *bundle, struct dj_words bytes)
{
    struct dj_pf_message *const arrays[DJ_PF_COMPACT_FIELDS] = {
        [DJ_PF_COMPACT_SWITCH_TIME] = &bundle->switches.times,
        [DJ_PF_COMPACT_SWITCH_STATE] = &bundle->switches.third,
        [DJ_PF_COMPACT_SWITCH_PID] = &bundle->switches.pids,
        [DJ_PF_COMPACT_SWITCH_NAME] = &bundle->switches.names,
        [DJ_PF_COMPACT_WAKING_TIME] = &bundle->wakes.times,
        [DJ_PF_COMPACT_WAKING_PID] = &bundle->wakes.pids,
        [DJ_PF_COMPACT_WAKING_CPU] = &bundle->wakes.third,
        [DJ_PF_COMPACT_WAKING_NAME] = &bundle->wakes.names,
        [DJ_PF_COMPACT_WAKING_FLAGS] = &bundle->wakes.fourth,
    };
    struct dj_pf_message message = dj_pf_open(bytes);
    struct dj_pf_field field = {0};
    while (dj_pf_next(&message, &field)) {
        if (field.number >= DJ_PF_COMPACT_FIELDS) {
            continue;
        }
        if (field.wire != DJ_WIRE_BYTES) {
            bundle->damaged++; /* not packed: nobody writes it so */
        } else if (arrays[field.number] != NULL) {
            *arrays[field.number] = dj_pf_open(field.bytes);
        } else if (field.number == DJ_PF_COMPACT_NAMES &&
                   !put_name(bundle, field.bytes)) {
            return false;
        }
    }
    bundle->damaged += message.failed;
    dj_pf_packed_next(&bundle->switches);
    dj_pf_packed_next(&bundle->wakes);
    return true;
}

static struct dj_words packed_name(const struct dj_pf_bundle *bundle,
                                   struct dj_pf_message *names)
{
    uint64_t place;
    return dj_pf_varint(names, &place) && place < bundle->name_count
               ? bundle->names[place]
               : (struct dj_words){"", 0};
}

static int64_t packed_number(struct dj_pf_message *numbers)
{
    uint64_t number;
    return dj_pf_varint(numbers, &number) ? (int64_t)number : 0;
}

void dj_pf_packed_take_switch(struct dj_pf_bundle *bundle, struct dj_pf_running *running,
                              struct dj_event *event)
{
    struct dj_pf_packed *packed = &bundle->switches;
    event->kind = DJ_EVENT_SWITCH;
    event->tid = running->tid;
    event->task = running->name;
    event->state = (uint8_t)dj_task_state_of_bits(packed_number(&packed->third));
    event->other = (int32_t)packed_number(&packed->pids);
    event->other_name = packed_name(bundle, &packed->names);
    dj_pf_packed_next(packed);
}

/* Who wakes is whom the CPU runs. */
void dj_pf_packed_take_wake(struct dj_pf_bundle *bundle,
                            const struct dj_pf_running *running, struct dj_event *event)
{
    struct dj_pf_packed *packed = &bundle->wakes;
    event->kind = DJ_EVENT_WAKING;
    event->tid = running->tid;
    event->task = running->name;
    event->other = (int32_t)packed_number(&packed->pids);
    event->other_name = packed_name(bundle, &packed->names);
    event->value = packed_number(&packed->third);
    event->interrupted =
        dj_pf_kernel_interrupted((uint64_t)packed_number(&packed->fourth));
    dj_pf_packed_next(packed);
}
