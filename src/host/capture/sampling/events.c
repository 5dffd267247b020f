#include "capture/sampling/events.h"

#include <stdlib.h>
#include <unistd.h>

#include "capture/linux/tracefs.h"
#include "capture/sampling/record.h"
#include "process/deadline.h"

/* Sizes of rings. A ring of 2 MB stores the samples of about 120 ms at the default rate.
 * On machines with many CPUs, the rings are smaller. */
enum {
    RING_BYTES = 2 << 20,
    RING_BYTES_LEAST = 1 << 20,
    RING_BYTES_MOST = 16 << 20,
    ALL_RINGS_BYTES = 32 << 20
};

enum { WAIT_STACK_BYTES = 8192 };

int64_t dj_sampling_events_interval_ns(const struct dj_capture_stacks *wanted)
{
    int64_t rate_hz = wanted->rate_hz > 0 ? wanted->rate_hz : DJ_CAPTURE_STACK_RATE_HZ;
    return DJ_SECOND_NS / rate_hz;
}

/* Returns the number of bytes that are copied from each stack. The kernel requires a
 * multiple of 8. */
static uint32_t get_stack_bytes(const struct dj_capture_stacks *wanted)
{
    int64_t bytes =
        wanted->stack_bytes > 0 ? wanted->stack_bytes : DJ_CAPTURE_STACK_BYTES;
    return (uint32_t)bytes & ~UINT32_C(7);
}

static void set_ring_size(struct dj_perf *perf, const struct dj_capture_stacks *wanted)
{
    int64_t default_ns = DJ_SECOND_NS / DJ_CAPTURE_STACK_RATE_HZ;
    long cpus = sysconf(_SC_NPROCESSORS_CONF);
    int64_t usual = ALL_RINGS_BYTES / (cpus > 0 ? cpus : 1);
    usual = usual > RING_BYTES         ? RING_BYTES
            : usual < RING_BYTES_LEAST ? RING_BYTES_LEAST
                                       : usual;
    int64_t bytes = usual * get_stack_bytes(wanted) / DJ_CAPTURE_STACK_BYTES *
                    default_ns / dj_sampling_events_interval_ns(wanted);
    bytes = bytes < usual ? usual : bytes;
    dj_perf_rings_set_size_each(perf, bytes < RING_BYTES_MOST ? bytes : RING_BYTES_MOST);
}

/* Returns the attributes that all events with stacks have in common. */
static struct perf_event_attr describe_stacks(uint32_t stack_bytes)
{
    return (struct perf_event_attr){
        .sample_type = DJ_SAMPLE_TYPE,
        .sample_regs_user = DJ_STACKS_REGISTERS,
        .sample_stack_user = stack_bytes,
    };
}

static struct dj_perf_event describe_timer(const struct dj_sampling_events *events,
                                           enum dj_sampling_scope scope, pid_t pid)
{
    struct perf_event_attr attr = {.config = PERF_COUNT_SW_DUMMY};
    if (events->wanted.cpu) {
        attr = describe_stacks(get_stack_bytes(&events->wanted));
        attr.config = PERF_COUNT_SW_CPU_CLOCK;
        attr.sample_period = (uint64_t)dj_sampling_events_interval_ns(&events->wanted);
    }
    attr.type = PERF_TYPE_SOFTWARE;
    attr.inherit = scope != DJ_SAMPLING_MACHINE;
    attr.exclude_kernel = scope == DJ_SAMPLING_USER_THREADS;
    attr.exclude_idle = 1;
    /* Requests records about mappings, programs and threads, so that their changes come
     * in order. */
    attr.mmap = attr.mmap2 = attr.comm = attr.comm_exec = attr.task = 1;
    return (struct dj_perf_event){.pid = scope == DJ_SAMPLING_MACHINE ? -1 : pid,
                                  .attr = attr};
}

int dj_sampling_events_open(struct dj_sampling_events *events, struct dj_error *err)
{
    int code = DJ_E_OWNER;
    for (int scope = 0; scope < DJ_SAMPLING_SCOPES && code != 0; scope++) {
        const struct dj_perf_event event =
            describe_timer(events, (enum dj_sampling_scope)scope, getpid());
        set_ring_size(&events->cpu, &events->wanted);
        code = dj_perf_rings_add_event(&events->cpu, &event, err);
        events->scope = (enum dj_sampling_scope)scope;
        if (code != 0 || scope != DJ_SAMPLING_MACHINE) {
            dj_perf_rings_finish(&events->cpu);
        }
    }
    events->is_open = code == 0;
    return code;
}

int dj_sampling_events_add_thread(struct dj_sampling_events *events, pid_t tid,
                                  struct dj_error *err)
{
    const struct dj_perf_event event = describe_timer(events, events->scope, tid);
    return events->scope == DJ_SAMPLING_MACHINE
               ? 0
               : dj_perf_rings_add_event(&events->cpu, &event, err);
}

int dj_sampling_events_open_waits(struct dj_sampling_events *events, struct dj_error *err)
{
    struct dj_text id = {0};
    int root;
    int code = dj_tracefs_open(&root, err);
    if (code == 0) {
        code = dj_tracefs_read(root, "events/sched/sched_switch/id", &id, err);
        close(root);
    }
    events->tracepoint = code == 0 ? (uint32_t)strtoul(dj_text_get(&id), NULL, 10) : 0;
    dj_text_finish(&id);
    set_ring_size(&events->waits, &events->wanted);
    events->wanted.waits = code == 0;
    return code;
}

int dj_sampling_events_add_waits(struct dj_sampling_events *events, pid_t tid,
                                 struct dj_error *err)
{
    struct perf_event_attr attr = describe_stacks(WAIT_STACK_BYTES);
    attr.type = PERF_TYPE_TRACEPOINT;
    attr.config = events->tracepoint;
    attr.sample_period = 1;
    attr.inherit = 1;
    /* A thread that was preempted has none of these bits in its state. */
    const struct dj_perf_event event = {
        .pid = tid, .attr = attr, .filter = "prev_state & 127"};
    return events->tracepoint == 0 ? 0
                                   : dj_perf_rings_add_event(&events->waits, &event, err);
}

void dj_sampling_events_enable(const struct dj_sampling_events *events, bool on)
{
    dj_perf_rings_enable(&events->cpu, on);
    dj_perf_rings_enable(&events->waits, on);
}

void dj_sampling_events_close(struct dj_sampling_events *events)
{
    dj_perf_rings_finish(&events->cpu);
    dj_perf_rings_finish(&events->waits);
}
