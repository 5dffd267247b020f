#include "triage/path/stages.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/compare.h"
#include "frame/stages.h"
#include "memory/memory.h"

/* The stages of frames, for example "Draw". The recorder writes a slice for each stage.
 * All stages of one frame have the same cookie. */
struct stages {
    /* Slices of all stages, sorted by cookie, then start. Owned by this struct. */
    const struct dj_trace_slice **all;
    size_t from, to; /* Range in `all` of the stages of the current frame. */
    size_t count;
};

static bool is_stage(const struct dj_triage_index *index,
                     const struct dj_trace_slice *slice,
                     const struct dj_triage_frame *frame)
{
    if (!slice->async || slice->open ||
        !dj_triage_is_same_process(index, slice->tid, frame->tid)) {
        return false;
    }
    for (int i = 0; i < DJ_STAGE_COUNT; i++) {
        if (strcmp(slice->name, dj_frame_stage_name((enum dj_stage)i)) == 0) {
            return true;
        }
    }
    return false;
}

static int by_cookie(const void *a, const void *b)
{
    const struct dj_trace_slice *left = *(const struct dj_trace_slice *const *)a;
    const struct dj_trace_slice *right = *(const struct dj_trace_slice *const *)b;
    int order = DJ_COMPARE(left->cookie, right->cookie);
    /* The addresses of slices are in the order of their starts, because trace->slices is
     * sorted by start. */
    return order != 0 ? order : DJ_COMPARE(left, right);
}

/* Finds the stages that belong to the frame. A process may have several frames at the
 * same time, so their stages overlap. Chooses the stages inside the frame whose start and
 * end are nearest to the start and end of the frame. */
static void choose_stages(struct stages *stages, const struct dj_triage_frame *frame)
{
    int64_t least_ns = INT64_MAX;
    for (size_t from = 0, to; from < stages->count; from = to) {
        int64_t end_ns = INT64_MIN;
        for (to = from;
             to < stages->count && stages->all[to]->cookie == stages->all[from]->cookie;
             to++) {
            int64_t ends_ns = stages->all[to]->end_ns;
            end_ns = ends_ns > end_ns ? ends_ns : end_ns;
        }
        int64_t off_ns = dj_checked_add_saturated(
            dj_checked_subtract_saturated(stages->all[from]->start_ns, frame->start_ns),
            dj_checked_subtract_saturated(frame->end_ns, end_ns));
        if (end_ns <= frame->end_ns && off_ns < least_ns) {
            least_ns = off_ns;
            stages->from = from;
            stages->to = to;
        }
    }
}

static void find_stages(const struct dj_triage_index *index,
                        const struct dj_triage_frame *frame, struct stages *stages)
{
    const struct dj_trace *trace = index->trace;
    for (size_t i = dj_triage_find_first_slice(trace, frame->start_ns);
         i < trace->slice_count && trace->slices[i].start_ns < frame->end_ns; i++) {
        if (is_stage(index, &trace->slices[i], frame)) {
            DJ_XPUSH(stages->all, stages->count, &trace->slices[i]);
        }
    }
    if (stages->count > 0) {
        qsort(stages->all, stages->count, sizeof(*stages->all), by_cookie);
        choose_stages(stages, frame);
    }
}

/* Returns the stage at `at_ns`, or NULL if there is none. Sets *until_ns to the time at
 * which the stage changes. */
static const struct dj_trace_slice *find_stage(const struct stages *stages, int64_t at_ns,
                                               int64_t *until_ns)
{
    *until_ns = INT64_MAX;
    for (size_t i = stages->from; i < stages->to; i++) {
        const struct dj_trace_slice *stage = stages->all[i];
        if (stage->start_ns > at_ns) {
            *until_ns = stage->start_ns;
            return NULL;
        }
        if (stage->end_ns > at_ns) {
            *until_ns = stage->end_ns;
            return stage;
        }
    }
    return NULL;
}

static bool is_wait(const struct dj_triage_piece *piece)
{
    return piece->state == DJ_THREAD_SLEEPING || piece->state == DJ_THREAD_BLOCKED ||
           piece->state == DJ_THREAD_BLOCKED_IO;
}

/* Returns the kind of a wait whose reason is unknown. In a stage whose name contains
 * "swap" or "wait", a thread sleeps until the compositor or the display is ready. */
static enum dj_cause_kind get_wait_kind(const struct dj_triage_index *index,
                                        const char *stage)
{
    return strcasestr(stage, "swap") != NULL || strcasestr(stage, "wait") != NULL
               ? DJ_CAUSE_DISPLAY
           : index->has_wakers ? DJ_CAUSE_UNEXPLAINED
                               : DJ_CAUSE_SLEEP;
}

static void append_by_stages(struct dj_triage_path *path, struct dj_triage_piece piece,
                             const struct stages *stages)
{
    const struct dj_trace *trace = path->index->trace;
    int64_t to_ns = piece.end_ns;
    uint8_t kind = piece.kind;
    for (int64_t at_ns = piece.start_ns; at_ns < to_ns; at_ns = piece.end_ns) {
        int64_t until_ns;
        const struct dj_trace_slice *stage = find_stage(stages, at_ns, &until_ns);
        piece.start_ns = at_ns;
        piece.end_ns = is_wait(&piece) || until_ns > to_ns ? to_ns : until_ns;
        piece.slice =
            stage != NULL ? (int32_t)(stage - trace->slices) : (int32_t)DJ_NO_SLICE;
        piece.kind = kind == DJ_CAUSE_UNEXPLAINED && is_wait(&piece) && stage != NULL
                         ? (uint8_t)get_wait_kind(path->index, stage->name)
                         : kind;
        dj_triage_path_append(path, &piece);
    }
}

void dj_triage_stages_apply(struct dj_triage_path *path,
                            const struct dj_triage_frame *frame)
{
    struct stages stages = {0};
    find_stages(path->index, frame, &stages);
    if (stages.to > stages.from) {
        struct dj_triage_path named = {.index = path->index};
        for (size_t i = 0; i < path->count; i++) {
            if (path->pieces[i].tid == frame->tid &&
                path->pieces[i].slice == DJ_NO_SLICE) {
                append_by_stages(&named, path->pieces[i], &stages);
            } else {
                dj_triage_path_append(&named, &path->pieces[i]);
            }
        }
        free(path->pieces);
        path->pieces = named.pieces;
        path->count = named.count;
    }
    free(stages.all);
}
