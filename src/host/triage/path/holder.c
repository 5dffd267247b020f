#include "triage/path/wait.h"

/* Returns true if the piece is a wait for another thread. The path then also describes
 * what the other thread did. */
static bool has_holder(const struct dj_triage_piece *piece)
{
    return (piece->kind == DJ_CAUSE_IPC || piece->kind == DJ_CAUSE_LOCK ||
            piece->kind == DJ_CAUSE_GC) &&
           piece->other != 0;
}

void dj_triage_activity_add(struct dj_triage_activity *sum,
                            const struct dj_triage_activity *more)
{
    sum->running += more->running;
    sum->ready += more->ready;
    sum->io += more->io;
    sum->asleep += more->asleep;
    sum->unknown += more->unknown;
}

static void add_activity(struct dj_triage_activity *activity,
                         const struct dj_triage_piece *piece)
{
    int64_t length_ns = piece->end_ns - piece->start_ns;
    if (has_holder(piece)) {
        dj_triage_activity_add(activity, &piece->activity);
        return;
    }
    bool ready =
        piece->state == DJ_THREAD_RUNNABLE || piece->state == DJ_THREAD_PREEMPTED;
    int64_t *part = piece->state == DJ_THREAD_RUNNING   ? &activity->running
                    : ready                             ? &activity->ready
                    : piece->state == DJ_THREAD_UNKNOWN ? &activity->unknown
                    : piece->kind == DJ_CAUSE_IO        ? &activity->io
                                                        : &activity->asleep;
    *part += length_ns;
}

/* Returns the slice in which the thread `tid` spent the most time in a single piece.
 * Examines the pieces from index `from` on. Returns DJ_NO_SLICE if there is none. */
static int32_t find_longest_slice(const struct dj_triage_path *path, size_t from,
                                  uint32_t tid)
{
    int32_t best = DJ_NO_SLICE;
    int64_t most_ns = 0;
    for (size_t i = from; i < path->count; i++) {
        const struct dj_triage_piece *piece = &path->pieces[i];
        int64_t length_ns = piece->end_ns - piece->start_ns;
        int32_t slice = piece->tid == tid                          ? piece->slice
                        : has_holder(piece) && piece->other == tid ? piece->other_slice
                                                                   : DJ_NO_SLICE;
        if (slice != DJ_NO_SLICE && length_ns > most_ns) {
            most_ns = length_ns;
            best = slice;
        }
    }
    return best;
}

static uint32_t get_holder(const struct dj_triage_piece *piece)
{
    return has_holder(piece) ? piece->other : piece->tid;
}

/* Examines the pieces from index `from` on. Returns the thread of another process to
 * which most of their time belongs. A thread that only forwards a message has little
 * time. Returns `otherwise` if no thread qualifies. */
static uint32_t find_longest_peer(const struct dj_triage_path *path, size_t from,
                                  uint32_t waiting, uint32_t otherwise)
{
    int64_t most_ns = 0;
    uint32_t best = otherwise;
    for (size_t i = from; i < path->count; i++) {
        uint32_t tid = get_holder(&path->pieces[i]);
        const struct dj_triage_thread *thread = dj_triage_find_thread(path->index, tid);
        int64_t sum_ns = 0;
        if (thread == NULL || thread->kernel ||
            dj_triage_is_same_process(path->index, tid, waiting)) {
            continue;
        }
        for (size_t j = from; j < path->count; j++) {
            sum_ns += get_holder(&path->pieces[j]) == tid
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

void dj_triage_wait_set_holder(struct dj_triage_path *path, struct dj_triage_piece *piece,
                               enum dj_cause_kind kind, uint32_t other)
{
    size_t from = path->count;
    dj_triage_walk_thread(path, other, piece->start_ns, piece->end_ns);
    piece->other =
        kind == DJ_CAUSE_IPC ? find_longest_peer(path, from, piece->tid, other) : other;
    for (size_t i = from; i < path->count; i++) {
        add_activity(&piece->activity, &path->pieces[i]);
    }
    piece->other_slice = find_longest_slice(path, from, piece->other);
    path->count = from;
}
