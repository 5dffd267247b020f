#include "trace/text/ftrace.h"

#include "base/checked.h"
#include "memory/memory.h"

enum {
    CPUS = 1024,   /* Number of CPUs for which nested interrupts are counted. */
    TIMERS = 4096, /* Number of slots for timers. */
    /* A thread sleeps until its timer expires if it leaves the CPU within this time after
     * it has started the timer. */
    SOON_NS = 200000,
    /* A timer has woken a thread if the thread is woken at most EARLY_NS before and at
     * most LATE_NS after the time of the timer. */
    EARLY_NS = 200000,
    LATE_NS = 10000000
};

/* The timer that a thread has started last. Two threads may use the same slot. The later
 * timer then replaces the earlier one. */
struct timer {
    int64_t start_ns, due_ns;
    int32_t tid; /* Id of the thread, or 0 if the slot is empty. */
};

struct dj_interrupt_finder {
    /* For each CPU, the number of nested interrupts that it currently serves. */
    uint8_t depth[CPUS];
    struct timer timers[TIMERS];
};

struct dj_interrupt_finder *dj_interrupt_finder_create(void)
{
    return dj_xcalloc(1, sizeof(struct dj_interrupt_finder));
}

/* Returns the number of nested interrupts after the event. It is 0 after a switch,
 * because the kernel never switches threads in an interrupt. */
static uint8_t depth_after(uint8_t depth, enum dj_event_kind kind)
{
    switch (kind) {
    case DJ_EVENT_IRQ_BEGIN:
    case DJ_EVENT_SOFTIRQ_BEGIN:
    case DJ_EVENT_IPI_BEGIN:
        return depth < UINT8_MAX ? (uint8_t)(depth + 1) : depth;
    case DJ_EVENT_IRQ_END:
    case DJ_EVENT_SOFTIRQ_END:
    case DJ_EVENT_IPI_END:
        return depth > 0 ? (uint8_t)(depth - 1) : 0;
    case DJ_EVENT_SWITCH:
    case DJ_EVENT_LOST:
        return 0;
    default:
        return depth;
    }
}

static bool is_wake(const struct dj_event *event)
{
    return event->kind == DJ_EVENT_WAKING || event->kind == DJ_EVENT_WAKEUP;
}

/* Returns true if a timer of thread `other` expires at about the time of the event. The
 * times of timers are in CLOCK_MONOTONIC. Also removes the timer, even if the thread was
 * woken earlier. */
static bool is_expired(struct dj_interrupt_finder *finder, const struct dj_event *event)
{
    struct timer *timer = &finder->timers[(uint32_t)event->other % TIMERS];
    if (event->other <= 0 || timer->tid != event->other) {
        return false;
    }
    int64_t over_ns = dj_checked_subtract_saturated(event->at_ns, timer->due_ns);
    timer->tid = 0;
    return over_ns >= -EARLY_NS && over_ns <= LATE_NS;
}

static void start_timer(struct dj_interrupt_finder *finder, const struct dj_event *event)
{
    if (event->tid > 0) {
        finder->timers[(uint32_t)event->tid % TIMERS] = (struct timer){
            .start_ns = event->at_ns, .due_ns = event->value, .tid = event->tid};
    }
}

/* Handles a thread that leaves the CPU. If the thread has started its timer too long ago,
 * removes the timer, because the thread does not sleep until this timer expires. */
static void check_sleep(struct dj_interrupt_finder *finder, const struct dj_event *event)
{
    struct timer *timer = &finder->timers[(uint32_t)event->tid % TIMERS];
    if (timer->tid == event->tid &&
        dj_checked_subtract_saturated(event->at_ns, timer->start_ns) > SOON_NS) {
        timer->tid = 0;
    }
}

void dj_interrupt_finder_mark_event(struct dj_interrupt_finder *finder,
                                    struct dj_event *event)
{
    if (finder == NULL) {
        return;
    }
    uint8_t *depth =
        event->cpu >= 0 && event->cpu < CPUS ? &finder->depth[event->cpu] : NULL;
    bool within = depth != NULL && *depth > 0;
    if (is_wake(event)) {
        /* If the CPU is idle, only an interrupt can wake a thread. */
        bool expired = is_expired(finder, event);
        event->interrupted = within || expired || event->tid == 0;
    } else {
        event->interrupted = within && event->kind != DJ_EVENT_SWITCH;
    }
    if (event->kind == DJ_EVENT_TIMER_START && !within && event->state != DJ_TIMER_HARD) {
        start_timer(finder, event);
    } else if (event->kind == DJ_EVENT_SWITCH) {
        check_sleep(finder, event);
    }
    if (depth != NULL) {
        *depth = depth_after(*depth, event->kind);
    }
}
