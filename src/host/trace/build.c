#include "trace/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/checked.h"
#include "trace/build_parts.h"

/* Each switch tells names: copied by words that may overlap, which are fewer steps than a
 * call with a length that is not known has. */
static inline void set_name(struct dj_thread *thread, struct dj_str name)
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

/* The id is another thread's from now on: ids are given out again. */
static bool renew(struct dj_build *build, struct dj_thread *thread, int64_t at_ns)
{
    if (!DJ_ARRAY_PUSH(build->former, build->former_count, thread->known)) {
        return false;
    }
    thread->known = (struct dj_trace_thread){
        .tid = thread->known.tid, .pid = DJ_PID_UNKNOWN, .from_ns = at_ns};
    thread->life++;
    thread->exited = thread->lived = false;
    return true;
}

static bool is_called(const struct dj_thread *thread, struct dj_str name)
{
    const char *known = thread->known.name;
    size_t length = strlen(known);
    size_t most = sizeof(thread->known.name) - 1;
    size_t told = name.length < most ? name.length : most;
    return !dj_task_name_is_known(name) || length == 0 ||
           (length == told && memcmp(known, name.at, told) == 0);
}

/* Who does something after its end is another one: by its being made, by another name or
 * process, or because the scheduler has seen it go. To be told of is to do nothing. What
 * stands before a line may be an old name: that of switches and wake-ups is of then. */
static bool is_another(const struct dj_thread *thread, const struct dj_event *event,
                       struct dj_str name, int32_t pid)
{
    bool gone = thread->seen && thread->now.state == DJ_THREAD_DEAD;
    if (!gone && !thread->exited && event->kind != DJ_EVENT_NEW_TASK) {
        return false;
    }
    bool runs = event->kind == DJ_EVENT_SWITCH || event->kind == DJ_EVENT_WAKING ||
                event->kind == DJ_EVENT_WAKEUP || event->kind == DJ_EVENT_WAKE_NEW ||
                (event->kind == DJ_EVENT_TASK && event->thread_state != DJ_THREAD_DEAD);
    bool of_then =
        event->kind == DJ_EVENT_SWITCH || (int32_t)thread->known.tid == event->other;
    bool differs = (of_then && !is_called(thread, name)) ||
                   (pid > 0 && thread->known.pid > 0 && pid != thread->known.pid);
    return event->kind != DJ_EVENT_THREAD && thread->lived &&
           ((event->kind == DJ_EVENT_NEW_TASK) || (gone && runs) ||
            ((gone || thread->exited) && differs));
}

/* What tells that a thread is made, is called otherwise, or is there at all. */
static bool know_change(struct dj_build *build, const struct dj_event *event,
                        struct dj_thread *thread, struct dj_str name, int32_t pid,
                        bool current)
{
    bool about = (int32_t)thread->known.tid == event->other;
    bool made = event->kind == DJ_EVENT_NEW_TASK && about;
    bool renamed = event->kind == DJ_EVENT_RENAME && about;
    if ((made || event->kind != DJ_EVENT_NEW_TASK) && !renamed &&
        is_another(thread, event, name, pid) && !renew(build, thread, event->at_ns)) {
        return false;
    }
    if (dj_task_name_is_known(name) &&
        (renamed || made || current || thread->known.name[0] == '\0')) {
        set_name(thread, name);
    }
    if (pid > 0) {
        thread->known.pid = pid;
    }
    thread->lived |= !made && !renamed && event->kind != DJ_EVENT_THREAD;
    return true;
}

/* A name is kept from the first event that tells it until the kernel says that it
 * changed; also without an event of that: `current` is what it is called at that moment.
 * (The column before ftrace's lines has what it was called last.) Most events tell of one
 * thread or two that live on: no more than that is done for them here. */
static inline bool know_thread(struct dj_build *build, const struct dj_event *event,
                               struct dj_thread *thread, struct dj_str name, int32_t pid,
                               bool current)
{
    if (thread == NULL) {
        return true;
    }
    if (thread->exited || thread->now.state == DJ_THREAD_DEAD) {
        return know_change(build, event, thread, name, pid, current);
    }
    if ((current || thread->known.name[0] == '\0') && dj_task_name_is_known(name)) {
        set_name(thread, name);
    }
    if (pid > 0) {
        thread->known.pid = pid;
    }
    thread->lived = true;
    return true;
}

/* The threads that an event tells of: who did it, and to whom. NULL: none. */
struct told {
    struct dj_thread *who, *whom;
};

enum other { IS_NO_THREAD, IS_TOLD, LIVES };

/* What `other` is in events of each kind. */
static const uint8_t other_of[DJ_EVENT_KINDS] = {
    [DJ_EVENT_SWITCH] = LIVES,   [DJ_EVENT_WAKING] = LIVES,
    [DJ_EVENT_WAKEUP] = LIVES,   [DJ_EVENT_TASK] = LIVES,
    [DJ_EVENT_WAKE_NEW] = LIVES, [DJ_EVENT_BLOCKED] = IS_TOLD,
    [DJ_EVENT_RENAME] = IS_TOLD, [DJ_EVENT_NEW_TASK] = IS_TOLD,
    [DJ_EVENT_EXIT] = IS_TOLD,
};

/* False: out of memory. */
static inline bool find_thread(struct dj_build *build, int32_t tid,
                               struct dj_thread **thread)
{
    *thread = tid > 0 ? dj_threads_get(&build->threads, (uint32_t)tid) : NULL;
    return tid <= 0 || *thread != NULL;
}

/* Who did what the event tells, and to whom. */
static inline bool know(struct dj_build *build, const struct dj_event *event,
                        struct told told)
{
    bool switched = event->kind == DJ_EVENT_SWITCH;
    return know_thread(build, event, told.who, event->task, event->pid, switched) &&
           (other_of[event->kind] != LIVES ||
            know_thread(build, event, told.whom, event->other_name, DJ_PID_UNKNOWN,
                        switched));
}

static bool know_exit(struct dj_build *build, const struct dj_event *event,
                      struct told told)
{
    bool fits = know(build, event, told);
    if (fits && told.whom != NULL) {
        told.whom->exited = true;
    }
    return fits;
}

static bool know_changes(struct dj_build *build, const struct dj_event *event,
                         struct told told)
{
    if (event->kind == DJ_EVENT_EXIT) {
        return know_exit(build, event, told);
    }
    return (told.who == NULL ||
            know_change(build, event, told.who, event->task, event->pid, false)) &&
           (told.whom == NULL || know_change(build, event, told.whom, event->other_name,
                                             DJ_PID_UNKNOWN, false));
}

/* What is told of a thread beside what happened. */
static bool learn(struct dj_build *build, const struct dj_event *event)
{
    struct dj_thread *thread;
    if (!find_thread(build, event->other, &thread) ||
        (thread != NULL &&
         !know_change(build, event, thread, event->other_name, event->pid, false))) {
        return false;
    }
    return event->name.length == 0 || event->pid <= 0 ||
           dj_processes_name(&build->processes, event->pid,
                             dj_names_keep(&build->trace->kept, event->name));
}

/* From a loss on, what a CPU tells is not whole: all before it has holes. */
static void lose(struct dj_trace *trace, const struct dj_event *event)
{
    trace->overwritten += event->value > 0 ? (uint64_t)event->value : 1;
}

/* Readers hand events out by time: what is earlier than one before it is so in the trace
 * itself. */
static void note_earlier(struct dj_trace *trace, int64_t at_ns)
{
    int64_t by_ns = dj_subtract_saturated(trace->last_ns, at_ns);
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

/* Where memory was short, or the rows had no place on disk. */
static int code_of(const struct dj_build *build)
{
    int code = build->edges.code;
    code = code != 0 ? code : build->counts.code;
    code = code != 0 ? code : build->states.rows.code;
    code = code != 0 ? code : build->spans.rows.code;
    code = code != 0 ? code : build->trace->sums.parts.code;
    code = code == 0 && build->summing.unfit ? DJ_E_LIMIT : code;
    return code != 0 ? code : DJ_E_NO_MEMORY;
}

static int take_loss(struct dj_build *build, const struct dj_event *event)
{
    struct dj_trace *trace = build->trace;
    if (!dj_build_put(build, event, build->parts[event->kind])) {
        return DJ_E_NO_MEMORY;
    }
    lose(trace, event);
    dj_states_lose(&build->states, event->cpu);
    return !trace->keep_spans || dj_spans_take(&build->spans, event) ? 0 : code_of(build);
}

__attribute__((always_inline)) static inline int
take_happened(struct dj_build *build, const struct dj_event *event, uint8_t parts)
{
    struct told told = {NULL, NULL};
    note_time(build->trace, event->at_ns);
    bool fits = find_thread(build, event->tid, &told.who) &&
                (other_of[event->kind] == IS_NO_THREAD ||
                 find_thread(build, event->other, &told.whom)) &&
                ((parts & DJ_PART_CHANGE) != 0 ? know_changes(build, event, told)
                                               : know(build, event, told)) &&
                dj_states_take(&build->states, event, told.who, told.whom) &&
                (parts == 0 || dj_build_put(build, event, parts));
    return fits ? 0 : code_of(build);
}

/* A marker of clocks is something that its thread did. */
static int take_marker(struct dj_build *build, const struct dj_event *event)
{
    return event->cpu < 0 ? 0 : take_happened(build, event, 0);
}

static int take_apart(struct dj_build *build, const struct dj_event *event)
{
    switch (event->kind) {
    case DJ_EVENT_LOST:
        return take_loss(build, event);
    case DJ_EVENT_THREAD:
        return learn(build, event) ? 0 : DJ_E_NO_MEMORY;
    default:
        dj_clock_take(&build->clock, event);
        return take_marker(build, event);
    }
}

int dj_build_take(void *user, const struct dj_event *event)
{
    struct dj_build *build = user;
    if (build->edges.row_bytes == 0) {
        dj_build_begin(build);
    }
    uint8_t parts = build->parts[event->kind];
    return (parts & DJ_PART_APART) != 0 ? take_apart(build, event)
                                        : take_happened(build, event, parts);
}
