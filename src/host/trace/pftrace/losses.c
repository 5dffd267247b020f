#include "memory/memory.h"
#include "trace/pftrace/writer_private.h"

/* Value of the field `phase` of FtraceStats. It means that the counters are from the end
 * of the trace. */
enum { PHASE_END = 2 };

/* Adds lost events to the losses of a CPU. Returns false if the CPU is unknown. */
static bool count_loss(struct dj_trace_writer *writer, int32_t cpu, uint64_t events)
{
    if (cpu < 0 || cpu >= DJ_CPUS_MAX) {
        return false;
    }
    DJ_XEXTEND(writer->lost, writer->lost_count, (size_t)cpu + 1);
    writer->lost[cpu].events += events;
    writer->lost[cpu].is_pending = true;
    return true;
}

/* Adds a loss to the losses of its CPU. The next bundle of the CPU then reports that
 * events before it are lost. A bundle has no field for the number of lost events, so the
 * number is written at the end of the trace. */
void dj_pftrace_write_loss(struct dj_trace_writer *writer, const struct dj_event *event)
{
    uint64_t events = event->value > 0 ? (uint64_t)event->value : 1;
    if (count_loss(writer, event->cpu, events)) {
        dj_pftrace_close_bundle(writer);
    } else {
        writer->lost_without_cpu += events;
        writer->dropped = true;
    }
}

void dj_pftrace_write_pending_loss(struct dj_trace_writer *writer, int32_t cpu)
{
    if ((size_t)cpu < writer->lost_count && writer->lost[cpu].is_pending) {
        writer->lost[cpu].is_pending = false;
        dj_proto_add_uint(&writer->out.text, DJ_PF_BUNDLE_LOST, 1);
    }
}

static void write_cpu_totals(struct dj_trace_writer *writer)
{
    struct dj_text *text = &writer->out.text;
    dj_pftrace_open_message(writer, DJ_PF_PACKET_FTRACE_STATS);
    dj_proto_add_uint(text, DJ_PF_FTRACE_STATS_PHASE, PHASE_END);
    for (size_t i = 0; i < writer->lost_count; i++) {
        if (writer->lost[i].events == 0) {
            continue;
        }
        size_t cpu = dj_proto_begin(text, DJ_PF_FTRACE_STATS_CPU);
        dj_proto_add_uint(text, DJ_PF_CPU_STATS_CPU, i);
        dj_proto_add_uint(text, DJ_PF_CPU_STATS_OVERRUN, writer->lost[i].events);
        dj_proto_end(text, cpu);
    }
    dj_pftrace_close_message(writer);
}

static void write_other_total(struct dj_trace_writer *writer)
{
    struct dj_text *text = &writer->out.text;
    dj_pftrace_open_message(writer, DJ_PF_PACKET_TRACE_STATS);
    size_t buffer = dj_proto_begin(text, DJ_PF_TRACE_STATS_BUFFER);
    dj_proto_add_uint(text, DJ_PF_BUFFER_PACKET_LOSS, writer->lost_without_cpu);
    dj_proto_end(text, buffer);
    dj_pftrace_close_message(writer);
}

void dj_pftrace_write_loss_totals(struct dj_trace_writer *writer)
{
    for (size_t i = 0; i < writer->lost_count; i++) {
        if (writer->lost[i].is_pending) {
            dj_pftrace_open_bundle(writer, (int32_t)i);
        }
    }
    if (writer->lost_count > 0) {
        write_cpu_totals(writer);
    }
    if (writer->lost_without_cpu > 0) {
        write_other_total(writer);
    }
}
