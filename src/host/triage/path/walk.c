#include "triage/path/path.h"

#include "triage/index/binder.h"
#include "triage/index/cpu_speeds.h"
#include "triage/names.h"
#include "triage/path/wait.h"

/* Returns the kind of work that the names of the slice and of the slices around it
 * describe, or DJ_CAUSE_OWN_WORK if no name describes a kind. */
static enum dj_cause_kind get_work_kind(const struct dj_triage_index *index,
                                        int32_t slice)
{
    enum dj_cause_kind kind =
        dj_triage_find_named_kind(index, slice, dj_triage_get_work_kind, NULL);
    return kind == DJ_CAUSE_UNEXPLAINED ? DJ_CAUSE_OWN_WORK : kind;
}

/* Appends the piece. If the thread's innermost slice changes during the piece, appends
 * one piece for each slice. */
static void append_by_slices(struct dj_triage_path *path,
                             const struct dj_triage_thread *thread,
                             struct dj_triage_piece piece, bool work)
{
    int64_t to_ns = piece.end_ns;
    for (int64_t at_ns = piece.start_ns; at_ns < to_ns; at_ns = piece.end_ns) {
        int64_t until_ns;
        piece.slice = dj_triage_find_slice(path->index, thread, at_ns, &until_ns);
        piece.start_ns = at_ns;
        piece.end_ns = until_ns < to_ns ? until_ns : to_ns;
        piece.kind =
            (uint8_t)(work ? get_work_kind(path->index, piece.slice) : piece.kind);
        dj_triage_path_append(path, &piece);
    }
}

/* Returns the CPU for which the thread waited. This is the CPU on which the thread ran
 * next. If it is unknown, it is the CPU on which the thread was before. */
static int32_t find_cpu(const struct dj_triage_index *index,
                        const struct dj_triage_thread *thread, size_t at)
{
    const struct dj_trace_state *state = dj_triage_get_state(index, at);
    const struct dj_trace_state *next = dj_triage_get_next_state(index, thread, at);
    return next != NULL && next->state == DJ_THREAD_RUNNING ? next->cpu : state->cpu;
}

/* Appends the piece as a wait for the reply to a call, if the thread has called the
 * thread that has the CPU. The kernel often gives the CPU of the caller to the thread
 * that serves the call, because the caller must wait for the reply anyway. Otherwise
 * returns false. */
static bool append_served(struct dj_triage_path *path,
                          const struct dj_triage_thread *thread, uint32_t runner,
                          struct dj_triage_piece piece)
{
    const struct dj_triage_call *call =
        dj_triage_find_call(path->index, thread, piece.start_ns, NULL);
    if (call == NULL || call->server != runner) {
        return false;
    }
    piece.other = 0;
    piece.state = DJ_THREAD_SLEEPING;
    dj_triage_wait_append_call(path, thread, call, piece);
    return true;
}

/* Divides `rest` at until_ns. Appends the first part, in which thread `other` had the
 * CPU, and sets `rest` to the second part. `other` is 0 if it is unknown. */
static void append_until(struct dj_triage_path *path,
                         const struct dj_triage_thread *thread,
                         struct dj_triage_piece *rest, int64_t until_ns,
                         enum dj_cause_kind kind, uint32_t other)
{
    struct dj_triage_piece piece = *rest;
    piece.end_ns = until_ns < rest->end_ns ? until_ns : rest->end_ns;
    piece.kind = (uint8_t)kind;
    piece.other = other;
    if (piece.end_ns <= piece.start_ns) {
        return;
    }
    rest->start_ns = piece.end_ns;
    if (other == 0 || !append_served(path, thread, other, piece)) {
        append_by_slices(path, thread, piece, false);
    }
}

/* Appends pieces for a time in which the thread was ready to run. Each piece contains the
 * thread that had the CPU. If the CPU was idle, the piece is a late wake-up. */
static void append_ready(struct dj_triage_path *path,
                         const struct dj_triage_thread *thread, size_t at,
                         int64_t from_ns, int64_t to_ns)
{
    const struct dj_triage_index *index = path->index;
    const struct dj_triage_cpu *cpu = NULL;
    if (index->has_others) {
        cpu = dj_triage_find_cpu(index, find_cpu(index, thread, at));
    }
    struct dj_triage_piece rest = dj_triage_piece_init(
        thread->tid, dj_triage_get_state(index, at)->state, from_ns, to_ns);
    size_t run = cpu != NULL ? dj_triage_find_run(index, cpu, from_ns) : 0;
    for (; cpu != NULL && run < cpu->runs.to; run++) {
        const struct dj_trace_state *runs = &index->trace->states[index->runs[run]];
        if (runs->start_ns >= to_ns) {
            break;
        }
        append_until(path, thread, &rest, runs->start_ns, DJ_CAUSE_LATE_WAKE, 0);
        append_until(path, thread, &rest, runs->end_ns, DJ_CAUSE_RUNNABLE, runs->tid);
    }
    append_until(path, thread, &rest, to_ns,
                 cpu != NULL ? DJ_CAUSE_LATE_WAKE : DJ_CAUSE_RUNNABLE, 0);
}

/* Appends work on a slow CPU. For each section, first appends the time that the work
 * would have taken at the expected speed, then the time that was lost. */
static void append_slowed(struct dj_triage_path *path,
                          const struct dj_triage_thread *thread,
                          struct dj_triage_piece piece, const struct dj_triage_pace *pace)
{
    int64_t to_ns = piece.end_ns;
    for (int64_t at_ns = piece.start_ns, end_ns; at_ns < to_ns; at_ns = end_ns) {
        int64_t until_ns;
        dj_triage_find_slice(path->index, thread, at_ns, &until_ns);
        end_ns = until_ns < to_ns ? until_ns : to_ns;
        piece.start_ns = at_ns;
        piece.end_ns = end_ns - dj_triage_compute_lost_ns(pace, end_ns - at_ns);
        append_by_slices(path, thread, piece, true);
        struct dj_triage_piece lost = piece;
        lost.start_ns = piece.end_ns;
        lost.end_ns = end_ns;
        lost.kind = DJ_CAUSE_FREQUENCY;
        lost.expected_khz = pace->expected_khz;
        lost.is_limited = pace->is_limited;
        lost.core_khz = pace->core_khz;
        append_by_slices(path, thread, lost, false);
    }
}

static void append_running(struct dj_triage_path *path,
                           const struct dj_triage_thread *thread, size_t at,
                           int64_t from_ns, int64_t to_ns)
{
    const struct dj_triage_index *index = path->index;
    const struct dj_trace_state *state = dj_triage_get_state(index, at);
    for (int64_t at_ns = from_ns, end_ns; at_ns < to_ns; at_ns = end_ns) {
        int64_t until_ns;
        struct dj_triage_pace pace =
            dj_triage_find_pace(index, state->cpu, at_ns, &until_ns);
        end_ns = until_ns < to_ns ? until_ns : to_ns;
        struct dj_triage_piece piece =
            dj_triage_piece_init(thread->tid, state->state, at_ns, end_ns);
        piece.cpu = state->cpu;
        piece.khz = pace.khz;
        if (pace.expected_khz > 0) {
            append_slowed(path, thread, piece, &pace);
        } else {
            append_by_slices(path, thread, piece, true);
        }
    }
}

static void append_state(struct dj_triage_path *path,
                         const struct dj_triage_thread *thread, size_t at,
                         int64_t from_ns, int64_t to_ns)
{
    const struct dj_triage_index *index = path->index;
    enum dj_thread_state state = dj_triage_get_state(index, at)->state;
    if (state == DJ_THREAD_RUNNING) {
        append_running(path, thread, at, from_ns, to_ns);
    } else if (state == DJ_THREAD_RUNNABLE || state == DJ_THREAD_PREEMPTED) {
        append_ready(path, thread, at, from_ns, to_ns);
    } else {
        dj_triage_wait_append(path, thread, at, from_ns, to_ns);
    }
}

/* Appends the piece if the name of its section describes the kind of wait. The name of a
 * wait for a lock also contains the owner. Returns false if no name describes a kind. */
static bool append_named(struct dj_triage_path *path,
                         const struct dj_triage_thread *thread,
                         struct dj_triage_piece piece)
{
    const struct dj_triage_index *index = path->index;
    int32_t named_slice;
    enum dj_cause_kind kind = dj_triage_find_named_kind(
        index, piece.slice, dj_triage_get_wait_kind, &named_slice);
    if (kind == DJ_CAUSE_UNEXPLAINED) {
        return false;
    }
    uint32_t other =
        kind == DJ_CAUSE_LOCK
            ? dj_triage_parse_owner(index->trace->slices[named_slice].name)
        : kind == DJ_CAUSE_GC
            ? dj_triage_find_collector(
                  index, thread, piece.start_ns + (piece.end_ns - piece.start_ns) / 2)
            : 0;
    piece.kind = (uint8_t)kind;
    if (other != 0 && dj_triage_find_thread(index, other) != NULL) {
        dj_triage_wait_set_holder(path, &piece, kind, other);
    }
    dj_triage_path_append(path, &piece);
    return true;
}

/* Appends pieces for a trace without thread states. Such a trace shows only sections and
 * binder calls. All other time is treated as work, and a note of the result says so. */
static void append_stateless(struct dj_triage_path *path,
                             const struct dj_triage_thread *thread, int64_t from_ns,
                             int64_t to_ns)
{
    const struct dj_triage_index *index = path->index;
    for (int64_t at_ns = from_ns, end_ns; at_ns < to_ns; at_ns = end_ns) {
        int64_t until_ns;
        int64_t inner_ns;
        const struct dj_triage_call *call =
            dj_triage_find_call(index, thread, at_ns, &until_ns);
        int32_t slice = dj_triage_find_slice(index, thread, at_ns, &inner_ns);
        until_ns = call == NULL && inner_ns < until_ns ? inner_ns : until_ns;
        end_ns = until_ns < to_ns ? until_ns : to_ns;
        struct dj_triage_piece piece =
            dj_triage_piece_init(thread->tid, DJ_THREAD_UNKNOWN, at_ns, end_ns);
        if (call != NULL) {
            dj_triage_wait_append_call(path, thread, call, piece);
        } else if (dj_triage_is_before_handover(path, thread, slice)) {
            dj_triage_walk_thread(path, path->origin_tid, at_ns, end_ns);
        } else {
            piece.slice = slice;
            if (!append_named(path, thread, piece)) {
                append_by_slices(path, thread, piece, true);
            }
        }
    }
}

static void append_unknown(struct dj_triage_path *path,
                           const struct dj_triage_thread *thread, int64_t from_ns,
                           int64_t to_ns)
{
    if (!path->index->has_states) {
        append_stateless(path, thread, from_ns, to_ns);
    } else {
        append_by_slices(
            path, thread,
            dj_triage_piece_init(thread->tid, DJ_THREAD_UNKNOWN, from_ns, to_ns), false);
    }
}

static void walk_states(struct dj_triage_path *path,
                        const struct dj_triage_thread *thread, int64_t from_ns,
                        int64_t to_ns)
{
    const struct dj_triage_index *index = path->index;
    int64_t at_ns = from_ns;
    for (size_t at = dj_triage_find_state(index, thread, from_ns);
         at < thread->states.to && at_ns < to_ns; at++) {
        const struct dj_trace_state *state = dj_triage_get_state(index, at);
        if (state->start_ns >= to_ns) {
            break;
        }
        if (state->start_ns > at_ns) {
            append_unknown(path, thread, at_ns, state->start_ns);
            at_ns = state->start_ns;
        }
        int64_t end_ns = state->end_ns < to_ns ? state->end_ns : to_ns;
        if (end_ns > at_ns) {
            append_state(path, thread, at, at_ns, end_ns);
            at_ns = end_ns;
        }
    }
    append_unknown(path, thread, at_ns, to_ns);
}

void dj_triage_walk_thread(struct dj_triage_path *path, uint32_t tid, int64_t from_ns,
                           int64_t to_ns)
{
    const struct dj_triage_thread *thread = dj_triage_find_thread(path->index, tid);
    if (thread == NULL || path->depth == DJ_PATH_DEPTH ||
        dj_triage_is_followed(path, tid)) {
        struct dj_triage_piece piece =
            dj_triage_piece_init(tid, DJ_THREAD_UNKNOWN, from_ns, to_ns);
        dj_triage_path_append(path, &piece);
        return;
    }
    path->chain[path->depth++] = tid;
    walk_states(path, thread, from_ns, to_ns);
    path->depth--;
}
