#include "capture/linux/kernel_events.h"

#include <stdio.h>
#include <string.h>

#include "capture/linux/tracefs.h"

#define SCHED "sched"
/* A timer that an interrupt starts belongs to no thread (TRACE_FLAG_HARDIRQ and
 * TRACE_FLAG_SOFTIRQ), for example the timer of sampled call stacks. Neither does a timer
 * of the kernel itself (HRTIMER_MODE_HARD). */
#define OF_THREADS "!(common_flags & 24) && !(mode & 8)"

static const struct dj_kernel_event events[] = {
    {SCHED, "sched", "sched_switch",
     "what threads did: the kernel reports no thread switches", NULL},
    {SCHED, "sched", "sched_waking",
     "which thread woke another: the kernel reports no wake-ups", NULL},
    {SCHED, "sched", "sched_wakeup_new", NULL, NULL},
    {SCHED, "sched", "sched_blocked_reason", NULL, NULL},
    {SCHED, "sched", "sched_process_exit", NULL, NULL},
    {SCHED, "task", "task_newtask", NULL, NULL},
    {SCHED, "task", "task_rename", NULL, NULL},
    {SCHED, "timer", "hrtimer_start",
     "whether a timer was late: the kernel reports no timers", OF_THREADS},
    {"irq", "irq", "irq_handler_entry", NULL, NULL},
    {"irq", "irq", "irq_handler_exit", NULL, NULL},
    {"irq", "irq", "softirq_entry", NULL, NULL},
    {"irq", "irq", "softirq_exit", NULL, NULL},
    {"disk", "block", "block_rq_issue",
     "which device a thread waited for: the kernel reports no disk requests", NULL},
    {"disk", "block", "block_rq_complete", NULL, NULL},
    {"freq", "power", "cpu_frequency", NULL, NULL},
    {"freq", "power", "cpu_frequency_limits", NULL, NULL},
    {"freq", "power", "gpu_frequency", NULL, NULL},
    {"idle", "power", "cpu_idle", NULL, NULL},
    {"thermal", "thermal", "thermal_temperature", NULL, NULL},
    {"thermal", "thermal", "cdev_update", NULL, NULL},
    {"memory", "vmscan", "mm_vmscan_direct_reclaim_begin", NULL, NULL},
    {"memory", "vmscan", "mm_vmscan_direct_reclaim_end", NULL, NULL},
    {"binder", "binder", "binder_transaction", NULL, NULL},
    {"binder", "binder", "binder_transaction_received", NULL, NULL},
    {"gpu", "dma_fence", "dma_fence_wait_start", NULL, NULL},
    {"gpu", "dma_fence", "dma_fence_wait_end", NULL, NULL},
    {"gpu", "dma_fence", "dma_fence_signaled", NULL, NULL},
    {"gpu", "drm", "drm_vblank_event", NULL, NULL},
};

static bool is_category(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(events); i++) {
        if (strcmp(events[i].category, name) == 0) {
            return true;
        }
    }
    return false;
}

static void list_categories(struct dj_text *text)
{
    const char *last = "";
    for (size_t i = 0; i < COUNT_OF(events); i++) {
        if (strcmp(events[i].category, last) != 0) {
            dj_text_format(text, "%s%s", last[0] != '\0' ? ", " : "", events[i].category);
            last = events[i].category;
        }
    }
}

int dj_capture_check_categories(const struct dj_capture_plan *plan, struct dj_error *err)
{
    for (size_t i = 0; i < plan->category_count; i++) {
        if (!is_category(plan->categories[i])) {
            struct dj_text known = {0};
            list_categories(&known);
            dj_error_set(err, DJ_E_USAGE,
                         "unknown category '%s' (categories of this machine: %s)",
                         plan->categories[i], dj_text_get(&known));
            dj_text_finish(&known);
            return DJ_E_USAGE;
        }
    }
    return 0;
}

static bool is_requested(const struct dj_capture_plan *plan,
                         const struct dj_kernel_event *event)
{
    for (size_t i = 0; i < plan->category_count; i++) {
        if (strcmp(plan->categories[i], event->category) == 0) {
            return true;
        }
    }
    return plan->category_count == 0 || strcmp(event->category, SCHED) == 0;
}

const struct dj_kernel_event *
dj_kernel_events_find_next(const struct dj_capture_plan *plan,
                           const struct dj_kernel_event *event)
{
    const struct dj_kernel_event *next = event == NULL ? events : event + 1;
    while (next < events + COUNT_OF(events) && !is_requested(plan, next)) {
        next++;
    }
    return next < events + COUNT_OF(events) ? next : NULL;
}

int dj_kernel_events_read_file(int dir, const struct dj_kernel_event *event,
                               const char *file, struct dj_text *text)
{
    char path[128];
    snprintf(path, sizeof(path), "events/%s/%s/%s", event->group, event->name, file);
    return dj_tracefs_read(dir, path, text, NULL);
}
