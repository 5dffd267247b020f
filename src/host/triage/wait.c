#include "triage/wait.h"

#include "triage/binder.h"
#include "triage/interrupts.h"
#include "triage/names.h"

/* A sleep, and what is known of its end. */
struct wait {
    struct dj_triage_path *path;
    const struct dj_triage_index *index;
    const struct dj_triage_thread *thread;
    const struct dj_trace_state *sleep;
    const struct dj_trace_state *woken; /* the next state; NULL: unknown */
    const struct dj_triage_thread *waker;
    struct dj_triage_piece piece;
};

static void put(struct wait *wait, enum dj_cause_kind kind)
{
    wait->piece.kind = (uint8_t)kind;
    dj_triage_path_put(wait->path, &wait->piece);
}

static void put_waited_for(struct wait *wait, enum dj_cause_kind kind, uint32_t other)
{
    dj_triage_look_at(wait->path, &wait->piece, kind, other);
    put(wait, kind);
}

static void put_colleague(struct wait *wait)
{
    const struct dj_triage_thread *waker = wait->waker;
    if (waker->tid == wait->path->origin_tid &&
        dj_triage_is_handed_over(wait->path, wait->thread, wait->piece.slice)) {
        dj_triage_walk(wait->path, waker->tid, wait->piece.start_ns, wait->piece.end_ns);
        return;
    }
    if (dj_triage_holds(wait->path, wait->thread, wait->sleep, waker)) {
        bool collects = dj_triage_collects(wait->index, waker, wait->sleep->end_ns - 1);
        put_waited_for(wait, collects ? DJ_CAUSE_GC : DJ_CAUSE_LOCK, waker->tid);
    } else {
        dj_triage_walk(wait->path, waker->tid, wait->piece.start_ns, wait->piece.end_ns);
    }
}

static void put_timer(struct wait *wait)
{
    int64_t asked_ns = dj_triage_asked_end(wait->index, wait->thread, wait->sleep);
    int64_t to_ns = wait->piece.end_ns;
    int64_t due_ns = asked_ns < wait->piece.start_ns ? wait->piece.start_ns : asked_ns;
    if (due_ns >= to_ns) {
        put(wait, DJ_CAUSE_SLEEP);
        return;
    }
    wait->piece.end_ns = due_ns;
    put(wait, DJ_CAUSE_SLEEP);
    wait->piece.start_ns = due_ns;
    wait->piece.end_ns = to_ns;
    wait->piece.detail = "timer";
    put(wait, DJ_CAUSE_LATE_WAKE);
}

static void put_interrupted(struct wait *wait)
{
    struct dj_triage_interrupt interrupt =
        dj_triage_interrupt_of(wait->index, wait->woken);
    bool blocked = dj_triage_is_blocked(wait->sleep);
    wait->piece.detail =
        interrupt.handler != NULL ? interrupt.handler : wait->piece.detail;
    if (!blocked && interrupt.handler == NULL &&
        dj_triage_timer_was_due(wait->index, wait->thread, wait->sleep)) {
        put_timer(wait); /* any softirq may contain its interrupt */
    } else if (blocked || interrupt.kind == DJ_INTERRUPT_BLOCK) {
        put(wait, DJ_CAUSE_IO);
    } else if (interrupt.kind == DJ_INTERRUPT_NETWORK) {
        /* Data for a socket of this machine is written in the writer's own call. */
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

/* Returns the kind that the names of the slices around it state, including outer ones. */
static enum dj_cause_kind told_by_slices(const struct wait *wait,
                                         enum dj_cause_kind (*kind_of)(const char *),
                                         int32_t *slice)
{
    return dj_triage_told_kind(wait->index, wait->piece.slice, kind_of, slice);
}

/* The holder is the thread that collects, or the one that ended the wait. */
static void put_collection(struct wait *wait)
{
    uint32_t other =
        dj_triage_collector_at(wait->index, wait->thread, wait->piece.end_ns - 1);
    other = other == 0 && wait->waker != NULL ? wait->waker->tid : other;
    if (other != 0) {
        put_waited_for(wait, DJ_CAUSE_GC, other);
    } else {
        put(wait, DJ_CAUSE_GC);
    }
}

/* A buffer comes back when the GPU or the display has finished with it. Another thread
 * that waits for the fence shows which. */
static void put_graphics(struct wait *wait, enum dj_cause_kind kind, int32_t slice)
{
    const struct dj_trace_slice *slices = wait->index->trace->slices;
    int32_t beside =
        dj_triage_is_buffer_wait(slices[slice].name)
            ? dj_triage_fence_beside(wait->index, wait->thread, wait->piece.end_ns - 1)
            : DJ_NO_SLICE;
    if (beside != DJ_NO_SLICE) {
        kind = dj_triage_wait_of(slices[beside].name);
        wait->piece.detail = slices[beside].name;
    } else if (slice != wait->piece.slice) {
        wait->piece.detail = slices[slice].name;
    }
    put(wait, kind);
}

/* Handles a slice whose name states the wait. */
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
    } else if (kind == DJ_CAUSE_GC) {
        put_collection(wait);
    } else if (kind == DJ_CAUSE_GPU || kind == DJ_CAUSE_DISPLAY) {
        put_graphics(wait, kind, slice);
    } else if (kind != DJ_CAUSE_UNEXPLAINED) {
        put(wait, kind);
    }
    return kind != DJ_CAUSE_UNEXPLAINED;
}

/* The kernel's fence events name the device. If it is neither GPU nor display, it is only
 * noted as a detail of the wait. */
static bool put_fence(struct wait *wait)
{
    const char *fence = dj_triage_fence_of(wait->index, wait->thread, wait->sleep);
    enum dj_cause_kind kind =
        fence != NULL ? dj_triage_fence_kind(fence) : DJ_CAUSE_UNEXPLAINED;
    wait->piece.detail = fence != NULL ? fence : wait->piece.detail;
    if (kind != DJ_CAUSE_UNEXPLAINED) {
        put(wait, kind);
    }
    return kind != DJ_CAUSE_UNEXPLAINED;
}

/* Binder events show which thread was called, even if another thread woke the caller. A
 * section within the call has precedence. So has one around it if the called thread
 * waited. */
static bool put_call(struct wait *wait)
{
    const struct dj_triage_call *call =
        wait->sleep->state == DJ_THREAD_SLEEPING
            ? dj_triage_call_at(wait->index, wait->thread, wait->sleep->start_ns, NULL)
            : NULL;
    int32_t slice = DJ_NO_SLICE;
    enum dj_cause_kind told = told_by_slices(wait, dj_triage_wait_of, &slice);
    if (call == NULL || (told != DJ_CAUSE_UNEXPLAINED && told != DJ_CAUSE_IPC &&
                         wait->index->trace->slices[slice].start_ns >= call->asked_ns)) {
        return false;
    }
    dj_triage_look_at(wait->path, &wait->piece, DJ_CAUSE_IPC, call->server);
    wait->piece.asked = call->server;
    wait->piece.detail = "binder";
    bool waited =
        (told == DJ_CAUSE_GPU || told == DJ_CAUSE_DISPLAY) &&
        2 * wait->piece.doing.asleep > wait->piece.end_ns - wait->piece.start_ns;
    put(wait, waited ? told : DJ_CAUSE_IPC);
    return true;
}

void dj_triage_called(struct dj_triage_path *path, const struct dj_triage_thread *thread,
                      const struct dj_triage_call *call, struct dj_triage_piece piece)
{
    piece.slice = dj_triage_slice_at(path->index, thread, piece.start_ns, NULL);
    piece.asked = call->server;
    piece.detail = "binder";
    piece.kind = DJ_CAUSE_IPC;
    dj_triage_look_at(path, &piece, DJ_CAUSE_IPC, call->server);
    dj_triage_path_put(path, &piece);
}

/* Handles a sleep that no known thread ended. What the thread had started before decides:
 * a timer that was due at its end, or a disk request. */
static void put_unwoken(struct wait *wait)
{
    const struct dj_trace_state *sleep = wait->sleep;
    enum dj_cause_kind kind = told_by_slices(wait, dj_triage_weak_wait_of, NULL);
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
        dj_triage_is_handed_over(wait->path, wait->thread, wait->piece.slice)) {
        dj_triage_walk(wait->path, wait->path->origin_tid, wait->piece.start_ns,
                       wait->piece.end_ns);
        return;
    }
    if (kind == DJ_CAUSE_UNEXPLAINED && !wait->index->has_wakers &&
        wait->piece.slice != DJ_NO_SLICE) {
        kind = DJ_CAUSE_SLEEP; /* nothing more is known, and the limits say so */
        wait->piece.untold = true;
    }
    put(wait, kind);
}

/* Handles traces whose events do not mark interrupts. The thread that ran then may not
 * have caused the wake-up, so only a thread that had been called counts as answering.
 * Returns false if the wake-up is attributed to the waker after all. */
static bool put_doubtful(struct wait *wait)
{
    const struct dj_triage_thread *waker = wait->waker;
    enum dj_cause_kind kind = told_by_slices(wait, dj_triage_weak_wait_of, NULL);
    if (!wait->index->trace->without_flags || kind == DJ_CAUSE_IPC) {
        return false;
    }
    if (dj_triage_same_process(wait->index, wait->thread->tid, waker->tid)) {
        if (kind == DJ_CAUSE_LOCK) {
            put_waited_for(wait, kind, waker->tid);
        }
        return kind == DJ_CAUSE_LOCK;
    }
    bool expired = kind == DJ_CAUSE_UNEXPLAINED &&
                   dj_triage_may_have_expired(wait->index, wait->thread, wait->sleep);
    if ((waker->kernel && !expired) ||
        dj_triage_is_asked(wait->path, wait->thread, wait->sleep->end_ns, waker)) {
        return false;
    }
    wait->piece.waker = -1;
    if (expired && wait->index->timers_sure) {
        put_timer(wait);
    } else if (expired) {
        put(wait, DJ_CAUSE_SLEEP);
    } else {
        put(wait, kind);
    }
    return true;
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
    } else if (put_doubtful(wait)) {
        return;
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
    const struct dj_trace_state *sleep = dj_triage_state(index, state);
    const struct dj_trace_state *next = dj_triage_next_state(index, thread, state);
    struct wait wait = {.path = path, .index = index, .thread = thread, .sleep = sleep};
    if (!sleep->open && next != NULL && next->waker >= 0) {
        wait.woken = next;
        wait.waker =
            next->waker > 0 ? dj_triage_thread_of(index, (uint32_t)next->waker) : NULL;
    }
    wait.piece = dj_triage_piece_of(thread->tid, sleep->state, from_ns, to_ns);
    wait.piece.slice = dj_triage_slice_at(index, thread, from_ns, NULL);
    wait.piece.detail = sleep->blocked_in;
    if (wait.woken != NULL) {
        wait.piece.waker = wait.woken->waker;
        wait.piece.interrupted = wait.woken->interrupted;
    }
    if (sleep->state == DJ_THREAD_UNKNOWN || sleep->state == DJ_THREAD_STOPPED) {
        put(&wait, DJ_CAUSE_UNEXPLAINED);
    } else if (!put_fence(&wait) && !put_call(&wait) && !put_told(&wait)) {
        if (wait.woken == NULL) {
            put_unwoken(&wait);
        } else {
            put_by_waker(&wait);
        }
    }
}
