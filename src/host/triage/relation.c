#include "triage/wait.h"

#include "base/checked.h"
#include "triage/interrupts.h"

static bool is_asleep(const struct dj_trace_state *state)
{
    return state->state >= DJ_THREAD_SLEEPING || state->state == DJ_THREAD_UNKNOWN;
}

bool dj_triage_is_blocked(const struct dj_trace_state *state)
{
    return state->state == DJ_THREAD_BLOCKED || state->state == DJ_THREAD_BLOCKED_IO;
}

/* A sleep of the waker that ended before it woke the waiting thread. */
struct rest {
    int64_t start_ns, end_ns;           /* INT64_MIN: it began before the trace */
    const struct dj_trace_state *state; /* NULL: it began before the trace */
    const struct dj_trace_state *after; /* NULL: unknown */
    bool known;
};

static int32_t woken_by(const struct rest *rest)
{
    return rest->after != NULL && !rest->after->interrupted ? rest->after->waker : -1;
}

static void take_rest(struct rest rest, struct rest *last, struct rest *longest)
{
    *last = last->known ? *last : rest;
    if (!longest->known ||
        dj_subtract_saturated(rest.end_ns, rest.start_ns) >
            dj_subtract_saturated(longest->end_ns, longest->start_ns)) {
        *longest = rest;
    }
}

/* Finds the waker's last sleep and the longest one that ended since the frame began. */
static void find_rests(const struct dj_triage_path *path,
                       const struct dj_trace_state *sleep,
                       const struct dj_triage_thread *waker, struct rest *last,
                       struct rest *longest)
{
    const struct dj_triage_index *index = path->index;
    size_t at = dj_triage_state_at(index, waker, sleep->end_ns);
    const struct dj_trace_state *next =
        at < waker->states.to ? dj_triage_state(index, at) : NULL;
    *last = *longest = (struct rest){.known = false};
    while (at > waker->states.from) {
        const struct dj_trace_state *state = dj_triage_state(index, --at);
        if (last->known && state->end_ns < path->origin_ns) {
            return;
        }
        if (is_asleep(state)) {
            take_rest((struct rest){state->start_ns, state->end_ns, state, next, true},
                      last, longest);
        }
        next = state;
    }
    /* The first event of a thread is often its wake-up. */
    if (next != NULL && next->waker >= 0) {
        take_rest((struct rest){INT64_MIN, next->start_ns, NULL, next, true}, last,
                  longest);
    }
}

/* Whether the thread was asleep, or the trace does not contain it yet. */
static bool slept_at(const struct dj_triage_index *index,
                     const struct dj_triage_thread *thread, int64_t at_ns)
{
    size_t at = dj_triage_state_at(index, thread, at_ns);
    if (at >= thread->states.to) {
        return true;
    }
    const struct dj_trace_state *state = dj_triage_state(index, at);
    return state->start_ns > at_ns || is_asleep(state);
}

/* Whether tid is the waiting thread, or one that waits for it. */
static bool is_one_of_us(const struct dj_triage_path *path, int32_t tid)
{
    return tid > 0 && dj_triage_is_followed(path, (uint32_t)tid);
}

/* Chains of at most this many threads are followed. */
enum { DEEP = 4 };

static bool holds(const struct dj_triage_path *path,
                  const struct dj_triage_thread *thread,
                  const struct dj_trace_state *sleep,
                  const struct dj_triage_thread *waker, int deep)
{
    struct rest last, longest;
    find_rests(path, sleep, waker, &last, &longest);
    if (!last.known) {
        return true;
    }
    if (is_one_of_us(path, woken_by(&last)) || is_one_of_us(path, woken_by(&longest))) {
        return false;
    }
    bool slept_then =
        last.end_ns > sleep->start_ns && slept_at(path->index, waker, sleep->start_ns);
    if (!slept_then || (last.state != NULL && dj_triage_is_blocked(last.state)) ||
        dj_triage_slice_at(path->index, waker, sleep->start_ns, NULL) != DJ_NO_SLICE) {
        return true;
    }
    if (woken_by(&last) >= 0) {
        /* If another thread of the process, busy with its own work, kept the waker
         * waiting, the waker holds what we wait for. If the waker waited for an answer on
         * our behalf, it passes it on. */
        const struct dj_triage_thread *by =
            dj_triage_thread_of(path->index, (uint32_t)woken_by(&last));
        return by != NULL && by != thread && last.state != NULL && deep < DEEP &&
               dj_triage_same_process(path->index, thread->tid, by->tid) &&
               holds(path, thread, last.state, by, deep + 1);
    }
    return last.after == NULL ||
           dj_triage_interrupt_of(path->index, last.after).kind != DJ_INTERRUPT_NETWORK;
}

bool dj_triage_holds(const struct dj_triage_path *path,
                     const struct dj_triage_thread *thread,
                     const struct dj_trace_state *sleep,
                     const struct dj_triage_thread *waker)
{
    return holds(path, thread, sleep, waker, 0);
}

/* At most this many wake-ups of each thread are followed. */
enum { WAKES = 8 };

static bool is_asked(const struct dj_triage_path *path,
                     const struct dj_triage_thread *thread, int64_t until_ns,
                     const struct dj_triage_thread *asked, int deep)
{
    const struct dj_triage_index *index = path->index;
    size_t at = dj_triage_state_at(index, asked, until_ns);
    for (int wakes = 0; at > asked->states.from && wakes < WAKES;) {
        const struct dj_trace_state *state = dj_triage_state(index, --at);
        if (state->end_ns < path->origin_ns) {
            return false;
        }
        if (state->waker <= 0 || state->interrupted || state->start_ns >= until_ns) {
            continue;
        }
        const struct dj_triage_thread *waker =
            dj_triage_thread_of(index, (uint32_t)state->waker);
        if (dj_triage_same_process(index, thread->tid, (uint32_t)state->waker) ||
            (waker != NULL && deep < DEEP &&
             is_asked(path, thread, state->start_ns, waker, deep + 1))) {
            return true;
        }
        wakes++;
    }
    return false;
}

bool dj_triage_is_asked(const struct dj_triage_path *path,
                        const struct dj_triage_thread *thread, int64_t until_ns,
                        const struct dj_triage_thread *asked)
{
    return is_asked(path, thread, until_ns, asked, 0);
}
