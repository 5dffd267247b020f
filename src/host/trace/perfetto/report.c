/*
 * Reports data about the whole trace. Clocks are reported before all events. Losses and
 * names of main threads are reported after all events.
 */
#include "trace/perfetto/read_private.h"

static void report_loss(struct dj_perfetto_reader *reader, int32_t cpu, uint64_t count,
                        int64_t since_ns)
{
    struct dj_event event = dj_event_make(DJ_EVENT_LOST);
    event.at_ns = reader->last_ns;
    event.tid = -1;
    event.cpu = cpu;
    event.value = (int64_t)(count & INT64_MAX);
    event.value_2 = since_ns;
    if (count > 0) {
        dj_perfetto_send_event(reader, &event);
    }
}

/* Reports losses in the buffers of the tracing service. The buffers' counters include the
 * gaps that packets have reported, so these gaps are subtracted. If no packet has
 * reported a gap, losses in buffers that are complete may be anywhere in the trace. All
 * other losses are reported as losses at the end of the trace. */
static void report_buffer_losses(struct dj_perfetto_reader *reader)
{
    const struct dj_perfetto_buffers_lost *buffers = &reader->buffers;
    uint64_t inside = buffers->inside + (buffers->streamed ? buffers->overwritten : 0);
    uint64_t all = inside + buffers->unsure + buffers->discarded;
    uint64_t anywhere = reader->gaps == 0 ? inside : 0;
    uint64_t elsewhere =
        all - anywhere > reader->gaps ? all - anywhere - reader->gaps : 0;
    reader->summary->overwritten = buffers->streamed ? 0 : buffers->overwritten;
    report_loss(reader, -1, anywhere, 0);
    report_loss(reader, -1, elsewhere, reader->last_ns);
}

void dj_perfetto_report_end(struct dj_perfetto_reader *reader)
{
    for (size_t i = 0; i < reader->process_count; i++) {
        const struct dj_perfetto_process *process = &reader->processes[i];
        dj_perfetto_report_thread(reader, process->pid, process->pid,
                                  dj_event_shorten_task_name(process->name),
                                  (struct dj_str){"", 0});
    }
    for (size_t i = 0; i < reader->lost_count; i++) {
        const struct dj_perfetto_cpu_lost *lost = &reader->lost[i];
        /* A ring buffer may have overwritten the packet that contained the value of the
         * counter at the start of the trace. */
        bool known = lost->counted || !dj_perfetto_begins_late(reader);
        uint64_t count =
            known && lost->after > lost->before ? lost->after - lost->before : 0;
        report_loss(reader, (int32_t)i,
                    count > lost->reported ? count - lost->reported : 0, 0);
    }
    report_buffer_losses(reader);
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

enum {
    APART_NS = 500
}; /* Maximum time between reading two clocks for the same snapshot. */

static struct dj_str get_clock_name(uint64_t clock)
{
    for (size_t i = 0; i < COUNT_OF(clock_names); i++) {
        if (clock_names[i].clock == clock) {
            return dj_str_of(clock_names[i].name);
        }
    }
    return (struct dj_str){"", 0};
}

static void report_pairs(struct dj_perfetto_reader *reader,
                         const struct dj_perfetto_clock *clock, struct dj_event *event)
{
    for (size_t i = 0; i < clock->count; i++) {
        event->at_ns = clock->pairs[i].to_ns;
        event->value = clock->pairs[i].from_ns;
        if (event->at_ns >= 0) {
            dj_perfetto_send_event(reader, event);
        }
    }
}

void dj_perfetto_report_clocks(struct dj_perfetto_reader *reader)
{
    struct dj_event event = dj_event_make(DJ_EVENT_CLOCK);
    event.other_name = get_clock_name(reader->clocks.main);
    if (reader->clocks.main == DJ_PF_MONOTONIC) {
        event.name = event.other_name;
        event.at_ns = event.value = reader->block_count > 0 ? reader->earliest[0] : 0;
    }
    dj_perfetto_send_event(reader, &event);
    event.value_2 = APART_NS;
    for (size_t i = 0; i < COUNT_OF(clock_names); i++) {
        const struct dj_perfetto_clock *clock =
            dj_perfetto_clocks_find(&reader->clocks, clock_names[i].clock);
        event.name = dj_str_of(clock_names[i].name);
        if (clock != NULL) {
            report_pairs(reader, clock, &event);
        }
    }
}
