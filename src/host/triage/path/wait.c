#include "triage/path/wait.h"

#include "triage/index/binder.h"
#include "triage/index/interrupts.h"
#include "triage/names.h"

/* A sleep of a thread, and what is known about the end of the sleep. */
struct wait {
    struct dj_triage_path *path;
    const struct dj_triage_index *index;
    const struct dj_triage_thread *thread;
    const struct dj_trace_state *sleep;
    /* State of the thread after the sleep, or NULL if it is unknown. */
    const struct dj_trace_state *woken;
    const struct dj_triage_thread *waker;
    struct dj_triage_piece piece;
};

static void append_piece(struct wait *wait, enum dj_cause_kind kind)
{
    wait->piece.kind = (uint8_t)kind;
    dj_triage_path_append(wait->path, &wait->piece);
}

static void append_with_holder(struct wait *wait, enum dj_cause_kind kind, uint32_t other)
{
    dj_triage_wait_set_holder(wait->path, &wait->piece, kind, other);
    append_piece(wait, kind);
}

static void append_colleague(struct wait *wait)
{
    const struct dj_triage_thread *waker = wait->waker;
    if (waker->tid == wait->path->origin_tid &&
        dj_triage_is_before_handover(wait->path, wait->thread, wait->piece.slice)) {
        dj_triage_walk_thread(wait->path, waker->tid, wait->piece.start_ns,
                              wait->piece.end_ns);
        return;
    }
    if (dj_triage_waker_is_holder(wait->path, wait->thread, wait->sleep, waker)) {
        bool collects =
            dj_triage_is_collecting(wait->index, waker, wait->sleep->end_ns - 1);
        append_with_holder(wait, collects ? DJ_CAUSE_GC : DJ_CAUSE_LOCK, waker->tid);
    } else {
        dj_triage_walk_thread(wait->path, waker->tid, wait->piece.start_ns,
                              wait->piece.end_ns);
    }
}

static void append_timer(struct wait *wait)
{
    int64_t request_ns = dj_triage_find_timer_end(wait->index, wait->thread, wait->sleep);
    int64_t to_ns = wait->piece.end_ns;
    int64_t due_ns =
        request_ns < wait->piece.start_ns ? wait->piece.start_ns : request_ns;
    if (due_ns >= to_ns) {
        append_piece(wait, DJ_CAUSE_SLEEP);
        return;
    }
    wait->piece.end_ns = due_ns;
    append_piece(wait, DJ_CAUSE_SLEEP);
    wait->piece.start_ns = due_ns;
    wait->piece.end_ns = to_ns;
    wait->piece.detail = "timer";
    append_piece(wait, DJ_CAUSE_LATE_WAKE);
}

static void append_interrupted(struct wait *wait)
{
    struct dj_triage_interrupt interrupt =
        dj_triage_find_interrupt(wait->index, wait->woken);
    bool blocked = dj_triage_is_blocked(wait->sleep);
    wait->piece.detail =
        interrupt.handler != NULL ? interrupt.handler : wait->piece.detail;
    if (!blocked && interrupt.handler == NULL &&
        dj_triage_is_timer_due(wait->index, wait->thread, wait->sleep)) {
        /* If the interrupt belongs to the timer, it can occur during any softirq. */
        append_timer(wait);
    } else if (blocked || interrupt.kind == DJ_INTERRUPT_BLOCK) {
        append_piece(wait, DJ_CAUSE_IO);
    } else if (interrupt.kind == DJ_INTERRUPT_NETWORK) {
        /* If a thread writes to a local socket, the kernel delivers the data in a network
         * softirq on the same CPU. So the softirq has interrupted the sender. */
        bool local = !interrupt.hard && wait->waker != NULL && !wait->waker->kernel &&
                     wait->waker != wait->thread;
        if (local) {
            append_with_holder(wait, DJ_CAUSE_IPC, wait->waker->tid);
        } else {
            wait->piece.detail = "network";
            append_piece(wait, DJ_CAUSE_IPC);
        }
    } else if (interrupt.kind == DJ_INTERRUPT_GPU) {
        append_piece(wait, DJ_CAUSE_GPU);
    } else if (interrupt.kind == DJ_INTERRUPT_TIMER) {
        append_timer(wait);
    } else {
        append_piece(wait, DJ_CAUSE_UNEXPLAINED);
    }
}

/* Returns the kind that the name of the wait's slice describes, or the name of a slice
 * around it. */
static enum dj_cause_kind find_slice_kind(const struct wait *wait,
                                          enum dj_cause_kind (*kind_of)(const char *),
                                          int32_t *slice)
{
    return dj_triage_find_named_kind(wait->index, wait->piece.slice, kind_of, slice);
}

/* Appends a wait for the garbage collector. The holder is the thread that collects
 * garbage. If there is no such thread, the holder is the thread that ended the wait. */
static void append_collection(struct wait *wait)
{
    uint32_t other =
        dj_triage_find_collector(wait->index, wait->thread, wait->piece.end_ns - 1);
    other = other == 0 && wait->waker != NULL ? wait->waker->tid : other;
    if (other != 0) {
        append_with_holder(wait, DJ_CAUSE_GC, other);
    } else {
        append_piece(wait, DJ_CAUSE_GC);
    }
}

/* Appends a wait for the GPU or the display. A wait for a buffer ends when the GPU or the
 * display has finished with the buffer. If another thread of the process waits for a
 * fence at this time, the section of that thread shows whether the GPU or the display is
 * slow. */
static void append_graphics(struct wait *wait, enum dj_cause_kind kind, int32_t slice)
{
    const struct dj_trace_slice *slices = wait->index->trace->slices;
    int32_t other_slice = dj_triage_is_buffer_wait(slices[slice].name)
                              ? dj_triage_find_fence_section(wait->index, wait->thread,
                                                             wait->piece.end_ns - 1)
                              : DJ_NO_SLICE;
    if (other_slice != DJ_NO_SLICE) {
        kind = dj_triage_get_wait_kind(slices[other_slice].name);
        wait->piece.detail = slices[other_slice].name;
    } else if (slice != wait->piece.slice) {
        wait->piece.detail = slices[slice].name;
    }
    append_piece(wait, kind);
}

/* Appends the wait if the name of its slice describes the kind of wait. Returns false if
 * no name does. */
static bool append_named(struct wait *wait)
{
    int32_t slice;
    enum dj_cause_kind kind = find_slice_kind(wait, dj_triage_get_wait_kind, &slice);
    if (kind == DJ_CAUSE_LOCK) {
        uint32_t owner = dj_triage_parse_owner(wait->index->trace->slices[slice].name);
        owner = dj_triage_find_thread(wait->index, owner) != NULL ? owner
                : wait->waker != NULL                             ? wait->waker->tid
                                                                  : 0;
        if (owner != 0) {
            append_with_holder(wait, kind, owner);
            return true;
        }
    }
    if (kind == DJ_CAUSE_IPC && wait->waker != NULL && !wait->woken->interrupted) {
        append_with_holder(wait, kind, wait->waker->tid);
    } else if (kind == DJ_CAUSE_GC) {
        append_collection(wait);
    } else if (kind == DJ_CAUSE_GPU || kind == DJ_CAUSE_DISPLAY) {
        append_graphics(wait, kind, slice);
    } else if (kind != DJ_CAUSE_UNEXPLAINED) {
        append_piece(wait, kind);
    }
    return kind != DJ_CAUSE_UNEXPLAINED;
}

/* Appends the wait if it is a wait for a fence of the GPU or the display. The kernel's
 * events about fences contain the name of the device. If the fence belongs to another
 * device, sets only the detail of the piece and returns false. */
static bool append_fence(struct wait *wait)
{
    const char *fence = dj_triage_find_fence(wait->index, wait->thread, wait->sleep);
    enum dj_cause_kind kind =
        fence != NULL ? dj_triage_get_fence_kind(fence) : DJ_CAUSE_UNEXPLAINED;
    wait->piece.detail = fence != NULL ? fence : wait->piece.detail;
    if (kind != DJ_CAUSE_UNEXPLAINED) {
        append_piece(wait, kind);
    }
    return kind != DJ_CAUSE_UNEXPLAINED;
}

/* Appends the wait if the thread waits for the reply to a binder call. Binder events show
 * which thread was called, even if another thread has woken the caller. Returns false if
 * a slice inside the call describes another wait. If a slice around the call describes a
 * wait for the GPU or the display, and the called thread mostly slept, appends this kind
 * of wait. */
static bool append_call(struct wait *wait)
{
    const struct dj_triage_call *call =
        wait->sleep->state == DJ_THREAD_SLEEPING
            ? dj_triage_find_call(wait->index, wait->thread, wait->sleep->start_ns, NULL)
            : NULL;
    int32_t slice = DJ_NO_SLICE;
    enum dj_cause_kind named_kind =
        find_slice_kind(wait, dj_triage_get_wait_kind, &slice);
    if (call == NULL ||
        (named_kind != DJ_CAUSE_UNEXPLAINED && named_kind != DJ_CAUSE_IPC &&
         wait->index->trace->slices[slice].start_ns >= call->request_ns)) {
        return false;
    }
    dj_triage_wait_set_holder(wait->path, &wait->piece, DJ_CAUSE_IPC, call->server);
    wait->piece.called_tid = call->server;
    wait->piece.detail = "binder";
    bool waited =
        (named_kind == DJ_CAUSE_GPU || named_kind == DJ_CAUSE_DISPLAY) &&
        2 * wait->piece.activity.asleep > wait->piece.end_ns - wait->piece.start_ns;
    append_piece(wait, waited ? named_kind : DJ_CAUSE_IPC);
    return true;
}

void dj_triage_wait_append_call(struct dj_triage_path *path,
                                const struct dj_triage_thread *thread,
                                const struct dj_triage_call *call,
                                struct dj_triage_piece piece)
{
    piece.slice = dj_triage_find_slice(path->index, thread, piece.start_ns, NULL);
    piece.called_tid = call->server;
    piece.detail = "binder";
    piece.kind = DJ_CAUSE_IPC;
    dj_triage_wait_set_holder(path, &piece, DJ_CAUSE_IPC, call->server);
    dj_triage_path_append(path, &piece);
}

/* Appends a sleep that no known thread has ended. The thread itself has then started the
 * reason of the sleep: a disk request, or a timer that expired at the end of the
 * sleep. */
static void append_unwoken(struct wait *wait)
{
    const struct dj_trace_state *sleep = wait->sleep;
    enum dj_cause_kind kind = find_slice_kind(wait, dj_triage_get_weak_wait_kind, NULL);
    if (sleep->state == DJ_THREAD_BLOCKED_IO ||
        (dj_triage_is_blocked(sleep) && dj_triage_is_disk_active(wait->index, sleep))) {
        append_piece(wait, DJ_CAUSE_IO);
        return;
    }
    if (kind == DJ_CAUSE_UNEXPLAINED && wait->woken == NULL && !sleep->open &&
        dj_triage_find_timer_end(wait->index, wait->thread, sleep) != INT64_MAX) {
        append_timer(wait);
        return;
    }
    if (kind == DJ_CAUSE_UNEXPLAINED && !wait->index->has_wakers &&
        dj_triage_is_before_handover(wait->path, wait->thread, wait->piece.slice)) {
        dj_triage_walk_thread(wait->path, wait->path->origin_tid, wait->piece.start_ns,
                              wait->piece.end_ns);
        return;
    }
    if (kind == DJ_CAUSE_UNEXPLAINED && !wait->index->has_wakers &&
        wait->piece.slice != DJ_NO_SLICE) {
        /* Nothing else is known about the sleep, and a note of the result reports
         * this. */
        kind = DJ_CAUSE_SLEEP;
        wait->piece.reason_unknown = true;
    }
    append_piece(wait, kind);
}

/* Appends a wait in a trace whose events do not show interrupts. The thread that ran when
 * the waiting thread was woken may not be the waker, because an interrupt may have woken
 * the waiting thread. Therefore a waker of another process is accepted only if the
 * waiting process had called it before. Returns false if the waker is accepted. */
static bool append_unflagged(struct wait *wait)
{
    const struct dj_triage_thread *waker = wait->waker;
    enum dj_cause_kind kind = find_slice_kind(wait, dj_triage_get_weak_wait_kind, NULL);
    if (!wait->index->trace->without_flags || kind == DJ_CAUSE_IPC) {
        return false;
    }
    if (dj_triage_is_same_process(wait->index, wait->thread->tid, waker->tid)) {
        if (kind == DJ_CAUSE_LOCK) {
            append_with_holder(wait, kind, waker->tid);
        }
        return kind == DJ_CAUSE_LOCK;
    }
    bool expired = kind == DJ_CAUSE_UNEXPLAINED &&
                   dj_triage_is_timer_possible(wait->index, wait->thread, wait->sleep);
    if ((waker->kernel && !expired) ||
        dj_triage_is_called(wait->path, wait->thread, wait->sleep->end_ns, waker)) {
        return false;
    }
    wait->piece.waker = -1;
    if (expired && wait->index->timer_offset_known) {
        append_timer(wait);
    } else if (expired) {
        append_piece(wait, DJ_CAUSE_SLEEP);
    } else {
        append_piece(wait, kind);
    }
    return true;
}

static void append_by_waker(struct wait *wait)
{
    if (wait->woken->interrupted) {
        append_interrupted(wait);
    } else if (wait->waker == NULL) {
        append_unwoken(wait);
    } else if (dj_triage_is_blocked(wait->sleep) &&
               (wait->waker->kernel || wait->sleep->state == DJ_THREAD_BLOCKED_IO)) {
        wait->piece.other = wait->waker->tid;
        append_piece(wait, DJ_CAUSE_IO);
    } else if (append_unflagged(wait)) {
        return;
    } else if (wait->waker->kernel) {
        append_unwoken(wait);
    } else if (dj_triage_is_same_process(wait->index, wait->thread->tid,
                                         wait->waker->tid)) {
        append_colleague(wait);
    } else {
        append_with_holder(wait, DJ_CAUSE_IPC, wait->waker->tid);
    }
}

void dj_triage_wait_append(struct dj_triage_path *path,
                           const struct dj_triage_thread *thread, size_t state,
                           int64_t from_ns, int64_t to_ns)
{
    const struct dj_triage_index *index = path->index;
    const struct dj_trace_state *sleep = dj_triage_get_state(index, state);
    const struct dj_trace_state *next = dj_triage_get_next_state(index, thread, state);
    struct wait wait = {.path = path, .index = index, .thread = thread, .sleep = sleep};
    if (!sleep->open && next != NULL && next->waker >= 0) {
        wait.woken = next;
        wait.waker =
            next->waker > 0 ? dj_triage_find_thread(index, (uint32_t)next->waker) : NULL;
    }
    wait.piece = dj_triage_piece_init(thread->tid, sleep->state, from_ns, to_ns);
    wait.piece.slice = dj_triage_find_slice(index, thread, from_ns, NULL);
    wait.piece.detail = sleep->blocked_in;
    if (wait.woken != NULL) {
        wait.piece.waker = wait.woken->waker;
        wait.piece.interrupted = wait.woken->interrupted;
    }
    if (sleep->state == DJ_THREAD_UNKNOWN || sleep->state == DJ_THREAD_STOPPED) {
        append_piece(&wait, DJ_CAUSE_UNEXPLAINED);
    } else if (!append_fence(&wait) && !append_call(&wait) && !append_named(&wait)) {
        if (wait.woken == NULL) {
            append_unwoken(&wait);
        } else {
            append_by_waker(&wait);
        }
    }
}
