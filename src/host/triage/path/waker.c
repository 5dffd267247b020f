#include "triage/path/wait.h"

#include "base/checked.h"
#include "triage/index/interrupts.h"

static bool is_asleep(const struct dj_trace_state *state)
{
    return state->state >= DJ_THREAD_SLEEPING || state->state == DJ_THREAD_UNKNOWN;
}

bool dj_triage_is_blocked(const struct dj_trace_state *state)
{
    return state->state == DJ_THREAD_BLOCKED || state->state == DJ_THREAD_BLOCKED_IO;
}

/* A sleep of the waker. It ended before the waker woke the waiting thread. */
struct past_sleep {
    /* Start and end of the sleep. The start is INT64_MIN if the sleep began before the
     * trace. */
    int64_t start_ns, end_ns;
    /* The sleep, or NULL if the sleep began before the trace. */
    const struct dj_trace_state *state;
    /* The state after the sleep, or NULL if it is unknown. */
    const struct dj_trace_state *after;
    bool known;
};

static int32_t get_waker(const struct past_sleep *past_sleep)
{
    return past_sleep->after != NULL && !past_sleep->after->interrupted
               ? past_sleep->after->waker
               : -1;
}

static void update_sleeps(struct past_sleep past_sleep, struct past_sleep *last,
                          struct past_sleep *longest)
{
    *last = last->known ? *last : past_sleep;
    if (!longest->known ||
        dj_checked_subtract_saturated(past_sleep.end_ns, past_sleep.start_ns) >
            dj_checked_subtract_saturated(longest->end_ns, longest->start_ns)) {
        *longest = past_sleep;
    }
}

/* Finds the last sleep and the longest sleep of the waker after the start of the frame.
 */
static void find_sleeps(const struct dj_triage_path *path,
                        const struct dj_trace_state *sleep,
                        const struct dj_triage_thread *waker, struct past_sleep *last,
                        struct past_sleep *longest)
{
    const struct dj_triage_index *index = path->index;
    size_t at = dj_triage_find_state(index, waker, sleep->end_ns);
    const struct dj_trace_state *next =
        at < waker->states.to ? dj_triage_get_state(index, at) : NULL;
    *last = *longest = (struct past_sleep){.known = false};
    while (at > waker->states.from) {
        const struct dj_trace_state *state = dj_triage_get_state(index, --at);
        if (last->known && state->end_ns < path->origin_ns) {
            return;
        }
        if (is_asleep(state)) {
            update_sleeps(
                (struct past_sleep){state->start_ns, state->end_ns, state, next, true},
                last, longest);
        }
        next = state;
    }
    /* The first event of a thread is often the wake-up that ends a sleep. The thread then
     * slept from the start of the trace on. */
    if (next != NULL && next->waker >= 0) {
        update_sleeps((struct past_sleep){INT64_MIN, next->start_ns, NULL, next, true},
                      last, longest);
    }
}

/* Returns true if the thread slept at `at_ns`, or if it has no events until then. */
static bool was_asleep(const struct dj_triage_index *index,
                       const struct dj_triage_thread *thread, int64_t at_ns)
{
    size_t at = dj_triage_find_state(index, thread, at_ns);
    if (at >= thread->states.to) {
        return true;
    }
    const struct dj_trace_state *state = dj_triage_get_state(index, at);
    return state->start_ns > at_ns || is_asleep(state);
}

/* Returns true if the thread is already on the path: it is the thread whose wait is being
 * explained, or it waits for that thread, directly or through other threads. */
static bool is_on_path(const struct dj_triage_path *path, int32_t tid)
{
    return tid > 0 && dj_triage_is_followed(path, (uint32_t)tid);
}

/* Maximum number of threads in a chain of wake-ups. */
enum { DEEP = 4 };

static bool is_holder(const struct dj_triage_path *path,
                      const struct dj_triage_thread *thread,
                      const struct dj_trace_state *sleep,
                      const struct dj_triage_thread *waker, int deep)
{
    struct past_sleep last, longest;
    find_sleeps(path, sleep, waker, &last, &longest);
    if (!last.known) {
        return true;
    }
    if (is_on_path(path, get_waker(&last)) || is_on_path(path, get_waker(&longest))) {
        return false;
    }
    bool slept_then =
        last.end_ns > sleep->start_ns && was_asleep(path->index, waker, sleep->start_ns);
    if (!slept_then || (last.state != NULL && dj_triage_is_blocked(last.state)) ||
        dj_triage_find_slice(path->index, waker, sleep->start_ns, NULL) != DJ_NO_SLICE) {
        return true;
    }
    if (get_waker(&last) >= 0) {
        /* A thread `by` woke the waker. If `by` belongs to the same process and was busy
         * with its own work, the waker counts as the holder. Otherwise the waker only
         * forwards a result for which it waited itself. */
        const struct dj_triage_thread *by =
            dj_triage_find_thread(path->index, (uint32_t)get_waker(&last));
        return by != NULL && by != thread && last.state != NULL && deep < DEEP &&
               dj_triage_is_same_process(path->index, thread->tid, by->tid) &&
               is_holder(path, thread, last.state, by, deep + 1);
    }
    return last.after == NULL ||
           dj_triage_find_interrupt(path->index, last.after).kind != DJ_INTERRUPT_NETWORK;
}

bool dj_triage_waker_is_holder(const struct dj_triage_path *path,
                               const struct dj_triage_thread *thread,
                               const struct dj_trace_state *sleep,
                               const struct dj_triage_thread *waker)
{
    return is_holder(path, thread, sleep, waker, 0);
}

/* Maximum number of wake-ups of each thread that are examined. */
enum { WAKES = 8 };

static bool is_called(const struct dj_triage_path *path,
                      const struct dj_triage_thread *thread, int64_t until_ns,
                      const struct dj_triage_thread *called, int deep)
{
    const struct dj_triage_index *index = path->index;
    size_t at = dj_triage_find_state(index, called, until_ns);
    for (int wakes = 0; at > called->states.from && wakes < WAKES;) {
        const struct dj_trace_state *state = dj_triage_get_state(index, --at);
        if (state->end_ns < path->origin_ns) {
            return false;
        }
        if (state->waker <= 0 || state->interrupted || state->start_ns >= until_ns) {
            continue;
        }
        const struct dj_triage_thread *waker =
            dj_triage_find_thread(index, (uint32_t)state->waker);
        if (dj_triage_is_same_process(index, thread->tid, (uint32_t)state->waker) ||
            (waker != NULL && deep < DEEP &&
             is_called(path, thread, state->start_ns, waker, deep + 1))) {
            return true;
        }
        wakes++;
    }
    return false;
}

bool dj_triage_is_called(const struct dj_triage_path *path,
                         const struct dj_triage_thread *thread, int64_t until_ns,
                         const struct dj_triage_thread *called)
{
    return is_called(path, thread, until_ns, called, 0);
}
