#include "triage/path/path.h"

#include "memory/memory.h"

void dj_triage_path_append(struct dj_triage_path *path,
                           const struct dj_triage_piece *piece)
{
    if (piece->end_ns > piece->start_ns) {
        DJ_XPUSH(path->pieces, path->count, *piece);
    }
}

struct dj_triage_piece dj_triage_piece_init(uint32_t tid, enum dj_thread_state state,
                                            int64_t from_ns, int64_t to_ns)
{
    return (struct dj_triage_piece){.start_ns = from_ns,
                                    .end_ns = to_ns,
                                    .tid = tid,
                                    .slice = DJ_NO_SLICE,
                                    .other_slice = DJ_NO_SLICE,
                                    .waker = -1,
                                    .cpu = -1,
                                    .kind = DJ_CAUSE_UNEXPLAINED,
                                    .state = (uint8_t)state};
}

enum dj_cause_kind
dj_triage_find_named_kind(const struct dj_triage_index *index, int32_t slice,
                          enum dj_cause_kind (*kind_of)(const char *name),
                          int32_t *named_slice)
{
    enum dj_cause_kind kind = DJ_CAUSE_UNEXPLAINED;
    for (; slice != DJ_NO_SLICE && kind == DJ_CAUSE_UNEXPLAINED;
         slice = index->parents[slice]) {
        kind = kind_of(index->trace->slices[slice].name);
        if (named_slice != NULL) {
            *named_slice = slice;
        }
    }
    return kind;
}

bool dj_triage_is_followed(const struct dj_triage_path *path, uint32_t tid)
{
    for (size_t i = 0; i < path->depth; i++) {
        if (path->chain[i] == tid) {
            return true;
        }
    }
    return false;
}

/* Returns true if the frame was still in the thread in which it began, and not yet in
 * `thread`. This is the case while `thread` is in no slice. */
bool dj_triage_is_before_handover(const struct dj_triage_path *path,
                                  const struct dj_triage_thread *thread, int32_t slice)
{
    return slice == DJ_NO_SLICE && path->origin_tid != 0 &&
           path->origin_tid != thread->tid &&
           !dj_triage_is_followed(path, path->origin_tid);
}
