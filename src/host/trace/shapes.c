#include "trace/shapes.h"

#define WAKE_FIELDS                                                                      \
    {                                                                                    \
        {"comm", NULL, 1, DJ_SLOT_OTHER_NAME}, {"pid", NULL, 2, DJ_SLOT_OTHER},          \
        {                                                                                \
            "target_cpu", NULL, 5, DJ_SLOT_VALUE                                         \
        }                                                                                \
    }

#define FENCE_FIELDS                                                                     \
    {                                                                                    \
        {"driver", NULL, 2, DJ_SLOT_OTHER_NAME}, {"timeline", NULL, 4, DJ_SLOT_NAME},    \
            {"context", NULL, 1, DJ_SLOT_VALUE},                                         \
        {                                                                                \
            "seqno", NULL, 3, DJ_SLOT_VALUE_2                                            \
        }                                                                                \
    }

static const struct dj_shape shapes[] = {
    {"sched_switch",
     4,
     DJ_EVENT_SWITCH,
     {{"prev_comm", NULL, 1, DJ_SLOT_TASK},
      {"prev_state", NULL, 4, DJ_SLOT_STATE},
      {"next_comm", NULL, 5, DJ_SLOT_OTHER_NAME},
      {"next_pid", NULL, 6, DJ_SLOT_OTHER}}},
    {"sched_waking", 20, DJ_EVENT_WAKING, WAKE_FIELDS},
    {"sched_wakeup", 17, DJ_EVENT_WAKEUP, WAKE_FIELDS},
    {"sched_wakeup_new", 114, DJ_EVENT_WAKE_NEW, WAKE_FIELDS},
    {"sched_blocked_reason",
     18,
     DJ_EVENT_BLOCKED,
     {{"pid", NULL, 1, DJ_SLOT_OTHER},
      {"caller", NULL, 2, DJ_SLOT_NAME},
      {"io_wait", "iowait", 3, DJ_SLOT_VALUE}}},
    {"task_newtask",
     235,
     DJ_EVENT_NEW_TASK,
     {{"pid", NULL, 1, DJ_SLOT_OTHER},
      {"comm", NULL, 2, DJ_SLOT_OTHER_NAME},
      {"clone_flags", NULL, 3, DJ_SLOT_BITS}}},
    {"task_rename",
     236,
     DJ_EVENT_RENAME,
     {{"pid", NULL, 1, DJ_SLOT_OTHER}, {"newcomm", NULL, 3, DJ_SLOT_OTHER_NAME}}},
    {"sched_process_exit",
     238,
     DJ_EVENT_EXIT,
     {{"comm", NULL, 1, DJ_SLOT_OTHER_NAME}, {"pid", NULL, 2, DJ_SLOT_OTHER}}},
    {"cpu_frequency",
     11,
     DJ_EVENT_FREQUENCY,
     {{"state", NULL, 1, DJ_SLOT_VALUE}, {"cpu_id", NULL, 2, DJ_SLOT_CPU}}},
    {"cpu_frequency_limits",
     12,
     DJ_EVENT_LIMITS,
     {{"min_freq", "min", 1, DJ_SLOT_VALUE},
      {"max_freq", "max", 2, DJ_SLOT_VALUE_2},
      {"cpu_id", NULL, 3, DJ_SLOT_CPU}}},
    {"cpu_idle",
     13,
     DJ_EVENT_IDLE,
     {{"state", NULL, 1, DJ_SLOT_VALUE}, {"cpu_id", NULL, 2, DJ_SLOT_CPU}}},
    {"gpu_frequency",
     332,
     DJ_EVENT_GPU_FREQUENCY,
     {{"gpu_id", NULL, 1, DJ_SLOT_VALUE_2}, {"state", NULL, 2, DJ_SLOT_VALUE}}},
    {"thermal_temperature",
     341,
     DJ_EVENT_THERMAL,
     {{"temp", NULL, 2, DJ_SLOT_VALUE}, {"thermal_zone", NULL, 4, DJ_SLOT_NAME}}},
    {"cdev_update",
     342,
     DJ_EVENT_COOLING,
     {{"target", NULL, 1, DJ_SLOT_VALUE}, {"type", NULL, 2, DJ_SLOT_NAME}}},
    {"irq_handler_entry",
     36,
     DJ_EVENT_IRQ_BEGIN,
     {{"irq", NULL, 1, DJ_SLOT_VALUE}, {"name", NULL, 2, DJ_SLOT_NAME}}},
    {"irq_handler_exit", 37, DJ_EVENT_IRQ_END, {{"irq", NULL, 1, DJ_SLOT_VALUE}}},
    {"softirq_entry", 24, DJ_EVENT_SOFTIRQ_BEGIN, {{"vec", NULL, 1, DJ_SLOT_VALUE}}},
    {"softirq_exit", 25, DJ_EVENT_SOFTIRQ_END, {{"vec", NULL, 1, DJ_SLOT_VALUE}}},
    {"hrtimer_start",
     0,
     DJ_EVENT_TIMER_START,
     {{"softexpires", NULL, 0, DJ_SLOT_VALUE}, {"expires", NULL, 0, DJ_SLOT_VALUE_2}}},
    {"mm_vmscan_direct_reclaim_begin", 46, DJ_EVENT_RECLAIM_BEGIN, {{0}}},
    {"mm_vmscan_direct_reclaim_end", 47, DJ_EVENT_RECLAIM_END, {{0}}},
    {"block_rq_issue",
     45,
     DJ_EVENT_BLOCK_ISSUE,
     {{"dev", NULL, 1, DJ_SLOT_VALUE}, {"sector", NULL, 2, DJ_SLOT_VALUE_2}}},
    {"block_rq_complete",
     125,
     DJ_EVENT_BLOCK_COMPLETE,
     {{"dev", NULL, 1, DJ_SLOT_VALUE}, {"sector", NULL, 2, DJ_SLOT_VALUE_2}}},
    {"binder_transaction",
     50,
     DJ_EVENT_BINDER,
     {{"debug_id", "transaction", 1, DJ_SLOT_VALUE},
      {"to_proc", "dest_proc", 3, DJ_SLOT_VALUE_2},
      {"to_thread", "dest_thread", 4, DJ_SLOT_OTHER},
      {"reply", NULL, 5, DJ_SLOT_REPLY},
      {"flags", NULL, 7, DJ_SLOT_ONE_WAY}}},
    {"binder_transaction_received",
     51,
     DJ_EVENT_BINDER_RECEIVED,
     {{"debug_id", "transaction", 1, DJ_SLOT_VALUE}}},
    {"ipi_entry", 21, DJ_EVENT_IPI_BEGIN, {{"reason", NULL, 1, DJ_SLOT_NAME}}},
    {"ipi_exit", 22, DJ_EVENT_IPI_END, {{"reason", NULL, 1, DJ_SLOT_NAME}}},
    {"dma_fence_init", 414, DJ_EVENT_FENCE_MADE, FENCE_FIELDS},
    {"dma_fence_emit", 415, DJ_EVENT_FENCE_EMITTED, FENCE_FIELDS},
    {"dma_fence_signaled", 416, DJ_EVENT_FENCE_SIGNALED, FENCE_FIELDS},
    {"dma_fence_wait_start", 417, DJ_EVENT_FENCE_WAIT_BEGIN, FENCE_FIELDS},
    {"dma_fence_wait_end", 418, DJ_EVENT_FENCE_WAIT_END, FENCE_FIELDS},
    /* As they were called in Linux 4.9. */
    {"fence_init", 316, DJ_EVENT_FENCE_MADE, FENCE_FIELDS},
    {"fence_emit", 0, DJ_EVENT_FENCE_EMITTED, FENCE_FIELDS},
    {"fence_signaled", 319, DJ_EVENT_FENCE_SIGNALED, FENCE_FIELDS},
    {"fence_wait_start", 0, DJ_EVENT_FENCE_WAIT_BEGIN, FENCE_FIELDS},
    {"fence_wait_end", 0, DJ_EVENT_FENCE_WAIT_END, FENCE_FIELDS},
};

enum { SHAPES = COUNT_OF(shapes) };

const struct dj_shape *dj_shape_find(const char *name, size_t length)
{
    for (size_t i = 0; i < SHAPES; i++) {
        if (dj_str_is((struct dj_str){name, length}, shapes[i].name)) {
            return &shapes[i];
        }
    }
    return NULL;
}

const struct dj_shape *dj_shape_find_number(uint32_t number)
{
    for (size_t i = 0; i < SHAPES && number != 0; i++) {
        if (shapes[i].number == number) {
            return &shapes[i];
        }
    }
    return NULL;
}

const struct dj_shape *dj_shape_find_kind(enum dj_event_kind kind)
{
    for (size_t i = 0; i < SHAPES; i++) {
        if (shapes[i].kind == kind) {
            return &shapes[i];
        }
    }
    return NULL;
}
