#include "triage/wait.h"

#include <string.h>

#include "base/checked.h"
#include "trace/event.h"
#include "triage/interrupts.h"
#include "triage/names.h"
#include "triage/relation.h"

/* A sleep, and what is known of its end. */
struct wait {
    struct dj_triage_path *path;
    const struct dj_triage_index *index;
    const struct dj_triage_thread *thread;
    const struct dj_trace_state *sleep;
    const struct dj_trace_state *woken; /* the state after it; NULL: none that tells */
    const struct dj_triage_thread *waker;
    int64_t from_ns, to_ns;
    struct dj_triage_piece piece;
};

static void put(struct wait *wait, enum dj_cause_kind kind)
{
    wait->piece.kind = (uint8_t)kind;
    dj_triage_path_put(wait->path, &wait->piece);
}

/* ---- what those did who were waited for ---- */

/* Whoever waited in turn was kept by somebody else: that one is looked at. */
static bool is_handed_on(const struct dj_triage_piece *piece)
{
    return (piece->kind == DJ_CAUSE_IPC || piece->kind == DJ_CAUSE_LOCK) &&
           piece->other != 0;
}

static void add_doing(struct dj_triage_doing *doing, const struct dj_triage_piece *piece)
{
    int64_t length_ns = piece->end_ns - piece->start_ns;
    if (is_handed_on(piece)) {
        doing->running += piece->doing.running;
        doing->ready += piece->doing.ready;
        doing->io += piece->doing.io;
        doing->asleep += piece->doing.asleep;
        doing->unknown += piece->doing.unknown;
        return;
    }
    switch (piece->state) {
    case DJ_THREAD_RUNNING:
        doing->running += length_ns;
        break;
    case DJ_THREAD_RUNNABLE:
    case DJ_THREAD_PREEMPTED:
        doing->ready += length_ns;
        break;
    case DJ_THREAD_UNKNOWN:
        doing->unknown += length_ns;
        break;
    default:
        if (piece->kind == DJ_CAUSE_IO) {
            doing->io += length_ns;
        } else {
            doing->asleep += length_ns;
        }
        break;
    }
}

/* The slice in which `tid` was longest among pieces; DJ_NO_SLICE: in none. */
static int32_t longest_slice(const struct dj_triage_path *path, size_t from, uint32_t tid)
{
    int32_t best = DJ_NO_SLICE;
    int64_t most_ns = 0;
    for (size_t i = from; i < path->count; i++) {
        const struct dj_triage_piece *piece = &path->pieces[i];
        int64_t length_ns = piece->end_ns - piece->start_ns;
        int32_t slice = piece->tid == tid                            ? piece->slice
                        : is_handed_on(piece) && piece->other == tid ? piece->other_slice
                                                                     : DJ_NO_SLICE;
        if (slice != DJ_NO_SLICE && length_ns > most_ns) {
            most_ns = length_ns;
            best = slice;
        }
    }
    return best;
}

static uint32_t who_had(const struct dj_triage_piece *piece)
{
    return is_handed_on(piece) ? piece->other : piece->tid;
}

/* Of the threads of other processes than the waiting one's, the one that had it longest:
 * who carries a message on is not who kept it. */
static uint32_t longest_peer(const struct wait *wait, size_t from, uint32_t otherwise)
{
    const struct dj_triage_path *path = wait->path;
    int64_t most_ns = 0;
    uint32_t best = otherwise;
    for (size_t i = from; i < path->count; i++) {
        uint32_t tid = who_had(&path->pieces[i]);
        const struct dj_triage_thread *thread = dj_triage_thread_of(path->index, tid);
        int64_t sum_ns = 0;
        if (thread == NULL || thread->kernel ||
            dj_triage_same_process(path->index, tid, wait->thread->tid)) {
            continue;
        }
        for (size_t j = from; j < path->count; j++) {
            sum_ns += who_had(&path->pieces[j]) == tid
                          ? path->pieces[j].end_ns - path->pieces[j].start_ns
                          : 0;
        }
        if (sum_ns > most_ns) {
            most_ns = sum_ns;
            best = tid;
        }
    }
    return best;
}

/* One piece for the whole wait; who was waited for is only looked at. */
static void put_waited_for(struct wait *wait, enum dj_cause_kind kind, uint32_t other)
{
    struct dj_triage_path *path = wait->path;
    size_t from = path->count;
    dj_triage_walk(path, other, wait->from_ns, wait->to_ns);
    wait->piece.other = kind == DJ_CAUSE_IPC ? longest_peer(wait, from, other) : other;
    for (size_t i = from; i < path->count; i++) {
        add_doing(&wait->piece.doing, &path->pieces[i]);
    }
    wait->piece.other_slice = longest_slice(path, from, wait->piece.other);
    path->count = from;
    put(wait, kind);
}

/* ---- another thread of the process ---- */

static void put_colleague(struct wait *wait)
{
    const struct dj_triage_thread *waker = wait->waker;
    if (dj_triage_relation(wait->path, wait->thread, wait->sleep, waker) ==
        DJ_TRIAGE_HOLDS) {
        put_waited_for(wait, DJ_CAUSE_LOCK, waker->tid);
    } else {
        dj_triage_walk(wait->path, waker->tid, wait->from_ns, wait->to_ns);
    }
}

/* ---- an interrupt ---- */

static void put_timer(struct wait *wait)
{
    int64_t asked_ns = dj_triage_asked_end(wait->index, wait->thread, wait->sleep);
    int64_t due_ns = asked_ns < wait->from_ns ? wait->from_ns : asked_ns;
    if (due_ns >= wait->to_ns) {
        put(wait, DJ_CAUSE_SLEEP);
        return;
    }
    wait->piece.end_ns = due_ns;
    put(wait, DJ_CAUSE_SLEEP);
    wait->piece.start_ns = due_ns;
    wait->piece.end_ns = wait->to_ns;
    wait->piece.detail = "timer";
    put(wait, DJ_CAUSE_LATE_WAKE);
}

static void put_interrupted(struct wait *wait)
{
    struct dj_interrupt interrupt = dj_triage_interrupt_of(wait->index, wait->woken);
    wait->piece.detail =
        interrupt.handler != NULL ? interrupt.handler : wait->piece.detail;
    if (dj_triage_is_blocked(wait->sleep) || interrupt.kind == DJ_INTERRUPT_BLOCK) {
        put(wait, DJ_CAUSE_IO);
    } else if (interrupt.kind == DJ_INTERRUPT_NETWORK) {
        /* A socket of this machine is written to within the writer's own call. */
        bool local = !interrupt.hard && wait->waker != NULL && !wait->waker->kernel &&
                     wait->waker != wait->thread;
        if (local) {
            put_waited_for(wait, DJ_CAUSE_IPC, wait->waker->tid);
        } else {
            wait->piece.detail = "network";
            put(wait, DJ_CAUSE_IPC);
        }
    } else if (interrupt.kind == DJ_INTERRUPT_GPU) {
        put(wait, DJ_CAUSE_GPU);
    } else if (interrupt.kind == DJ_INTERRUPT_TIMER) {
        put_timer(wait);
    } else {
        put(wait, DJ_CAUSE_UNEXPLAINED);
    }
}

/* ---- */

/* What the slices around it say; the outer ones, too. */
static enum dj_cause_kind told_by_slices(const struct wait *wait,
                                         enum dj_cause_kind (*tell)(const char *),
                                         int32_t *slice)
{
    const struct dj_triage_index *index = wait->index;
    for (int32_t at = wait->piece.slice; at != DJ_NO_SLICE; at = index->parents[at]) {
        enum dj_cause_kind kind = tell(index->trace->slices[at].name);
        if (kind != DJ_CAUSE_UNEXPLAINED) {
            *slice = at;
            return kind;
        }
    }
    return DJ_CAUSE_UNEXPLAINED;
}

/* A slice that says itself what is waited for. */
static bool put_told(struct wait *wait)
{
    int32_t slice;
    enum dj_cause_kind kind = told_by_slices(wait, dj_triage_wait_of, &slice);
    if (kind == DJ_CAUSE_LOCK) {
        uint32_t owner = dj_triage_owner_in(wait->index->trace->slices[slice].name);
        owner = dj_triage_thread_of(wait->index, owner) != NULL ? owner
                : wait->waker != NULL                           ? wait->waker->tid
                                                                : 0;
        if (owner != 0) {
            put_waited_for(wait, kind, owner);
            return true;
        }
    }
    if (kind == DJ_CAUSE_IPC && wait->waker != NULL && !wait->woken->interrupted) {
        put_waited_for(wait, kind, wait->waker->tid);
    } else if (kind != DJ_CAUSE_UNEXPLAINED) {
        wait->piece.other =
            wait->waker != NULL && kind == DJ_CAUSE_GC ? wait->waker->tid : 0;
        put(wait, kind);
    }
    return kind != DJ_CAUSE_UNEXPLAINED;
}

/* Nobody is known to have woken it. What it had asked for tells, if there is such: a
 * timer that had to end this sleep, a disk that was at work in it. */
static void put_unwoken(struct wait *wait)
{
    int32_t slice;
    const struct dj_trace_state *sleep = wait->sleep;
    enum dj_cause_kind kind = told_by_slices(wait, dj_triage_weak_wait_of, &slice);
    if (sleep->state == DJ_THREAD_BLOCKED_IO ||
        (dj_triage_is_blocked(sleep) && dj_triage_disk_worked(wait->index, sleep))) {
        put(wait, DJ_CAUSE_IO);
        return;
    }
    if (kind == DJ_CAUSE_UNEXPLAINED && wait->woken == NULL && !sleep->open &&
        dj_triage_asked_end(wait->index, wait->thread, sleep) != INT64_MAX) {
        put_timer(wait);
        return;
    }
    if (kind == DJ_CAUSE_UNEXPLAINED && !wait->index->has_wakers &&
        wait->piece.slice != DJ_NO_SLICE) {
        kind = DJ_CAUSE_SLEEP; /* the limits say that this is all there is to know */
    }
    put(wait, kind);
}

static void put_by_waker(struct wait *wait)
{
    if (wait->woken->interrupted) {
        put_interrupted(wait);
    } else if (wait->waker == NULL) {
        put_unwoken(wait);
    } else if (dj_triage_is_blocked(wait->sleep) &&
               (wait->waker->kernel || wait->sleep->state == DJ_THREAD_BLOCKED_IO)) {
        wait->piece.other = wait->waker->tid;
        put(wait, DJ_CAUSE_IO);
    } else if (wait->waker->kernel) {
        put_unwoken(wait);
    } else if (dj_triage_same_process(wait->index, wait->thread->tid, wait->waker->tid)) {
        put_colleague(wait);
    } else {
        put_waited_for(wait, DJ_CAUSE_IPC, wait->waker->tid);
    }
}

void dj_triage_wait(struct dj_triage_path *path, const struct dj_triage_thread *thread,
                    size_t state, int64_t from_ns, int64_t to_ns)
{
    const struct dj_triage_index *index = path->index;
    const struct dj_trace_state *sleep = &index->trace->states[index->states[state]];
    const struct dj_trace_state *next =
        state + 1 < thread->states.to ? &index->trace->states[index->states[state + 1]]
                                      : NULL;
    struct wait wait = {.path = path,
                        .index = index,
                        .thread = thread,
                        .sleep = sleep,
                        .from_ns = from_ns,
                        .to_ns = to_ns};
    if (!sleep->open && next != NULL && next->waker >= 0) {
        wait.woken = next;
        wait.waker =
            next->waker > 0 ? dj_triage_thread_of(index, (uint32_t)next->waker) : NULL;
    }
    wait.piece = (struct dj_triage_piece){
        .start_ns = from_ns,
        .end_ns = to_ns,
        .tid = thread->tid,
        .slice = dj_triage_slice_at(index, thread, from_ns, NULL),
        .other_slice = DJ_NO_SLICE,
        .waker = wait.woken != NULL ? wait.woken->waker : -1,
        .state = sleep->state,
        .interrupted = wait.woken != NULL && wait.woken->interrupted,
        .detail = sleep->blocked_in};
    if (sleep->state == DJ_THREAD_UNKNOWN || sleep->state == DJ_THREAD_STOPPED) {
        put(&wait, DJ_CAUSE_UNEXPLAINED);
    } else if (!put_told(&wait)) {
        if (wait.woken == NULL) {
            put_unwoken(&wait);
        } else {
            put_by_waker(&wait);
        }
    }
}
