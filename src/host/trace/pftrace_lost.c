#include "memory/memory.h"
#include "trace/pftrace_parts.h"

/* FtraceStats: count at the end of the trace. */
enum { PHASE_END = 2 };

/* Returns false if the loss has no CPU. */
static bool count_loss(struct dj_pftrace *writer, int32_t cpu, uint64_t events)
{
    if (cpu < 0 || cpu >= DJ_CPUS_MOST) {
        return false;
    }
    DJ_XEXTEND(writer->lost, writer->lost_count, (size_t)cpu + 1);
    writer->lost[cpu].events += events;
    writer->lost[cpu].untold = true;
    return true;
}

/* The next bundle marks the place of a loss, and the end of the trace has the number: a
 * bundle has no field for it. */
void dj_pf_put_lost(struct dj_pftrace *writer, const struct dj_event *event)
{
    uint64_t events = event->value > 0 ? (uint64_t)event->value : 1;
    if (count_loss(writer, event->cpu, events)) {
        dj_pf_end_bundle(writer);
    } else {
        writer->lost_elsewhere += events;
        writer->dropped = true;
    }
}

void dj_pf_put_untold(struct dj_pftrace *writer, int32_t cpu)
{
    if ((size_t)cpu < writer->lost_count && writer->lost[cpu].untold) {
        writer->lost[cpu].untold = false;
        dj_proto_add_uint(&writer->out.text, DJ_PF_BUNDLE_LOST, 1);
    }
}

static void put_cpus(struct dj_pftrace *writer)
{
    struct dj_text *text = &writer->out.text;
    dj_pf_open(writer, DJ_PF_PACKET_FTRACE_STATS);
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
    dj_pf_close(writer);
}

static void put_elsewhere(struct dj_pftrace *writer)
{
    struct dj_text *text = &writer->out.text;
    dj_pf_open(writer, DJ_PF_PACKET_TRACE_STATS);
    size_t buffer = dj_proto_begin(text, DJ_PF_TRACE_STATS_BUFFER);
    dj_proto_add_uint(text, DJ_PF_BUFFER_PACKET_LOSS, writer->lost_elsewhere);
    dj_proto_end(text, buffer);
    dj_pf_close(writer);
}

void dj_pf_put_lost_sums(struct dj_pftrace *writer)
{
    for (size_t i = 0; i < writer->lost_count; i++) {
        if (writer->lost[i].untold) {
            dj_pf_open_bundle(writer, (int32_t)i);
        }
    }
    if (writer->lost_count > 0) {
        put_cpus(writer);
    }
    if (writer->lost_elsewhere > 0) {
        put_elsewhere(writer);
    }
}
