#include "trace/model/builder.h"

#include <string.h>

#include "base/checked.h"
#include "memory/memory.h"

/* Copies the name of a thread. Called for each context switch, so it must be fast. It
 * copies two words, which may overlap. This is faster than memcpy() with a variable
 * length. */
static inline void set_name(struct dj_live_thread *thread, struct dj_str name)
{
    char *known = thread->known.name;
    size_t length = name.length < sizeof(thread->known.name)
                        ? name.length
                        : sizeof(thread->known.name) - 1;
    if (length >= 8) {
        memcpy(known, name.at, 8);
        memcpy(known + length - 8, name.at + length - 8, 8);
    } else if (length >= 4) {
        memcpy(known, name.at, 4);
        memcpy(known + length - 4, name.at + length - 4, 4);
    } else {
        for (size_t i = 0; i < length; i++) {
            known[i] = name.at[i];
        }
    }
    known[length] = '\0';
}

/* Replaces a thread that has ended by a new thread with the same id. The kernel reuses
 * the ids of threads. */
static void replace_thread(struct dj_trace_builder *build, struct dj_live_thread *thread,
                           int64_t at_ns)
{
    DJ_XPUSH(build->former_threads, build->former_thread_count, thread->known);
    thread->known = (struct dj_trace_thread){
        .tid = thread->known.tid, .pid = DJ_PID_UNKNOWN, .from_ns = at_ns};
    thread->life++;
    thread->exited = thread->lived = false;
}

static bool is_called(const struct dj_live_thread *thread, struct dj_str name)
{
    const char *known = thread->known.name;
    size_t length = strlen(known);
    size_t most = sizeof(thread->known.name) - 1;
    size_t compared = name.length < most ? name.length : most;
    return !dj_event_is_known_name(name) || length == 0 ||
           (length == compared && memcmp(known, name.at, compared) == 0);
}

/* Returns true if the event belongs to a new thread that has the id of a thread that has
 * ended. There are three cases:
 * - The event reports the creation of the new thread.
 * - The thread is active, although the scheduler has reported its end.
 * - The event contains another name or another process. Names in switches and wakeups are
 *   current, but the name at the start of a line of text may be outdated. */
static bool is_another(const struct dj_live_thread *thread, const struct dj_event *event,
                       struct dj_str name, int32_t pid)
{
    bool gone = thread->seen && thread->now.state == DJ_THREAD_DEAD;
    if (!gone && !thread->exited && event->kind != DJ_EVENT_NEW_TASK) {
        return false;
    }
    bool runs = event->kind == DJ_EVENT_SWITCH || event->kind == DJ_EVENT_WAKING ||
                event->kind == DJ_EVENT_WAKEUP || event->kind == DJ_EVENT_WAKE_NEW ||
                (event->kind == DJ_EVENT_TASK && event->thread_state != DJ_THREAD_DEAD);
    bool name_is_current =
        event->kind == DJ_EVENT_SWITCH || (int32_t)thread->known.tid == event->other;
    bool differs = (name_is_current && !is_called(thread, name)) ||
                   (pid > 0 && thread->known.pid > 0 && pid != thread->known.pid);
    return event->kind != DJ_EVENT_THREAD && thread->lived &&
           ((event->kind == DJ_EVENT_NEW_TASK) || (gone && runs) ||
            ((gone || thread->exited) && differs));
}

/* Updates a thread for an event that reports its creation, its new name or that it is
 * alive. Also used for all events with the id of a thread that has ended: the kernel may
 * have given the id to another thread. */
static void update_changed_thread(struct dj_trace_builder *build,
                                  const struct dj_event *event,
                                  struct dj_live_thread *thread, struct dj_str name,
                                  int32_t pid, bool current)
{
    bool about = (int32_t)thread->known.tid == event->other;
    bool made = event->kind == DJ_EVENT_NEW_TASK && about;
    bool renamed = event->kind == DJ_EVENT_RENAME && about;
    if ((made || event->kind != DJ_EVENT_NEW_TASK) && !renamed &&
        is_another(thread, event, name, pid)) {
        replace_thread(build, thread, event->at_ns);
    }
    if (dj_event_is_known_name(name) &&
        (renamed || made || current || thread->known.name[0] == '\0')) {
        set_name(thread, name);
    }
    if (pid > 0) {
        thread->known.pid = pid;
    }
    thread->lived |= !made && !renamed && event->kind != DJ_EVENT_THREAD;
}

/* Updates the name and the process of a thread. `current` is true if `name` is certainly
 * the current name of the thread. If it is false, `name` may be an old name, as at the
 * start of a line of ftrace, and is used only if no name is known. This inline part is
 * sufficient for threads that have not ended, which are the most frequent. */
static inline void update_thread(struct dj_trace_builder *build,
                                 const struct dj_event *event,
                                 struct dj_live_thread *thread, struct dj_str name,
                                 int32_t pid, bool current)
{
    if (thread == NULL) {
        return;
    }
    if (thread->exited || thread->now.state == DJ_THREAD_DEAD) {
        update_changed_thread(build, event, thread, name, pid, current);
        return;
    }
    if ((current || thread->known.name[0] == '\0') && dj_event_is_known_name(name)) {
        set_name(thread, name);
    }
    if (pid > 0) {
        thread->known.pid = pid;
    }
    thread->lived = true;
}

/* The threads of an event: the thread that causes the event and the thread that the event
 * affects. A pointer is NULL if there is no such thread. */
struct event_threads {
    struct dj_live_thread *actor, *target;
};

enum other { IS_NO_THREAD, IS_MENTIONED, IS_ACTIVE };

/* For each kind of event, the role of thread `other`. */
static const uint8_t other_roles[DJ_EVENT_KINDS] = {
    [DJ_EVENT_SWITCH] = IS_ACTIVE,    [DJ_EVENT_WAKING] = IS_ACTIVE,
    [DJ_EVENT_WAKEUP] = IS_ACTIVE,    [DJ_EVENT_TASK] = IS_ACTIVE,
    [DJ_EVENT_WAKE_NEW] = IS_ACTIVE,  [DJ_EVENT_BLOCKED] = IS_MENTIONED,
    [DJ_EVENT_RENAME] = IS_MENTIONED, [DJ_EVENT_NEW_TASK] = IS_MENTIONED,
    [DJ_EVENT_EXIT] = IS_MENTIONED,
};

static inline struct dj_live_thread *get_thread(struct dj_trace_builder *build,
                                                int32_t tid)
{
    return tid > 0 ? dj_threads_get(&build->threads, (uint32_t)tid) : NULL;
}

/* Updates both threads of an event. */
static inline void update_threads(struct dj_trace_builder *build,
                                  const struct dj_event *event,
                                  struct event_threads event_threads)
{
    bool switched = event->kind == DJ_EVENT_SWITCH;
    update_thread(build, event, event_threads.actor, event->task, event->pid, switched);
    if (other_roles[event->kind] == IS_ACTIVE) {
        update_thread(build, event, event_threads.target, event->other_name,
                      DJ_PID_UNKNOWN, switched);
    }
}

static void update_changed_threads(struct dj_trace_builder *build,
                                   const struct dj_event *event,
                                   struct event_threads event_threads)
{
    bool exits = event->kind == DJ_EVENT_EXIT;
    if (exits) {
        update_threads(build, event, event_threads);
    } else if (event_threads.actor != NULL) {
        update_changed_thread(build, event, event_threads.actor, event->task, event->pid,
                              false);
    }
    if (exits && event_threads.target != NULL) {
        event_threads.target->exited = true;
    } else if (event_threads.target != NULL) {
        update_changed_thread(build, event, event_threads.target, event->other_name,
                              DJ_PID_UNKNOWN, false);
    }
}

/* Stores the names and the process that a DJ_EVENT_THREAD contains. */
static void add_fact(struct dj_trace_builder *build, const struct dj_event *event)
{
    struct dj_live_thread *thread = get_thread(build, event->other);
    if (thread != NULL) {
        update_changed_thread(build, event, thread, event->other_name, event->pid, false);
    }
    if (event->name.length > 0 && event->pid > 0) {
        const char *name = dj_trace_names_add(&build->trace->name_store, event->name);
        dj_xcheck(
            dj_map_set(&build->process_names, (uint32_t)event->pid, (uintptr_t)name));
    }
}

/* Counts an event with a time before the latest time so far. Readers pass events on in
 * order of time, so the times in the trace itself are wrong. */
static void note_earlier(struct dj_trace *trace, int64_t at_ns)
{
    int64_t by_ns = dj_checked_subtract_saturated(trace->last_ns, at_ns);
    trace->backwards++;
    trace->backwards_ns = by_ns > trace->backwards_ns ? by_ns : trace->backwards_ns;
    trace->first_ns = at_ns < trace->first_ns ? at_ns : trace->first_ns;
}

static inline void note_time(struct dj_trace *trace, int64_t at_ns)
{
    if (trace->events++ == 0) {
        trace->first_ns = trace->last_ns = at_ns;
    } else if (at_ns < trace->last_ns) {
        note_earlier(trace, at_ns);
    } else {
        trace->last_ns = at_ns;
    }
}

/* Returns DJ_E_IO if rows could not be stored, DJ_E_LIMIT if the trace must be read a
 * second time, and 0 otherwise. */
static int get_code(const struct dj_trace_builder *build)
{
    bool lost = build->edges.code != 0 || build->counts.code != 0 ||
                build->states.rows.code != 0 || build->spans.rows.code != 0 ||
                build->samples.rows.code != 0 || build->trace->sums.flushed.code != 0;
    return lost ? DJ_E_IO : build->running_sums.needs_second_read ? DJ_E_LIMIT : 0;
}

/* Handles a loss of events of a CPU. States and spans of this CPU that began before the
 * loss cannot be continued after the loss. */
static void add_loss(struct dj_trace_builder *build, const struct dj_event *event)
{
    dj_builder_add_outputs(build, event, build->outputs[event->kind]);
    build->trace->overwritten += event->value > 0 ? (uint64_t)event->value : 1;
    dj_states_note_loss(&build->states, event->cpu);
    if (build->trace->keep_spans) {
        dj_spans_update(&build->spans, event);
    }
}

__attribute__((always_inline)) static inline void
add_thread_event(struct dj_trace_builder *build, const struct dj_event *event,
                 uint8_t outputs)
{
    note_time(build->trace, event->at_ns);
    struct event_threads event_threads = {.actor = get_thread(build, event->tid),
                                          .target =
                                              other_roles[event->kind] != IS_NO_THREAD
                                                  ? get_thread(build, event->other)
                                                  : NULL};
    if ((outputs & DJ_OUTPUT_THREAD_CHANGE) != 0) {
        update_changed_threads(build, event, event_threads);
    } else {
        update_threads(build, event, event_threads);
    }
    dj_states_update(&build->states, event, event_threads.actor, event_threads.target);
    if (outputs != 0) {
        dj_builder_add_outputs(build, event, outputs);
    }
}

/* A sample shows the process of its thread. It does not show that the thread runs,
 * because its time is that of an interrupt. */
static void add_sample(struct dj_trace_builder *build, const struct dj_event *event)
{
    note_time(build->trace, event->at_ns);
    update_thread(build, event, get_thread(build, event->tid), (struct dj_str){"", 0},
                  event->pid, false);
    if (event->stack == NULL || event->stack->lost > 0) {
        build->trace->samples_lost += event->stack != NULL ? event->stack->lost : 0;
        return;
    }
    build->trace->stack_count++;
    if (build->trace->keep_samples) {
        dj_samples_add_event(&build->samples, event);
    }
}

/* Adds an event that no thread has caused. There is one exception: a clock marker with a
 * CPU was written by a thread. */
static void add_other_event(struct dj_trace_builder *build, const struct dj_event *event)
{
    if (event->kind == DJ_EVENT_LOST) {
        add_loss(build, event);
    } else if (event->kind == DJ_EVENT_THREAD) {
        add_fact(build, event);
    } else if (event->kind == DJ_EVENT_STACK) {
        add_sample(build, event);
    } else {
        dj_clock_offset_add_event(&build->clock, event);
        if (event->cpu >= 0) {
            add_thread_event(build, event, 0);
        }
    }
}

int dj_builder_add_event(void *user, const struct dj_event *event)
{
    /* Number of events after which errors are checked. */
    enum { CHECK_INTERVAL = 1024 };
    struct dj_trace_builder *build = user;
    if (build->edges.row_bytes == 0) {
        dj_builder_start(build);
    }
    uint8_t outputs = build->outputs[event->kind];
    if ((outputs & DJ_OUTPUT_NOT_OF_THREAD) != 0) {
        add_other_event(build, event);
    } else {
        add_thread_event(build, event, outputs);
    }
    return build->trace->events % CHECK_INTERVAL == 0 ? get_code(build) : 0;
}
