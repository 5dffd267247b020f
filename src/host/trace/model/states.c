#include "trace/model/states.h"

#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"

static const uint8_t state_after[] = {
    [DJ_TASK_UNKNOWN] = DJ_THREAD_UNKNOWN,   [DJ_TASK_RUNNABLE] = DJ_THREAD_PREEMPTED,
    [DJ_TASK_SLEEPING] = DJ_THREAD_SLEEPING, [DJ_TASK_BLOCKED] = DJ_THREAD_BLOCKED,
    [DJ_TASK_STOPPED] = DJ_THREAD_STOPPED,   [DJ_TASK_DEAD] = DJ_THREAD_DEAD,
    [DJ_TASK_RESTING] = DJ_THREAD_SLEEPING,
};

static bool is_asleep(uint8_t state)
{
    return state != DJ_THREAD_RUNNING && state != DJ_THREAD_RUNNABLE &&
           state != DJ_THREAD_PREEMPTED;
}

static int by_start(const void *a, const void *b)
{
    const struct dj_trace_state *left = a, *right = b;
    int order = DJ_COMPARE(left->start_ns, right->start_ns);
    order = order != 0 ? order : DJ_COMPARE(left->tid, right->tid);
    return order != 0 ? order : DJ_COMPARE(left->turn, right->turn);
}

static inline void add_state(struct dj_states *states, const struct dj_trace_state *state)
{
    if (states->trace->count_states) {
        states->rows.total++;
        return;
    }
    if (states->rows.row_bytes == 0) {
        states->rows =
            (struct dj_trace_rows){.row_bytes = sizeof(*state),
                                   .order = by_start,
                                   .memory_bytes = states->trace->memory_bytes};
    }
    dj_trace_rows_add(&states->rows, state);
}

/* Adds a state that has ended. A sleep is first stored in the thread, because the kernel
 * reports the reason of a sleep after its end. The sleep is added when the next sleep of
 * the thread ends. */
static inline void add_ended(struct dj_states *states, struct dj_live_thread *thread,
                             const struct dj_trace_state *ended)
{
    if (states->trace->count_states || !is_asleep(ended->state)) {
        add_state(states, ended);
        return;
    }
    if (thread->slept) {
        add_state(states, &thread->sleep);
    }
    thread->sleep = *ended;
    thread->slept = true;
}

/* Ends the current state of the thread and begins a new one. If at_ns is earlier than the
 * start of the current state, uses this start instead, so that no state has a negative
 * length. The function is always inlined, because each scheduler event changes one or two
 * states, and calls would take a third longer. */
__attribute__((always_inline)) static inline void
change_state(struct dj_states *states, struct dj_live_thread *thread, int64_t at_ns,
             enum dj_thread_state state)
{
    if (thread->seen) {
        at_ns = at_ns > thread->now.start_ns ? at_ns : thread->now.start_ns;
        thread->now.end_ns = at_ns;
        add_ended(states, thread, &thread->now);
    }
    thread->now = (struct dj_trace_state){.start_ns = at_ns,
                                          .tid = thread->known.tid,
                                          .cpu = thread->now.cpu,
                                          .turn = thread->now.turn + 1,
                                          .waker = -1,
                                          .waker_cpu = -1,
                                          .state = (uint8_t)state};
    thread->seen = true;
}

/* Adds a CPU. Returns NULL if its number is invalid. */
static struct dj_cpu_activity *add_cpu(struct dj_states *states, int32_t cpu)
{
    if (cpu < 0 || cpu >= DJ_CPUS_MAX) {
        return NULL;
    }
    DJ_XEXTEND(states->cpus, states->cpu_count, (size_t)cpu + 1);
    return &states->cpus[cpu];
}

static inline struct dj_cpu_activity *get_cpu(struct dj_states *states, int32_t cpu)
{
    return (uint32_t)cpu < states->cpu_count ? &states->cpus[cpu] : add_cpu(states, cpu);
}

/* Returns the thread that the CPU ran last, or NULL if this thread no longer runs on the
 * CPU. */
static struct dj_live_thread *find_running_thread(struct dj_states *states,
                                                  int32_t number,
                                                  const struct dj_cpu_activity *cpu)
{
    struct dj_live_thread *thread =
        cpu->tid > 0 ? dj_threads_get(states->threads, (uint32_t)cpu->tid) : NULL;
    return thread != NULL && thread->seen && thread->now.state == DJ_THREAD_RUNNING &&
                   thread->now.cpu == number
               ? thread
               : NULL;
}

/* Starts a thread on a CPU if no switch to this thread was recorded. If the CPU was idle
 * and the thread waited for a CPU, the thread is assumed to have started at once.
 * Otherwise the thread started at an unknown time after the last event of the CPU, so its
 * state until this event is unknown. */
static void start_without_switch(struct dj_states *states, const struct dj_event *event,
                                 const struct dj_cpu_activity *cpu,
                                 struct dj_live_thread *next)
{
    if (next == NULL) {
        return;
    }
    bool waited =
        next->seen && !is_asleep(next->now.state) && next->now.state != DJ_THREAD_RUNNING;
    bool at_once = waited && cpu->tid == 0 && !cpu->lost;
    if (!at_once && next->seen) {
        change_state(states, next, cpu->at_ns, DJ_THREAD_UNKNOWN);
    }
    if (at_once || event->kind != DJ_EVENT_SWITCH) {
        change_state(states, next, at_once ? cpu->at_ns : event->at_ns,
                     DJ_THREAD_RUNNING);
        next->now.cpu = event->cpu;
    }
}

/* Returns true if the event shows that the CPU runs another thread than the one that is
 * known to run. */
static inline bool misses_switch(const struct dj_cpu_activity *cpu,
                                 const struct dj_event *event)
{
    return cpu->known && cpu->tid != event->tid &&
           (event->kind == DJ_EVENT_SWITCH ||
            dj_event_shows_running_thread(event, cpu->tid));
}

static void repair_switch(struct dj_states *states, const struct dj_event *event,
                          struct dj_cpu_activity *cpu, struct dj_live_thread *actor)
{
    struct dj_live_thread *before = find_running_thread(states, event->cpu, cpu);
    states->trace->switches++;
    if (before != NULL) {
        change_state(states, before, cpu->at_ns, DJ_THREAD_UNKNOWN);
    }
    start_without_switch(states, event, cpu, actor);
    cpu->tid = event->tid;
}

static inline void handle_switch(struct dj_states *states, const struct dj_event *event,
                                 struct dj_cpu_activity *cpu, struct dj_live_thread *left,
                                 struct dj_live_thread *next)
{
    if (cpu != NULL) {
        cpu->known = true;
        cpu->tid = event->other;
    }
    if (left != NULL) {
        change_state(states, left, event->at_ns, state_after[event->state]);
        left->now.cpu = event->cpu;
    }
    if (next != NULL) {
        change_state(states, next, event->at_ns, DJ_THREAD_RUNNING);
        next->now.cpu = event->cpu;
    }
}

/* Ends the sleep of a thread. Does nothing if the thread does not sleep. */
static inline void handle_wakeup(struct dj_states *states, const struct dj_event *event,
                                 struct dj_live_thread *woken)
{
    if (woken == NULL || (woken->seen && !is_asleep(woken->now.state))) {
        return;
    }
    change_state(states, woken, event->at_ns, DJ_THREAD_RUNNABLE);
    woken->now.waker = event->tid;
    woken->now.waker_cpu = event->cpu;
    woken->now.interrupted = event->interrupted != 0;
}

/* Stores the reason of a sleep. The kernel reports the reason after the thread was woken.
 */
static void note_blocked(struct dj_states *states, const struct dj_event *event,
                         struct dj_live_thread *thread)
{
    if (thread == NULL) {
        return;
    }
    struct dj_trace_state *sleep = thread->seen && is_asleep(thread->now.state)
                                       ? &thread->now
                                   : thread->slept ? &thread->sleep
                                                   : NULL;
    if (sleep != NULL) {
        sleep->blocked_in =
            event->name.length > 0
                ? dj_trace_names_add(&states->trace->name_store, event->name)
                : NULL;
        sleep->state = event->value != 0 ? DJ_THREAD_BLOCKED_IO : sleep->state;
    }
}

/* Sets the thread that runs on the CPU. If no event has reported that the previous thread
 * left the CPU, counts a missing switch. */
static void replace_running(struct dj_states *states, const struct dj_event *event,
                            struct dj_cpu_activity *cpu)
{
    if (cpu == NULL) {
        return;
    }
    struct dj_live_thread *before = cpu->known && cpu->tid != event->other
                                        ? find_running_thread(states, event->cpu, cpu)
                                        : NULL;
    if (before != NULL) {
        states->trace->switches++;
        change_state(states, before, cpu->at_ns, DJ_THREAD_UNKNOWN);
    }
    cpu->known = true;
    cpu->tid = event->other;
}

/* Handles a change of a thread's state that was recorded without a switch. If a running
 * thread becomes runnable, it was preempted. */
static void handle_task(struct dj_states *states, const struct dj_event *event,
                        struct dj_cpu_activity *cpu, struct dj_live_thread *thread)
{
    bool runs = event->thread_state == DJ_THREAD_RUNNING;
    if (thread == NULL || event->thread_state >= DJ_THREAD_STATES) {
        return;
    }
    if (runs) {
        replace_running(states, event, cpu);
    }
    bool ran = thread->seen && thread->now.state == DJ_THREAD_RUNNING;
    bool waits = event->thread_state == DJ_THREAD_RUNNABLE;
    struct dj_cpu_activity *left = ran && !runs ? get_cpu(states, thread->now.cpu) : NULL;
    if (left != NULL && left->tid == event->other) {
        left->known = false; /* The thread that this CPU runs next is unknown. */
    }
    int32_t number = runs && event->cpu >= 0 ? event->cpu : thread->now.cpu;
    change_state(states, thread, event->at_ns,
                 waits && ran ? DJ_THREAD_PREEMPTED
                              : (enum dj_thread_state)event->thread_state);
    thread->now.cpu = number;
}

static inline void handle_event(struct dj_states *states, const struct dj_event *event,
                                struct dj_cpu_activity *cpu, struct dj_live_thread *actor,
                                struct dj_live_thread *target)
{
    switch (event->kind) {
    case DJ_EVENT_TASK:
        handle_task(states, event, cpu, target);
        break;
    case DJ_EVENT_SWITCH:
        handle_switch(states, event, cpu, actor, target);
        break;
    case DJ_EVENT_WAKING:
    case DJ_EVENT_WAKEUP:
    case DJ_EVENT_WAKE_NEW:
        handle_wakeup(states, event, target);
        break;
    case DJ_EVENT_BLOCKED:
        note_blocked(states, event, target);
        break;
    default:
        break;
    }
}

/* Adds an event. handle_event() adds no CPU to states->cpus, so the pointer `cpu` stays
 * valid. */
void dj_states_update(struct dj_states *states, const struct dj_event *event,
                      struct dj_live_thread *actor, struct dj_live_thread *target)
{
    struct dj_cpu_activity *cpu = get_cpu(states, event->cpu);
    if (cpu != NULL && misses_switch(cpu, event)) {
        repair_switch(states, event, cpu, actor);
    }
    handle_event(states, event, cpu, actor, target);
    if (cpu != NULL) {
        cpu->at_ns = event->at_ns > cpu->at_ns ? event->at_ns : cpu->at_ns;
        cpu->lost = false;
    }
}

void dj_states_note_loss(struct dj_states *states, int32_t number)
{
    if (number >= 0 && (size_t)number < states->cpu_count) {
        states->cpus[number].lost = true;
    }
}

/* Adds the states of a thread that are not added yet: its last sleep and its current
 * state. */
static void add_remaining(struct dj_states *states, struct dj_live_thread *thread,
                          int64_t last_ns)
{
    if (thread->slept) {
        add_state(states, &thread->sleep);
    }
    if (thread->seen && thread->now.state != DJ_THREAD_DEAD) {
        thread->now.open = true;
        thread->now.end_ns =
            last_ns > thread->now.start_ns ? last_ns : thread->now.start_ns;
        add_state(states, &thread->now);
    }
}

void dj_states_complete(struct dj_states *states, int64_t last_ns)
{
    struct dj_trace *trace = states->trace;
    struct dj_live_thread *thread;
    for (size_t at = 0; (thread = dj_threads_next(states->threads, &at)) != NULL;) {
        add_remaining(states, thread, last_ns);
    }
    if (trace->count_states) {
        trace->state_count = (size_t)states->rows.total;
    } else {
        trace->states = dj_trace_rows_move_out(&states->rows, &trace->state_rows,
                                               &trace->state_count);
    }
}

void dj_states_finish(struct dj_states *states)
{
    dj_trace_rows_finish(&states->rows);
    free(states->cpus);
    *states = (struct dj_states){0};
}
