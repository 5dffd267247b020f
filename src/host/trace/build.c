#include "trace/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/slices.h"

static const uint8_t edge_kinds[DJ_EVENT_KINDS] = {
    [DJ_EVENT_BEGIN] = DJ_EDGE_BEGIN + 1,
    [DJ_EVENT_END] = DJ_EDGE_END + 1,
    [DJ_EVENT_ASYNC_BEGIN] = DJ_EDGE_ASYNC_BEGIN + 1,
    [DJ_EVENT_ASYNC_END] = DJ_EDGE_ASYNC_END + 1,
};

/* "<...>", "<unknown>" and the like are no names. */
static bool is_name(struct dj_words name)
{
    return name.length > 0 && name.at[0] != '<';
}

static void set_name(struct dj_thread *thread, struct dj_words name)
{
    size_t length = name.length < sizeof(thread->known.name)
                        ? name.length
                        : sizeof(thread->known.name) - 1;
    memcpy(thread->known.name, name.at, length);
    thread->known.name[length] = '\0';
}

/* A name is kept from the first event that tells it until the kernel says that it
 * changed. */
static bool know_thread(struct dj_build *build, int32_t tid, struct dj_words name,
                        bool renamed)
{
    if (tid <= 0) {
        return true;
    }
    struct dj_thread *thread = dj_threads_get(&build->threads, (uint32_t)tid);
    if (thread == NULL) {
        return false;
    }
    if (is_name(name) && (renamed || thread->known.name[0] == '\0')) {
        set_name(thread, name);
    }
    return true;
}

static bool know(struct dj_build *build, const struct dj_event *event)
{
    bool renamed = event->kind == DJ_EVENT_RENAME || event->kind == DJ_EVENT_NEW_TASK;
    bool others = renamed || event->kind == DJ_EVENT_SWITCH ||
                  event->kind == DJ_EVENT_WAKING || event->kind == DJ_EVENT_WAKEUP ||
                  event->kind == DJ_EVENT_WAKE_NEW;
    if (!know_thread(build, event->tid, event->task, false) ||
        (others && !know_thread(build, event->other, event->other_name, renamed))) {
        return false;
    }
    if (event->tid > 0 && event->pid > 0) {
        dj_threads_get(&build->threads, (uint32_t)event->tid)->known.pid = event->pid;
    }
    return true;
}

static bool put_edge(struct dj_build *build, const struct dj_event *event)
{
    if (build->edge_count == build->edge_capacity) {
        size_t capacity = 2 * build->edge_capacity + 1024;
        struct dj_edge *grown = dj_array_resize(build->edges, capacity, sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        build->edges = grown;
        build->edge_capacity = capacity;
    }
    const char *name = dj_names_keep(&build->trace->kept, event->name);
    const char *key = event->other_name.length == 0
                          ? name
                          : dj_names_keep(&build->trace->kept, event->other_name);
    build->edges[build->edge_count] =
        (struct dj_edge){.at_ns = event->at_ns,
                         .cookie = event->value,
                         .name = name,
                         .key = key,
                         .order = build->edge_count,
                         .pid = event->pid,
                         .tid = (uint32_t)event->tid,
                         .kind = (uint8_t)(edge_kinds[event->kind] - 1)};
    build->edge_count++;
    return name != NULL && key != NULL;
}

static bool put_count(struct dj_build *build, const struct dj_event *event)
{
    struct dj_trace *trace = build->trace;
    if (trace->count_count == build->count_capacity) {
        size_t capacity = 2 * build->count_capacity + 1024;
        struct dj_trace_count *grown =
            dj_array_resize(trace->counts, capacity, sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        trace->counts = grown;
        build->count_capacity = capacity;
    }
    const char *name = dj_names_keep(&trace->kept, event->name);
    trace->counts[trace->count_count++] =
        (struct dj_trace_count){name, event->at_ns, event->value, (uint32_t)event->tid};
    return name != NULL;
}

static const bool is_mark[DJ_EVENT_KINDS] = {
    [DJ_EVENT_FREQUENCY] = true,       [DJ_EVENT_LIMITS] = true,
    [DJ_EVENT_GPU_FREQUENCY] = true,   [DJ_EVENT_THERMAL] = true,
    [DJ_EVENT_COOLING] = true,         [DJ_EVENT_IRQ_BEGIN] = true,
    [DJ_EVENT_IRQ_END] = true,         [DJ_EVENT_SOFTIRQ_BEGIN] = true,
    [DJ_EVENT_SOFTIRQ_END] = true,     [DJ_EVENT_RECLAIM_BEGIN] = true,
    [DJ_EVENT_RECLAIM_END] = true,     [DJ_EVENT_BLOCK_ISSUE] = true,
    [DJ_EVENT_BLOCK_COMPLETE] = true,  [DJ_EVENT_BINDER] = true,
    [DJ_EVENT_BINDER_RECEIVED] = true, [DJ_EVENT_TIMER_START] = true,
    [DJ_EVENT_NEW_TASK] = true,        [DJ_EVENT_LOST] = true,
};

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
    const char *name = dj_names_keep(&trace->kept, event->name);
    trace->marks[trace->mark_count++] = (struct dj_trace_mark){.at_ns = event->at_ns,
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
    if (!know_thread(build, event->other, event->other_name, false)) {
        return false;
    }
    if (event->other > 0 && event->pid > 0) {
        dj_threads_get(&build->threads, (uint32_t)event->other)->known.pid = event->pid;
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

int dj_build_take(void *user, const struct dj_event *event)
{
    struct dj_build *build = user;
    struct dj_trace *trace = build->trace;
    if (trace->keep_marks && is_mark[event->kind] && !put_mark(build, event)) {
        return DJ_E_NO_MEMORY;
    }
    if (event->kind == DJ_EVENT_LOST) {
        lose(trace, event);
        return 0;
    }
    if (event->kind == DJ_EVENT_THREAD) {
        return learn(build, event) ? 0 : DJ_E_NO_MEMORY;
    }
    if (event->kind == DJ_EVENT_CLOCK) {
        dj_clock_take(&build->clock, event);
        if (event->cpu < 0) {
            return 0;
        }
    }
    if (trace->events++ == 0 || event->at_ns < trace->first_ns) {
        trace->first_ns = event->at_ns;
    }
    trace->last_ns = trace->events == 1 || event->at_ns > trace->last_ns ? event->at_ns
                                                                         : trace->last_ns;
    build->states.trace = trace;
    build->states.threads = &build->threads;
    bool fits = know(build, event) && dj_states_take(&build->states, event);
    if (fits && edge_kinds[event->kind] != 0) {
        fits = put_edge(build, event);
    } else if (fits && event->kind == DJ_EVENT_COUNTER) {
        fits = put_count(build, event);
    }
    return fits ? 0 : DJ_E_NO_MEMORY;
}

static int by_tid(const void *a, const void *b)
{
    const struct dj_trace_thread *left = a;
    const struct dj_trace_thread *right = b;
    return (left->tid > right->tid) - (left->tid < right->tid);
}

static bool hand_over_threads(struct dj_build *build)
{
    struct dj_trace *trace = build->trace;
    trace->threads = calloc(build->threads.count + 1, sizeof(*trace->threads));
    if (trace->threads == NULL) {
        return false;
    }
    for (size_t i = 0; i < build->threads.capacity; i++) {
        if (build->threads.used[i]) {
            trace->threads[trace->thread_count++] = build->threads.slots[i].known;
        }
    }
    qsort(trace->threads, trace->thread_count, sizeof(*trace->threads), by_tid);
    return true;
}

static int by_time(const void *a, const void *b)
{
    const struct dj_trace_count *left = a;
    const struct dj_trace_count *right = b;
    return (left->at_ns > right->at_ns) - (left->at_ns < right->at_ns);
}

int dj_build_end(struct dj_build *build, struct dj_error *err)
{
    struct dj_trace *trace = build->trace;
    build->states.trace = trace;
    build->states.threads = &build->threads;
    int code = dj_states_end(&build->states, trace->last_ns) &&
                       hand_over_threads(build) &&
                       dj_processes_hand_over(&build->processes, trace)
                   ? dj_trace_pair(trace, build->edges, build->edge_count, err)
                   : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for a trace");
    if (trace->count_count > 0) {
        qsort(trace->counts, trace->count_count, sizeof(*trace->counts), by_time);
    }
    trace->clock = dj_clock_end(&build->clock);
    dj_build_finish(build);
    return code;
}

void dj_build_finish(struct dj_build *build)
{
    free(build->edges);
    dj_threads_finish(&build->threads);
    dj_states_finish(&build->states);
    dj_processes_finish(&build->processes);
    *build = (struct dj_build){.trace = build->trace};
}
