#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/compare.h"
#include "base/count_of.h"
#include "memory/memory.h"
#include "triage/cause_key.h"
#include "triage/functions/functions.h"

/* Maximum time between the start of a sleep and the sample of its stack. The same context
 * switch makes both, usually 3 to 11 µs apart. */
static const int64_t APART_MOST_NS = 1000000;

static bool is_wait(const struct dj_triage_piece *piece)
{
    bool sleeps = piece->state == DJ_THREAD_SLEEPING ||
                  piece->state == DJ_THREAD_BLOCKED ||
                  piece->state == DJ_THREAD_BLOCKED_IO;
    return sleeps && piece->kind != DJ_CAUSE_UNEXPLAINED &&
           piece->kind != DJ_CAUSE_LATE_WAKE;
}

/* Returns the time of the thread's context switch before the one at the start of the
 * sleep `at`. Returns INT64_MIN / 2 if it is unknown. */
static int64_t find_earlier_switch(const struct dj_triage_index *index,
                                   const struct dj_triage_thread *thread, size_t at)
{
    size_t first = thread->states.from;
    while (at > first && dj_triage_get_state(index, at - 1)->state == DJ_THREAD_RUNNING) {
        at--;
    }
    int64_t switch_ns = INT64_MIN / 2;
    while (at > first && dj_triage_get_state(index, at - 1)->state != DJ_THREAD_RUNNING) {
        switch_ns = dj_triage_get_state(index, --at)->start_ns;
    }
    return switch_ns;
}

/* Returns the sample that was taken at the start of the sleep `at`, or NULL if there is
 * none. The sample must be nearer to this context switch than to the thread's previous
 * one. */
static const struct dj_trace_sample *find_sample(const struct dj_triage_sampled *sampled,
                                                 const struct dj_triage_index *index,
                                                 const struct dj_triage_thread *thread,
                                                 size_t at)
{
    const struct dj_triage_places *waits = &sampled->waits;
    const struct dj_trace_state *sleep = dj_triage_get_state(index, at);
    int64_t middle_ns = sleep->start_ns / 2 + find_earlier_switch(index, thread, at) / 2;
    int64_t from_ns = dj_checked_subtract_saturated(sleep->start_ns, APART_MOST_NS);
    int64_t to_ns = dj_checked_add_saturated(sleep->start_ns, APART_MOST_NS);
    from_ns = middle_ns > from_ns ? middle_ns : from_ns;
    const struct dj_trace_sample *nearest = NULL;
    for (size_t i = dj_triage_sampled_find(sampled, waits, sleep->tid, from_ns);
         i < waits->count; i++) {
        const struct dj_trace_sample *sample = &sampled->trace->samples[waits->all[i]];
        if (sample->tid != sleep->tid || sample->at_ns > sleep->end_ns ||
            sample->at_ns > to_ns) {
            break;
        }
        nearest = nearest == NULL || llabs(sample->at_ns - sleep->start_ns) <
                                         llabs(nearest->at_ns - sleep->start_ns)
                      ? sample
                      : nearest;
    }
    return nearest;
}

static void add_wait(struct dj_triage *triage, const struct dj_triage_index *index,
                     struct dj_triage_sampled *sampled,
                     const struct dj_triage_piece *piece)
{
    const struct dj_triage_thread *thread = dj_triage_find_thread(index, piece->tid);
    size_t at = thread != NULL ? dj_triage_find_state(index, thread, piece->start_ns) : 0;
    if (thread == NULL || at == thread->states.to) {
        return;
    }
    const struct dj_trace_state *sleep = dj_triage_get_state(index, at);
    const struct dj_trace_sample *sample = find_sample(sampled, index, thread, at);
    struct dj_triage_key key = dj_triage_key_compute(triage, index, piece);
    struct dj_triage_wait wait = {
        .ns = piece->end_ns - piece->start_ns,
        .sleep_start_ns = sleep->start_ns,
        .tid = piece->tid,
        .frame = (uint32_t)(triage->frame_count - 1),
        .key = dj_triage_key_add(triage, &key),
        .node = sample != NULL ? dj_calls_copy_node(&sampled->copy, sample->node)
                               : DJ_CALLS_ROOT,
        .guessed = sample != NULL && sample->end == DJ_STACK_GUESSED};
    DJ_XPUSH(triage->waits, triage->wait_count, wait);
}

void dj_triage_waits_collect(struct dj_triage *triage,
                             const struct dj_triage_index *index,
                             struct dj_triage_sampled *sampled,
                             const struct dj_triage_piece *pieces, size_t count)
{
    const struct dj_triage_frame_record *frame = &triage->frames[triage->frame_count - 1];
    bool counts = frame->janky && !frame->incomplete && !frame->base;
    for (size_t i = 0; i < count && counts && sampled->waits.count > 0; i++) {
        if (is_wait(&pieces[i])) {
            add_wait(triage, index, sampled, &pieces[i]);
        }
    }
}

/* First parts of the names of files that contain functions of the C library. */
static const char *const c_libraries[] = {
    "libc.so", "libc-2.", "libc.musl", "libpthread", "ld-linux", "ld-musl",
    "ld.so",   "librt.",  "librt-",    "[vdso]",     "libdejank"};

/* First parts of the names of libraries whose functions wait for their callers: locks,
 * event loops, requests to a server, and the display of frames. */
static const char *const waiting_libraries[] = {
    "libstdc++",  "libc++",     "libgcc_s",  "libglib-2",  "libgthread", "libgio-2",
    "libQt5Core", "libQt6Core", "libX11",    "libxcb",     "libwayland", "libdbus",
    "libGL",      "libEGL",     "libvulkan", "libgallium", "libdrm",     "libbinder",
    "libutils",   "libart",     "libsystemd"};

static bool starts_with_any(const char *path, const char *const *names, size_t count)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(file, names[i], strlen(names[i])) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_in_c_library(const struct dj_calls_function *function)
{
    return function->in_kernel ||
           starts_with_any(function->module, c_libraries, COUNT_OF(c_libraries));
}

static bool waits_for_callers(const struct dj_calls_function *function)
{
    /* Drivers of Mesa have names such as swrast_dri.so. */
    return is_in_c_library(function) || strstr(function->module, "_dri.so") != NULL ||
           starts_with_any(function->module, waiting_libraries,
                           COUNT_OF(waiting_libraries));
}

/* Sets *caller to the innermost node of a function that is not in one of these libraries,
 * and sets its callee. Returns false if all functions are in these libraries. */
static bool find_caller(const struct dj_calls_tree *calls, uint32_t node,
                        bool (*is_library)(const struct dj_calls_function *function),
                        struct dj_triage_waiter *waiter)
{
    waiter->call = node;
    for (waiter->node = node; waiter->node != DJ_CALLS_ROOT;
         waiter->node = calls->nodes[waiter->node].parent) {
        if (!is_library(&calls->functions[calls->nodes[waiter->node].function])) {
            return true;
        }
        waiter->call = waiter->node;
    }
    return false;
}

static struct dj_triage_waiter find_waiter(const struct dj_calls_tree *calls,
                                           uint32_t node)
{
    struct dj_triage_waiter waiter = {0};
    if (!find_caller(calls, node, waits_for_callers, &waiter) &&
        !find_caller(calls, node, is_in_c_library, &waiter)) {
        waiter.node = waiter.call;
    }
    waiter.function = &calls->functions[calls->nodes[waiter.node].function];
    return waiter;
}

/* A function that waited, together with the function that it called to wait. */
struct group {
    struct dj_triage_waiter waiter;
    int64_t node_ns; /* Longest wait at the node waiter.node. */
    const struct dj_triage_wait *last;
};

struct groups {
    struct group *all;
    size_t count;
};

static bool is_same_wait(const struct dj_triage_wait *wait,
                         const struct dj_triage_wait *last)
{
    return last != NULL && wait->tid == last->tid &&
           wait->sleep_start_ns == last->sleep_start_ns && wait->frame == last->frame;
}

static uint32_t get_function(const struct dj_calls_tree *calls, uint32_t node)
{
    return calls->nodes[node].function;
}

/* Returns the group of the function with this callee, and adds the group if it is new. */
static struct group *find_group(const struct dj_calls_tree *calls, struct groups *groups,
                                const struct dj_triage_waiter *waiter)
{
    for (size_t i = 0; i < groups->count; i++) {
        const struct dj_triage_waiter *known = &groups->all[i].waiter;
        if (known->function == waiter->function &&
            get_function(calls, known->call) == get_function(calls, waiter->call)) {
            return &groups->all[i];
        }
    }
    DJ_XPUSH(groups->all, groups->count, (struct group){.waiter = *waiter});
    return &groups->all[groups->count - 1];
}

static void add_to_group(const struct dj_calls_tree *calls, struct groups *groups,
                         const struct dj_triage_wait *wait)
{
    struct dj_triage_waiter waiter = find_waiter(calls, wait->node);
    struct group *group = find_group(calls, groups, &waiter);
    bool is_new = !is_same_wait(wait, group->last);
    group->waiter.ns += wait->ns;
    group->waiter.waits += is_new;
    group->waiter.guessed += is_new && wait->guessed;
    group->waiter.frames += group->last == NULL || group->last->frame != wait->frame;
    group->last = wait;
    if (wait->ns > group->node_ns) {
        group->node_ns = wait->ns;
        group->waiter.node = waiter.node;
        group->waiter.call = waiter.call;
    }
}

static int by_time(const void *a, const void *b)
{
    const struct dj_triage_waiter *left = &((const struct group *)a)->waiter;
    const struct dj_triage_waiter *right = &((const struct group *)b)->waiter;
    int order = DJ_COMPARE(right->ns, left->ns);
    return order != 0 ? order : DJ_COMPARE(left->node, right->node);
}

static void add_waits(const struct dj_triage *triage, uint32_t cause,
                      const bool *has_frame, struct dj_triage_waiters *waiters,
                      struct groups *groups)
{
    const struct dj_triage_wait *last = NULL;
    for (size_t i = 0; i < triage->wait_count; i++) {
        const struct dj_triage_wait *wait = &triage->waits[i];
        if (triage->cause_of[wait->key] != cause || !has_frame[wait->frame]) {
            continue;
        }
        bool is_new = !is_same_wait(wait, last);
        last = wait;
        waiters->waits += is_new;
        waiters->ns += wait->ns;
        if (wait->node != DJ_CALLS_ROOT) {
            waiters->known_waits += is_new;
            waiters->known_ns += wait->ns;
            add_to_group(&triage->calls, groups, wait);
        }
    }
}

struct dj_triage_waiters *dj_triage_waits_find(const struct dj_triage *triage,
                                               uint32_t cause, const uint32_t *janky,
                                               size_t janky_count)
{
    struct dj_triage_waiters *waiters = dj_xcalloc(1, sizeof(*waiters));
    struct groups groups = {0};
    if (triage->wait_count > 0 && janky_count > 0) {
        bool *has_frame = dj_xcalloc(triage->frame_count, sizeof(*has_frame));
        for (size_t i = 0; i < janky_count; i++) {
            has_frame[janky[i]] = true;
        }
        add_waits(triage, cause, has_frame, waiters, &groups);
        free(has_frame);
    }
    if (groups.count > 0) {
        qsort(groups.all, groups.count, sizeof(*groups.all), by_time);
    }
    for (; waiters->count < groups.count && waiters->count < DJ_TRIAGE_WAITERS;
         waiters->count++) {
        waiters->all[waiters->count] = groups.all[waiters->count].waiter;
    }
    free(groups.all);
    if (waiters->waits == 0) {
        free(waiters);
        waiters = NULL;
    }
    return waiters;
}
