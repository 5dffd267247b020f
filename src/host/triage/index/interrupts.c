#include "triage/index/interrupts.h"

#include <string.h>

#include "base/compare.h"
#include "trace/event.h"

enum { LOOK_BACK = 32, RECENT_NS = 200000 };

static const struct {
    const char *word;
    enum dj_triage_interrupt_kind kind;
} handlers[] = {
    {"timer", DJ_INTERRUPT_TIMER},      {"nvme", DJ_INTERRUPT_BLOCK},
    {"ahci", DJ_INTERRUPT_BLOCK},       {"ufshcd", DJ_INTERRUPT_BLOCK},
    {"mmc", DJ_INTERRUPT_BLOCK},        {"-req.", DJ_INTERRUPT_BLOCK},
    {"scsi", DJ_INTERRUPT_BLOCK},       {"eth", DJ_INTERRUPT_NETWORK},
    {"wlan", DJ_INTERRUPT_NETWORK},     {"-input.", DJ_INTERRUPT_NETWORK},
    {"-output.", DJ_INTERRUPT_NETWORK}, {"iwlwifi", DJ_INTERRUPT_NETWORK},
    {"i915", DJ_INTERRUPT_GPU},         {"amdgpu", DJ_INTERRUPT_GPU},
    {"nvidia", DJ_INTERRUPT_GPU},       {"kgsl", DJ_INTERRUPT_GPU},
    {"mali", DJ_INTERRUPT_GPU},         {"panfrost", DJ_INTERRUPT_GPU},
    {"msm_drm", DJ_INTERRUPT_GPU},
};

static enum dj_triage_interrupt_kind get_handler_kind(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(handlers); i++) {
        if (strcasestr(name, handlers[i].word) != NULL) {
            return handlers[i].kind;
        }
    }
    return DJ_INTERRUPT_OTHER;
}

/* For each vector of the softirqs, in the order of the kernel's numbers, what raised it.
 * The softirqs SCHED and RCU do not wake sleeping threads. If a thread is woken during
 * one of them, a timer interrupt has woken it that the trace does not contain. */
static const enum dj_triage_interrupt_kind vectors[] = {
    DJ_INTERRUPT_OTHER,   /* Softirq HI. */
    DJ_INTERRUPT_TIMER,   /* Softirq TIMER. */
    DJ_INTERRUPT_NETWORK, /* Softirq NET_TX. */
    DJ_INTERRUPT_NETWORK, /* Softirq NET_RX. */
    DJ_INTERRUPT_BLOCK,   /* Softirq BLOCK. */
    DJ_INTERRUPT_BLOCK,   /* Softirq IRQ_POLL. */
    DJ_INTERRUPT_OTHER,   /* Softirq TASKLET. */
    DJ_INTERRUPT_TIMER,   /* Softirq SCHED. */
    DJ_INTERRUPT_TIMER,   /* Softirq HRTIMER. */
    DJ_INTERRUPT_TIMER,   /* Softirq RCU. */
};

static enum dj_triage_interrupt_kind get_vector_kind(int64_t vector)
{
    return vector >= 0 && vector < (int64_t)COUNT_OF(vectors) ? vectors[vector]
                                                              : DJ_INTERRUPT_OTHER;
}

static bool is_end(const struct dj_trace_mark *mark)
{
    return mark->kind == DJ_EVENT_IRQ_END || mark->kind == DJ_EVENT_SOFTIRQ_END ||
           mark->kind == DJ_EVENT_IPI_END;
}

static bool is_begin(const struct dj_trace_mark *mark)
{
    return mark->kind == DJ_EVENT_IRQ_BEGIN || mark->kind == DJ_EVENT_SOFTIRQ_BEGIN ||
           mark->kind == DJ_EVENT_IPI_BEGIN;
}

/* Returns the innermost interrupt that the CPU served at `at_ns`, or NULL. Ends of
 * interrupts at exactly `at_ns` are treated as later, because the times of text traces
 * are rounded to microseconds. */
static const struct dj_trace_mark *find_served(const struct dj_triage_index *index,
                                               const struct dj_triage_cpu *cpu,
                                               int64_t at_ns)
{
    struct dj_triage_range own = cpu->marks;
    size_t at = dj_triage_find_mark_after(index, index->marks, own, at_ns);
    size_t ended = 0;
    for (size_t i = 0; i < LOOK_BACK && at > own.from; i++) {
        const struct dj_trace_mark *mark = &index->trace->marks[index->marks[--at]];
        if (is_end(mark) && mark->at_ns < at_ns) {
            ended++;
        } else if (is_begin(mark) && ended > 0) {
            ended--;
        } else if (is_begin(mark)) {
            return mark;
        }
    }
    return NULL;
}

/* Returns true if a device of this kind interrupted the CPU in the RECENT_NS before
 * `at_ns`. */
static bool was_raised_recently(const struct dj_triage_index *index,
                                const struct dj_triage_cpu *cpu, int64_t at_ns,
                                enum dj_triage_interrupt_kind kind)
{
    struct dj_triage_range own = cpu->marks;
    size_t at = dj_triage_find_mark_after(index, index->marks, own, at_ns);
    for (size_t i = 0; i < LOOK_BACK && at > own.from; i++) {
        const struct dj_trace_mark *mark = &index->trace->marks[index->marks[--at]];
        if (mark->at_ns < at_ns - RECENT_NS) {
            return false;
        }
        if (mark->kind == DJ_EVENT_IRQ_BEGIN && get_handler_kind(mark->name) == kind) {
            return true;
        }
    }
    return false;
}

struct dj_triage_interrupt dj_triage_find_interrupt(const struct dj_triage_index *index,
                                                    const struct dj_trace_state *woken)
{
    const struct dj_triage_cpu *cpu = dj_triage_find_cpu(index, woken->waker_cpu);
    if (!index->has_interrupts) {
        return (struct dj_triage_interrupt){.kind = DJ_INTERRUPT_TIMER};
    }
    if (cpu == NULL) {
        return (struct dj_triage_interrupt){.kind = DJ_INTERRUPT_UNKNOWN};
    }
    const struct dj_trace_mark *served = find_served(index, cpu, woken->start_ns);
    if (served == NULL) {
        return (struct dj_triage_interrupt){.kind = DJ_INTERRUPT_TIMER};
    }
    if (served->kind != DJ_EVENT_SOFTIRQ_BEGIN) {
        return (struct dj_triage_interrupt){get_handler_kind(served->name), served->name,
                                            true};
    }
    enum dj_triage_interrupt_kind kind = get_vector_kind(served->value);
    return (struct dj_triage_interrupt){
        .kind = kind, .hard = was_raised_recently(index, cpu, woken->start_ns, kind)};
}

/* Returns the index of the first event in trace->marks at `at_ns` or later. */
static size_t find_first_mark(const struct dj_trace *trace, int64_t at_ns)
{
    size_t from = 0;
    size_t to = trace->mark_count;
    DJ_SEARCH(from, to, middle, trace->marks[middle].at_ns < at_ns);
    return from;
}

bool dj_triage_is_disk_active(const struct dj_triage_index *index,
                              const struct dj_trace_state *sleep)
{
    const struct dj_trace *trace = index->trace;
    for (size_t i = find_first_mark(trace, sleep->start_ns - RECENT_NS);
         i < trace->mark_count && trace->marks[i].at_ns <= sleep->end_ns; i++) {
        if (trace->marks[i].kind == DJ_EVENT_BLOCK_ISSUE ||
            trace->marks[i].kind == DJ_EVENT_BLOCK_COMPLETE) {
            return true;
        }
    }
    return false;
}

uint32_t dj_triage_count_disk_requests(const struct dj_triage_index *index, uint32_t tid,
                                       int64_t from_ns, int64_t to_ns)
{
    const struct dj_trace *trace = index->trace;
    uint32_t count = 0;
    for (size_t i = find_first_mark(trace, from_ns);
         i < trace->mark_count && trace->marks[i].at_ns <= to_ns; i++) {
        count += trace->marks[i].kind == DJ_EVENT_BLOCK_ISSUE &&
                 trace->marks[i].tid == (int32_t)tid;
    }
    return count;
}
