#include "trace/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/checked.h"
#include "trace/span_parts.h"

static const uint8_t edge_kinds[DJ_EVENT_KINDS] = {
    [DJ_EVENT_BEGIN] = DJ_EDGE_BEGIN + 1,
    [DJ_EVENT_END] = DJ_EDGE_END + 1,
    [DJ_EVENT_ASYNC_BEGIN] = DJ_EDGE_ASYNC_BEGIN + 1,
    [DJ_EVENT_ASYNC_END] = DJ_EDGE_ASYNC_END + 1,
};

/* Each switch tells names: copied by words that may overlap, which are fewer steps than a
 * call with a length that is not known has. */
static inline void set_name(struct dj_thread *thread, struct dj_words name)
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
    if (build->former_count == build->former_capacity) {
        size_t capacity = 2 * build->former_capacity + 64;
        struct dj_trace_thread *grown =
            dj_array_resize(build->former, capacity, sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        build->former = grown;
        build->former_capacity = capacity;
    }
    build->former[build->former_count++] = thread->known;
    thread->known = (struct dj_trace_thread){
        .tid = thread->known.tid, .pid = DJ_PID_UNKNOWN, .from_ns = at_ns};
    thread->life++;
    thread->exited = thread->lived = false;
    return true;
}

static bool is_called(const struct dj_thread *thread, struct dj_words name)
{
    const char *known = thread->known.name;
    size_t length = strlen(known);
    size_t most = sizeof(thread->known.name) - 1;
    size_t told = name.length < most ? name.length : most;
    return !dj_words_call_a_thread(name) || length == 0 ||
           (length == told && memcmp(known, name.at, told) == 0);
}

/* Who does something after its end is another one: by its being made, by another name or
 * process, or because the scheduler has seen it go. To be told of is to do nothing. What
 * stands before a line may be an old name: that of switches and wake-ups is of then. */
static bool is_another(const struct dj_thread *thread, const struct dj_event *event,
                       struct dj_words name, int32_t pid)
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
                        struct dj_thread *thread, struct dj_words name, int32_t pid,
                        bool current)
{
    bool about = (int32_t)thread->known.tid == event->other;
    bool made = event->kind == DJ_EVENT_NEW_TASK && about;
    bool renamed = event->kind == DJ_EVENT_RENAME && about;
    if ((made || event->kind != DJ_EVENT_NEW_TASK) && !renamed &&
        is_another(thread, event, name, pid) && !renew(build, thread, event->at_ns)) {
        return false;
    }
    if (dj_words_call_a_thread(name) &&
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
                               int32_t tid, struct dj_words name, int32_t pid,
                               bool current)
{
    if (tid <= 0) {
        return true;
    }
    struct dj_thread *thread = dj_threads_get(&build->threads, (uint32_t)tid);
    if (thread == NULL) {
        return false;
    }
    if (thread->exited || thread->now.state == DJ_THREAD_DEAD) {
        return know_change(build, event, thread, name, pid, current);
    }
    if ((current || thread->known.name[0] == '\0') && dj_words_call_a_thread(name)) {
        set_name(thread, name);
    }
    if (pid > 0) {
        thread->known.pid = pid;
    }
    thread->lived = true;
    return true;
}

/* That of an event which may change what is known of it. */
static bool know_changed(struct dj_build *build, const struct dj_event *event,
                         int32_t tid, struct dj_words name, int32_t pid)
{
    struct dj_thread *thread =
        tid > 0 ? dj_threads_get(&build->threads, (uint32_t)tid) : NULL;
    return thread != NULL ? know_change(build, event, thread, name, pid, false)
                          : tid <= 0;
}

/* Who did what the event tells, and to whom. */
static inline bool know(struct dj_build *build, const struct dj_event *event)
{
    static const bool tells_other[DJ_EVENT_KINDS] = {
        [DJ_EVENT_SWITCH] = true, [DJ_EVENT_WAKING] = true,   [DJ_EVENT_WAKEUP] = true,
        [DJ_EVENT_TASK] = true,   [DJ_EVENT_WAKE_NEW] = true,
    };
    bool switched = event->kind == DJ_EVENT_SWITCH;
    return know_thread(build, event, event->tid, event->task, event->pid, switched) &&
           (!tells_other[event->kind] ||
            know_thread(build, event, event->other, event->other_name, DJ_PID_UNKNOWN,
                        switched));
}

static bool know_exit(struct dj_build *build, const struct dj_event *event)
{
    struct dj_thread *thread =
        know(build, event) && event->other > 0
            ? dj_threads_get(&build->threads, (uint32_t)event->other)
            : NULL;
    if (thread != NULL) {
        thread->exited = true;
    }
    return thread != NULL || event->other <= 0;
}

static bool know_changes(struct dj_build *build, const struct dj_event *event)
{
    return event->kind == DJ_EVENT_EXIT
               ? know_exit(build, event)
               : know_changed(build, event, event->tid, event->task, event->pid) &&
                     know_changed(build, event, event->other, event->other_name,
                                  DJ_PID_UNKNOWN);
}

static uint32_t life_of(const struct dj_build *build, int32_t tid)
{
    const struct dj_thread *thread =
        tid > 0 ? dj_threads_find(&build->threads, (uint32_t)tid) : NULL;
    return thread != NULL ? thread->life : 0;
}

static bool put_edge(struct dj_build *build, const struct dj_event *event)
{
    const char *name = dj_names_keep(&build->trace->kept, event->name);
    const char *key = event->other_name.length == 0
                          ? name
                          : dj_names_keep(&build->trace->kept, event->other_name);
    const struct dj_edge edge = {.at_ns = event->at_ns,
                                 .cookie = event->value,
                                 .name = name,
                                 .key = key,
                                 .order = build->edges.total,
                                 .pid = event->pid,
                                 .tid = (uint32_t)event->tid,
                                 .life = life_of(build, event->tid),
                                 .kind = (uint8_t)(edge_kinds[event->kind] - 1)};
    return name != NULL && key != NULL &&
           (build->trace->sum_slices ? dj_summing_take(&build->summing, &edge)
                                     : dj_rows_put(&build->edges, &edge));
}

static bool put_count(struct dj_build *build, const struct dj_event *event)
{
    const char *name = dj_names_keep(&build->trace->kept, event->name);
    const struct dj_trace_count count = {name, event->at_ns, event->value,
                                         (uint32_t)event->tid};
    return name != NULL && dj_rows_put(&build->counts, &count);
}

static int by_time(const void *a, const void *b)
{
    const struct dj_trace_count *left = a;
    const struct dj_trace_count *right = b;
    return (left->at_ns > right->at_ns) - (left->at_ns < right->at_ns);
}

/* Where an event goes, beside to the thread that it is of: most go nowhere else. */
enum part {
    MARK = 1,
    SPAN = 2,
    EDGE = 4,
    COUNT = 8,
    FRAME = 16,
    CHANGE = 32, /* it changes what is known of threads */
    APART = 64   /* nothing that a thread did */
};

static const uint8_t parts[DJ_EVENT_KINDS] = {
    [DJ_EVENT_FREQUENCY] = MARK,
    [DJ_EVENT_LIMITS] = MARK,
    [DJ_EVENT_GPU_FREQUENCY] = MARK,
    [DJ_EVENT_THERMAL] = MARK,
    [DJ_EVENT_COOLING] = MARK,
    [DJ_EVENT_IRQ_BEGIN] = MARK,
    [DJ_EVENT_IRQ_END] = MARK,
    [DJ_EVENT_SOFTIRQ_BEGIN] = MARK,
    [DJ_EVENT_SOFTIRQ_END] = MARK,
    [DJ_EVENT_RECLAIM_BEGIN] = MARK,
    [DJ_EVENT_RECLAIM_END] = MARK,
    [DJ_EVENT_BLOCK_ISSUE] = MARK,
    [DJ_EVENT_BLOCK_COMPLETE] = MARK,
    [DJ_EVENT_BINDER] = MARK,
    [DJ_EVENT_BINDER_RECEIVED] = MARK,
    [DJ_EVENT_TIMER_START] = MARK,
    [DJ_EVENT_IPI_BEGIN] = MARK,
    [DJ_EVENT_IPI_END] = MARK,
    [DJ_EVENT_FENCE_WAIT_BEGIN] = MARK,
    [DJ_EVENT_FENCE_WAIT_END] = MARK,
    [DJ_EVENT_NEW_TASK] = MARK | CHANGE,
    [DJ_EVENT_RENAME] = CHANGE,
    [DJ_EVENT_EXIT] = CHANGE,
    [DJ_EVENT_COUNTER] = COUNT,
    [DJ_EVENT_FRAME_BEGIN] = FRAME,
    [DJ_EVENT_FRAME_END] = FRAME,
    [DJ_EVENT_CLOCK] = APART,
    [DJ_EVENT_THREAD] = APART,
    [DJ_EVENT_LOST] = MARK | APART,
};

/* What this trace does not keep goes nowhere. */
static uint8_t parts_of(const struct dj_trace *trace, enum dj_event_kind kind)
{
    return (uint8_t)((parts[kind] & ~(trace->keep_marks ? 0 : MARK)) |
                     (trace->keep_spans && dj_span_kind_has_role(kind) ? SPAN : 0) |
                     (edge_kinds[kind] != 0 ? EDGE : 0));
}

void dj_build_begin(struct dj_build *build)
{
    size_t memory_bytes = build->trace->memory_bytes;
    build->edges = (struct dj_rows){.row_bytes = sizeof(struct dj_edge),
                                    .order = dj_edges_order,
                                    .memory_bytes = memory_bytes,
                                    .rank = dj_edges_rank};
    build->summing.trace = build->trace;
    build->states.trace = build->trace;
    build->states.threads = build->spans.threads = &build->threads;
    build->spans.trace = build->trace;
    build->counts = (struct dj_rows){.row_bytes = sizeof(struct dj_trace_count),
                                     .order = by_time,
                                     .memory_bytes = memory_bytes};
    for (int kind = 0; kind < DJ_EVENT_KINDS; kind++) {
        build->parts[kind] = parts_of(build->trace, (enum dj_event_kind)kind);
    }
}

static bool put_mark(struct dj_build *build, const struct dj_event *event)
{
    struct dj_trace *trace = build->trace;
    if (trace->mark_count == build->mark_capacity) {
        size_t capacity = 2 * build->mark_capacity + 1024;
        struct dj_trace_mark *grown =
            dj_array_resize(trace->marks, capacity, sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        trace->marks = grown;
        build->mark_capacity = capacity;
    }
    const char *name = event->kind == DJ_EVENT_FENCE_WAIT_BEGIN
                           ? dj_span_name(&trace->kept, event)
                           : dj_names_keep(&trace->kept, event->name);
    /* Text tells no time of a loss: it is before the next event. */
    bool timeless = event->kind == DJ_EVENT_LOST && event->at_ns == 0;
    trace->marks[trace->mark_count++] =
        (struct dj_trace_mark){.at_ns = timeless ? trace->last_ns : event->at_ns,
                               .value = event->value,
                               .value_2 = event->value_2,
                               .name = name,
                               .tid = event->tid,
                               .other = event->other,
                               .cpu = event->cpu,
                               .kind = event->kind,
                               .state = event->state};
    return name != NULL;
}

/* What is told of a thread beside what happened. */
static bool learn(struct dj_build *build, const struct dj_event *event)
{
    if (!know_changed(build, event, event->other, event->other_name, event->pid)) {
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
    if (trace->keep_marks && !put_mark(build, event)) {
        return DJ_E_NO_MEMORY;
    }
    lose(trace, event);
    dj_states_lose(&build->states, event->cpu);
    return !trace->keep_spans || dj_spans_take(&build->spans, event) ? 0 : code_of(build);
}

static bool take_parts(struct dj_build *build, const struct dj_event *event,
                       uint8_t parts_of_it)
{
    /* What an interrupt asks for is none of its thread's doing. */
    bool tick = event->kind == DJ_EVENT_TIMER_START && event->interrupted;
    return ((parts_of_it & MARK) == 0 || tick || put_mark(build, event)) &&
           ((parts_of_it & SPAN) == 0 || dj_spans_take(&build->spans, event)) &&
           ((parts_of_it & EDGE) == 0 || put_edge(build, event)) &&
           ((parts_of_it & COUNT) == 0 || put_count(build, event)) &&
           ((parts_of_it & FRAME) == 0 ||
            dj_frames_take(&build->frames, build->trace, event));
}

static inline int take_happened(struct dj_build *build, const struct dj_event *event,
                                uint8_t parts_of_it)
{
    note_time(build->trace, event->at_ns);
    bool fits =
        ((parts_of_it & CHANGE) != 0 ? know_changes(build, event) : know(build, event)) &&
        dj_states_take(&build->states, event) &&
        (parts_of_it == 0 || take_parts(build, event, parts_of_it));
    return fits ? 0 : code_of(build);
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
        /* A marker of clocks is something that its thread did. */
        return event->cpu < 0 ? 0 : take_happened(build, event, 0);
    }
}

int dj_build_take(void *user, const struct dj_event *event)
{
    struct dj_build *build = user;
    if (build->edges.row_bytes == 0) {
        dj_build_begin(build);
    }
    uint8_t parts_of_it = build->parts[event->kind];
    return (parts_of_it & APART) != 0 ? take_apart(build, event)
                                      : take_happened(build, event, parts_of_it);
}
