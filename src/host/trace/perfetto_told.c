/*
 * Reports the facts before and after all events: clocks, losses, and names that no other
 * packet contains.
 */
#include "trace/perfetto_reader.h"

static void tell_lost(struct dj_pf_reader *reader, int32_t cpu, uint64_t count,
                      int64_t since_ns)
{
    struct dj_event event = dj_event_of(DJ_EVENT_LOST);
    event.at_ns = reader->last_ns;
    event.tid = -1;
    event.cpu = cpu;
    event.value = (int64_t)(count & INT64_MAX);
    event.value_2 = since_ns;
    if (count > 0) {
        dj_pf_tell(reader, &event);
    }
}

/* Buffers count losses, and packets show their places. Losses that buffers counted beyond
 * the gaps in sequences may be anywhere in the trace, but only if packets report no gap.
 */
static void report_buffers_lost(struct dj_pf_reader *reader)
{
    const struct dj_pf_buffers_lost *buffers = &reader->buffers;
    uint64_t inside = buffers->inside + (buffers->streamed ? buffers->overwritten : 0);
    uint64_t all = inside + buffers->unsure + buffers->discarded;
    uint64_t anywhere = reader->gaps == 0 ? inside : 0;
    uint64_t elsewhere =
        all - anywhere > reader->gaps ? all - anywhere - reader->gaps : 0;
    reader->told->overwritten = buffers->streamed ? 0 : buffers->overwritten;
    tell_lost(reader, -1, anywhere, 0);
    tell_lost(reader, -1, elsewhere, reader->last_ns);
}

void dj_pf_tell_rest(struct dj_pf_reader *reader)
{
    for (size_t i = 0; i < reader->process_count; i++) {
        const struct dj_pf_process *process = &reader->processes[i];
        dj_pf_hand_thread(reader, process->pid, process->pid,
                          dj_task_name_of(process->name), (struct dj_str){"", 0});
    }
    for (size_t i = 0; i < reader->lost_count; i++) {
        const struct dj_pf_cpu_lost *lost = &reader->lost[i];
        /* A ring buffer may have overwritten the count at the start. */
        bool known = lost->counted || !dj_pf_begins_late(reader);
        uint64_t count =
            known && lost->after > lost->before ? lost->after - lost->before : 0;
        tell_lost(reader, (int32_t)i, count > lost->reported ? count - lost->reported : 0,
                  0);
    }
    report_buffers_lost(reader);
}

static const struct {
    uint8_t clock;
    const char *name;
} clock_names[] = {
    {DJ_PF_MONOTONIC, "mono"},
    {DJ_PF_REALTIME, "realtime"},
    {DJ_PF_MONOTONIC_RAW, "mono_raw"},
    {DJ_PF_BOOTTIME, "boot"},
};

enum { APART_NS = 500 }; /* the clocks of a snapshot are read one after the other */

static struct dj_str clock_name(uint64_t clock)
{
    for (size_t i = 0; i < COUNT_OF(clock_names); i++) {
        if (clock_names[i].clock == clock) {
            return dj_str_of(clock_names[i].name);
        }
    }
    return (struct dj_str){"", 0};
}

static void tell_pairs(struct dj_pf_reader *reader, const struct dj_pf_clock *clock,
                       struct dj_event *event)
{
    for (size_t i = 0; i < clock->count; i++) {
        event->at_ns = clock->pairs[i].to_ns;
        event->value = clock->pairs[i].from_ns;
        if (event->at_ns >= 0) {
            dj_pf_tell(reader, event);
        }
    }
}

void dj_pf_tell_clocks(struct dj_pf_reader *reader)
{
    struct dj_event event = dj_event_of(DJ_EVENT_CLOCK);
    event.other_name = clock_name(reader->clocks.main);
    if (reader->clocks.main == DJ_PF_MONOTONIC) {
        event.name = event.other_name;
        event.at_ns = event.value = reader->block_count > 0 ? reader->earliest[0] : 0;
    }
    dj_pf_tell(reader, &event);
    event.value_2 = APART_NS;
    for (size_t i = 0; i < COUNT_OF(clock_names); i++) {
        const struct dj_pf_clock *clock =
            dj_pf_clocks_find(&reader->clocks, clock_names[i].clock);
        event.name = dj_str_of(clock_names[i].name);
        if (clock != NULL) {
            tell_pairs(reader, clock, &event);
        }
    }
}
