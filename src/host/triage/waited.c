#include "triage/wait.h"

/* Whether the thread waited for another one in turn. Then that one's activity counts. */
static bool is_handed_on(const struct dj_triage_piece *piece)
{
    return (piece->kind == DJ_CAUSE_IPC || piece->kind == DJ_CAUSE_LOCK ||
            piece->kind == DJ_CAUSE_GC) &&
           piece->other != 0;
}

void dj_triage_doing_add(struct dj_triage_doing *sum, const struct dj_triage_doing *more)
{
    sum->running += more->running;
    sum->ready += more->ready;
    sum->io += more->io;
    sum->asleep += more->asleep;
    sum->unknown += more->unknown;
}

static void add_doing(struct dj_triage_doing *doing, const struct dj_triage_piece *piece)
{
    int64_t length_ns = piece->end_ns - piece->start_ns;
    if (is_handed_on(piece)) {
        dj_triage_doing_add(doing, &piece->doing);
        return;
    }
    bool ready =
        piece->state == DJ_THREAD_RUNNABLE || piece->state == DJ_THREAD_PREEMPTED;
    int64_t *part = piece->state == DJ_THREAD_RUNNING   ? &doing->running
                    : ready                             ? &doing->ready
                    : piece->state == DJ_THREAD_UNKNOWN ? &doing->unknown
                    : piece->kind == DJ_CAUSE_IO        ? &doing->io
                                                        : &doing->asleep;
    *part += length_ns;
}

/* Returns the slice in which `tid` was longest among the pieces from `from` on, or
 * DJ_NO_SLICE. */
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

/* Returns the thread of another process that had it longest: a thread that passes a
 * message on is not the cause. */
static uint32_t longest_peer(const struct dj_triage_path *path, size_t from,
                             uint32_t waiting, uint32_t otherwise)
{
    int64_t most_ns = 0;
    uint32_t best = otherwise;
    for (size_t i = from; i < path->count; i++) {
        uint32_t tid = who_had(&path->pieces[i]);
        const struct dj_triage_thread *thread = dj_triage_thread_of(path->index, tid);
        int64_t sum_ns = 0;
        if (thread == NULL || thread->kernel ||
            dj_triage_same_process(path->index, tid, waiting)) {
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

void dj_triage_look_at(struct dj_triage_path *path, struct dj_triage_piece *piece,
                       enum dj_cause_kind kind, uint32_t other)
{
    size_t from = path->count;
    dj_triage_walk(path, other, piece->start_ns, piece->end_ns);
    piece->other =
        kind == DJ_CAUSE_IPC ? longest_peer(path, from, piece->tid, other) : other;
    for (size_t i = from; i < path->count; i++) {
        add_doing(&piece->doing, &path->pieces[i]);
    }
    piece->other_slice = longest_slice(path, from, piece->other);
    path->count = from;
}
