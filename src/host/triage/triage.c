#include "triage/triage.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "triage/collect.h"
#include "triage/functions/functions.h"
#include "triage/index/cpu_speeds.h"
#include "triage/limits.h"
#include "triage/path/stages.h"
#include "triage/path/wait.h"
#include "triage/presents.h"
#include "triage/weigh/weigh.h"

struct dj_triage *dj_triage_create(const struct dj_triage_rules *rules)
{
    struct dj_triage *triage = dj_xcalloc(1, sizeof(*triage));
    triage->rules = *rules;
    return triage;
}

void dj_triage_destroy(struct dj_triage *triage)
{
    if (triage == NULL) {
        return;
    }
    for (size_t i = 0; i < triage->result.worst_count; i++) {
        free(triage->result.worst[i].parts);
    }
    for (size_t i = 0; i < triage->cause_total; i++) {
        dj_triage_functions_destroy(triage->result.causes[i].functions);
        free(triage->result.causes[i].waiters);
    }
    dj_triage_functions_destroy(triage->result.functions);
    dj_calls_tree_finish(&triage->calls);
    free(triage->samples);
    free(triage->waits);
    free(triage->result.worst);
    free(triage->result.causes);
    free(triage->cause_of);
    dj_trace_names_finish(&triage->names);
    free(triage->frames);
    free(triage->shares);
    free(triage->keys);
    dj_map_finish(&triage->key_numbers);
    free(triage->parts);
    free(triage->evidence);
    free(triage->result.limits);
    free(triage->result.rates);
    free(triage->result.presents);
    free(triage->ran);
    free(triage);
}

/* Appends the time that the compositor took. Does nothing if the frame was not shown
 * late. */
static void append_display(struct dj_triage_path *path, struct dj_triage_frame *frame)
{
    if (frame->shown_ns > frame->end_ns) {
        struct dj_triage_piece piece = dj_triage_piece_init(
            frame->tid, DJ_THREAD_UNKNOWN, frame->end_ns, frame->shown_ns);
        piece.kind = frame->by_gpu ? DJ_CAUSE_GPU : DJ_CAUSE_DISPLAY;
        piece.detail = frame->shown_by;
        uint32_t composer = (uint32_t)frame->shown_pid;
        if (composer != 0 && dj_triage_find_thread(path->index, composer) != NULL) {
            dj_triage_wait_set_holder(path, &piece, DJ_CAUSE_DISPLAY, composer);
        }
        dj_triage_path_append(path, &piece);
        frame->made_ns = frame->end_ns;
        frame->end_ns = frame->shown_ns;
    }
}

static void walk_frame(struct dj_triage_path *path, const struct dj_triage_frame *frame)
{
    path->count = 0;
    path->origin_ns = frame->start_ns;
    path->origin_tid = frame->start_tid;
    dj_triage_walk_thread(path, frame->tid, frame->start_ns, frame->end_ns);
}

/* Finds the usual speeds of CPUs from the frames that were in time. */
static void find_usual_speeds(struct dj_triage_path *path, struct dj_triage_index *index,
                              const struct dj_triage_frames *frames)
{
    struct dj_triage_paces paces = {0};
    for (size_t i = 0; index->has_speeds && i < frames->count; i++) {
        const struct dj_triage_frame *frame = &frames->all[i];
        if (frame->incomplete || frame->end_ns > frame->deadline_ns) {
            continue;
        }
        walk_frame(path, frame);
        for (size_t at = 0; at < path->count; at++) {
            const struct dj_triage_piece *piece = &path->pieces[at];
            dj_triage_paces_add(&paces, index, piece->cpu, piece->khz,
                                piece->end_ns - piece->start_ns);
        }
    }
    dj_triage_paces_set_usual(&paces, index);
}

static void add_rates(struct dj_triage *triage, const struct dj_triage_frames *frames)
{
    struct dj_triage_result *result = &triage->result;
    const struct dj_triage_refresh *refresh = &frames->refresh;
    const char *source =
        dj_triage_intern(triage, refresh->count > 0 ? refresh->source : "");
    for (size_t i = 0; i < refresh->count; i++) {
        DJ_XPUSH(result->rates, result->rate_count,
                 (struct dj_triage_shown_rate){triage->trace_name, source,
                                               refresh->rates[i].from_ns,
                                               refresh->rates[i].period_ns});
    }
}

/* Updates the budget and the refresh rates of the result. If traces have budgets that
 * differ by at most 1 %, these are treated as equal. */
static void set_budget(struct dj_triage *triage, const struct dj_triage_frames *frames)
{
    struct dj_triage_result *result = &triage->result;
    const char *from = dj_triage_intern(triage, frames->budget_from);
    int64_t apart_ns = frames->budget_ns - result->budget_ns;
    if (result->budget_from == NULL) {
        result->budget_from = from;
        result->budget_ns = frames->budget_ns;
    } else if (result->budget_from != from || 100 * llabs(apart_ns) > result->budget_ns) {
        result->budget_from = result->budget_from == from ? from : "several";
        result->budget_ns = 0;
    }
    if (strcmp(from, "deadlines") != 0) {
        add_rates(triage, frames);
    }
}

static int collect(struct dj_triage *triage, struct dj_triage_index *index,
                   struct dj_error *err)
{
    struct dj_triage_frames frames;
    struct dj_triage_path path = {.index = index};
    struct dj_triage_sampled sampled;
    int code = dj_triage_frames_find(index, &triage->rules, &frames, err);
    if (code != 0) {
        dj_triage_frames_finish(&frames);
        return code;
    }
    size_t samples_before = triage->sample_count;
    find_usual_speeds(&path, index, &frames);
    dj_triage_sampled_build(triage, index->trace, &sampled);
    for (size_t i = 0; i < frames.count; i++) {
        walk_frame(&path, &frames.all[i]);
        dj_triage_stages_apply(&path, &frames.all[i]);
        append_display(&path, &frames.all[i]);
        dj_triage_collect_frame(triage, index, &frames.all[i], path.pieces, path.count);
        dj_triage_functions_collect(triage, index, &sampled, path.pieces, path.count);
        dj_triage_waits_collect(triage, index, &sampled, path.pieces, path.count);
    }
    if (sampled.work.count > 0 && triage->sample_count == samples_before) {
        dj_triage_limit_add(triage,
                            "none of the %zu sampled call stacks is of a thread and time "
                            "of these frames",
                            sampled.work.count);
    }
    if (!triage->adding_base) {
        dj_triage_collect_runs(triage, index);
        dj_triage_limits_add_trace(triage, index, &frames);
        dj_triage_presents_add_trace(triage, index->trace);
        triage->result.frames_from = frames.source;
        set_budget(triage, &frames);
    }
    free(path.pieces);
    dj_triage_sampled_finish(&sampled);
    dj_triage_frames_finish(&frames);
    return 0;
}

static int add_trace(struct dj_triage *triage, const struct dj_trace *trace,
                     const char *name, bool base, struct dj_error *err)
{
    struct dj_triage_index index;
    if (trace->clock.ticks) {
        return dj_error_set(err, DJ_E_NO_DATA,
                            "its time stamps are ticks%s%s of unknown length, so frames "
                            "cannot be compared with a budget; expected a trace with a "
                            "clock in nanoseconds, such as mono or boot",
                            trace->clock.name[0] != '\0' ? " of " : "",
                            trace->clock.name);
    }
    dj_triage_index_build(&index, trace);
    triage->trace_name = dj_triage_intern(triage, name);
    triage->adding_base = base;
    triage->result.against_base |= base;
    int code = collect(triage, &index, err);
    dj_triage_index_finish(&index);
    return code;
}

int dj_triage_add(struct dj_triage *triage, const struct dj_trace *trace,
                  const char *name, struct dj_error *err)
{
    return add_trace(triage, trace, name, false, err);
}

int dj_triage_add_base(struct dj_triage *triage, const struct dj_trace *trace,
                       struct dj_error *err)
{
    return add_trace(triage, trace, "", true, err);
}

int dj_triage_weigh(struct dj_triage *triage, const struct dj_triage_result **result,
                    struct dj_error *err)
{
    if (triage->result.frames == 0) {
        return dj_error_set(err, DJ_E_NO_DATA, "the traces have no frames");
    }
    dj_triage_weigh_all(triage);
    *result = &triage->result;
    return 0;
}
