#include "trace/kernel/tracepoints.h"

static const struct dj_tracepoint tracepoints[] = {
    {"sched_switch", 4, DJ_EVENT_SWITCH},
    {"sched_waking", 20, DJ_EVENT_WAKING},
    {"sched_wakeup", 17, DJ_EVENT_WAKEUP},
    {"sched_wakeup_new", 114, DJ_EVENT_WAKE_NEW},
    {"sched_blocked_reason", 18, DJ_EVENT_BLOCKED},
    {"task_newtask", 235, DJ_EVENT_NEW_TASK},
    {"task_rename", 236, DJ_EVENT_RENAME},
    {"sched_process_exit", 238, DJ_EVENT_EXIT},
    {"cpu_frequency", 11, DJ_EVENT_FREQUENCY},
    {"cpu_frequency_limits", 12, DJ_EVENT_LIMITS},
    {"cpu_idle", 13, DJ_EVENT_IDLE},
    {"gpu_frequency", 332, DJ_EVENT_GPU_FREQUENCY},
    {"thermal_temperature", 341, DJ_EVENT_THERMAL},
    {"cdev_update", 342, DJ_EVENT_COOLING},
    {"irq_handler_entry", 36, DJ_EVENT_IRQ_BEGIN},
    {"irq_handler_exit", 37, DJ_EVENT_IRQ_END},
    {"softirq_entry", 24, DJ_EVENT_SOFTIRQ_BEGIN},
    {"softirq_exit", 25, DJ_EVENT_SOFTIRQ_END},
    {"hrtimer_start", 0, DJ_EVENT_TIMER_START},
    {"mm_vmscan_direct_reclaim_begin", 46, DJ_EVENT_RECLAIM_BEGIN},
    {"mm_vmscan_direct_reclaim_end", 47, DJ_EVENT_RECLAIM_END},
    {"block_rq_issue", 45, DJ_EVENT_BLOCK_ISSUE},
    {"block_rq_complete", 125, DJ_EVENT_BLOCK_COMPLETE},
    {"binder_transaction", 50, DJ_EVENT_BINDER},
    {"binder_transaction_received", 51, DJ_EVENT_BINDER_RECEIVED},
    {"ipi_entry", 21, DJ_EVENT_IPI_BEGIN},
    {"ipi_exit", 22, DJ_EVENT_IPI_END},
    {"dma_fence_init", 414, DJ_EVENT_FENCE_MADE},
    {"dma_fence_emit", 415, DJ_EVENT_FENCE_EMITTED},
    {"dma_fence_signaled", 416, DJ_EVENT_FENCE_SIGNALED},
    {"dma_fence_wait_start", 417, DJ_EVENT_FENCE_WAIT_BEGIN},
    {"dma_fence_wait_end", 418, DJ_EVENT_FENCE_WAIT_END},
    /* Names of the same events in Linux 4.9. */
    {"fence_init", 316, DJ_EVENT_FENCE_MADE},
    {"fence_emit", 0, DJ_EVENT_FENCE_EMITTED},
    {"fence_signaled", 319, DJ_EVENT_FENCE_SIGNALED},
    {"fence_wait_start", 0, DJ_EVENT_FENCE_WAIT_BEGIN},
    {"fence_wait_end", 0, DJ_EVENT_FENCE_WAIT_END},
};

/* A field that has the same name in all kernels. */
#define FIELD(name, number, slot)                                                        \
    {                                                                                    \
        (name), (number), (slot), NULL                                                   \
    }

#define WAKE_FIELDS                                                                      \
    FIELD("comm", 1, DJ_SLOT_OTHER_NAME), FIELD("pid", 2, DJ_SLOT_OTHER),                \
        FIELD("target_cpu", 5, DJ_SLOT_VALUE)

#define FENCE_FIELDS                                                                     \
    FIELD("driver", 2, DJ_SLOT_OTHER_NAME), FIELD("timeline", 4, DJ_SLOT_NAME),          \
        FIELD("context", 1, DJ_SLOT_VALUE), FIELD("seqno", 3, DJ_SLOT_VALUE_2)

const struct dj_tracepoint_field
    dj_tracepoint_fields[DJ_EVENT_KINDS][DJ_TRACEPOINT_FIELDS] = {
        [DJ_EVENT_SWITCH] = {FIELD("prev_comm", 1, DJ_SLOT_TASK),
                             FIELD("prev_state", 4, DJ_SLOT_STATE),
                             FIELD("next_comm", 5, DJ_SLOT_OTHER_NAME),
                             FIELD("next_pid", 6, DJ_SLOT_OTHER)},
        [DJ_EVENT_WAKING] = {WAKE_FIELDS},
        [DJ_EVENT_WAKEUP] = {WAKE_FIELDS},
        [DJ_EVENT_WAKE_NEW] = {WAKE_FIELDS},
        [DJ_EVENT_BLOCKED] = {FIELD("pid", 1, DJ_SLOT_OTHER),
                              FIELD("caller", 2, DJ_SLOT_NAME),
                              {"io_wait", 3, DJ_SLOT_VALUE, "iowait"}},
        [DJ_EVENT_NEW_TASK] = {FIELD("pid", 1, DJ_SLOT_OTHER),
                               FIELD("comm", 2, DJ_SLOT_OTHER_NAME),
                               FIELD("clone_flags", 3, DJ_SLOT_BITS)},
        [DJ_EVENT_RENAME] = {FIELD("pid", 1, DJ_SLOT_OTHER),
                             FIELD("newcomm", 3, DJ_SLOT_OTHER_NAME)},
        [DJ_EVENT_EXIT] = {FIELD("comm", 1, DJ_SLOT_OTHER_NAME),
                           FIELD("pid", 2, DJ_SLOT_OTHER)},
        [DJ_EVENT_FREQUENCY] = {FIELD("state", 1, DJ_SLOT_VALUE),
                                FIELD("cpu_id", 2, DJ_SLOT_CPU)},
        [DJ_EVENT_LIMITS] = {{"min_freq", 1, DJ_SLOT_VALUE, "min"},
                             {"max_freq", 2, DJ_SLOT_VALUE_2, "max"},
                             FIELD("cpu_id", 3, DJ_SLOT_CPU)},
        [DJ_EVENT_IDLE] = {FIELD("state", 1, DJ_SLOT_VALUE),
                           FIELD("cpu_id", 2, DJ_SLOT_CPU)},
        [DJ_EVENT_GPU_FREQUENCY] = {FIELD("gpu_id", 1, DJ_SLOT_VALUE_2),
                                    FIELD("state", 2, DJ_SLOT_VALUE)},
        [DJ_EVENT_THERMAL] = {FIELD("temp", 2, DJ_SLOT_VALUE),
                              FIELD("thermal_zone", 4, DJ_SLOT_NAME)},
        [DJ_EVENT_COOLING] = {FIELD("target", 1, DJ_SLOT_VALUE),
                              FIELD("type", 2, DJ_SLOT_NAME)},
        [DJ_EVENT_IRQ_BEGIN] = {FIELD("irq", 1, DJ_SLOT_VALUE),
                                FIELD("name", 2, DJ_SLOT_NAME)},
        [DJ_EVENT_IRQ_END] = {FIELD("irq", 1, DJ_SLOT_VALUE)},
        [DJ_EVENT_SOFTIRQ_BEGIN] = {FIELD("vec", 1, DJ_SLOT_VALUE)},
        [DJ_EVENT_SOFTIRQ_END] = {FIELD("vec", 1, DJ_SLOT_VALUE)},
        [DJ_EVENT_TIMER_START] = {FIELD("softexpires", 0, DJ_SLOT_VALUE),
                                  FIELD("expires", 0, DJ_SLOT_VALUE_2),
                                  FIELD("mode", 0, DJ_SLOT_TIMER)},
        [DJ_EVENT_BLOCK_ISSUE] = {FIELD("dev", 1, DJ_SLOT_VALUE),
                                  FIELD("sector", 2, DJ_SLOT_VALUE_2)},
        [DJ_EVENT_BLOCK_COMPLETE] = {FIELD("dev", 1, DJ_SLOT_VALUE),
                                     FIELD("sector", 2, DJ_SLOT_VALUE_2)},
        [DJ_EVENT_BINDER] = {{"debug_id", 1, DJ_SLOT_VALUE, "transaction"},
                             {"to_proc", 3, DJ_SLOT_VALUE_2, "dest_proc"},
                             {"to_thread", 4, DJ_SLOT_OTHER, "dest_thread"},
                             FIELD("reply", 5, DJ_SLOT_REPLY),
                             FIELD("flags", 7, DJ_SLOT_ONE_WAY)},
        [DJ_EVENT_BINDER_RECEIVED] = {{"debug_id", 1, DJ_SLOT_VALUE, "transaction"}},
        [DJ_EVENT_IPI_BEGIN] = {FIELD("reason", 1, DJ_SLOT_NAME)},
        [DJ_EVENT_IPI_END] = {FIELD("reason", 1, DJ_SLOT_NAME)},
        [DJ_EVENT_FENCE_MADE] = {FENCE_FIELDS},
        [DJ_EVENT_FENCE_EMITTED] = {FENCE_FIELDS},
        [DJ_EVENT_FENCE_SIGNALED] = {FENCE_FIELDS},
        [DJ_EVENT_FENCE_WAIT_BEGIN] = {FENCE_FIELDS},
        [DJ_EVENT_FENCE_WAIT_END] = {FENCE_FIELDS},
};

const struct dj_tracepoint *dj_tracepoint_find(struct dj_str name)
{
    for (size_t i = 0; i < COUNT_OF(tracepoints); i++) {
        if (dj_str_is(name, tracepoints[i].name)) {
            return &tracepoints[i];
        }
    }
    return NULL;
}

const struct dj_tracepoint *dj_tracepoint_find_number(uint32_t number)
{
    for (size_t i = 0; i < COUNT_OF(tracepoints) && number != 0; i++) {
        if (tracepoints[i].number == number) {
            return &tracepoints[i];
        }
    }
    return NULL;
}

const struct dj_tracepoint *dj_tracepoint_find_kind(enum dj_event_kind kind)
{
    for (size_t i = 0; i < COUNT_OF(tracepoints); i++) {
        if (tracepoints[i].kind == kind) {
            return &tracepoints[i];
        }
    }
    return NULL;
}

enum dj_event_slot dj_tracepoint_find_slot(enum dj_event_kind kind, struct dj_str name)
{
    const struct dj_tracepoint_field *fields = dj_tracepoint_fields[kind];
    for (size_t i = 0; i < DJ_TRACEPOINT_FIELDS && fields[i].name != NULL; i++) {
        if (dj_str_is(name, fields[i].name) ||
            (fields[i].old != NULL && dj_str_is(name, fields[i].old))) {
            return fields[i].slot;
        }
    }
    return DJ_SLOT_NONE;
}
