#include "triage/triage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "triage/collect.h"
#include "triage/speeds.h"
#include "triage/stages.h"
#include "triage/waited.h"
#include "triage/weigh.h"

struct dj_triage *dj_triage_create(const struct dj_triage_rules *rules)
{
    struct dj_triage *triage = calloc(1, sizeof(*triage));
    if (triage != NULL) {
        triage->rules = *rules;
    }
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
    free(triage->result.worst);
    free(triage->result.causes);
    free(triage->cause_of);
    dj_names_finish(&triage->names);
    free(triage->frames);
    free(triage->shares);
    free(triage->keys);
    free(triage->key_slots);
    free(triage->parts);
    free(triage->evidence);
    free(triage->limits);
    free(triage->ran);
    free(triage);
}

/* What Android's traces can tell, and this one does not. */
/* FrameTimeline is what our own captures have as well. */
static bool is_android(const struct dj_triage_index *index,
                       const struct dj_triage_frames *frames)
{
    const struct dj_trace *trace = index->trace;
    bool has_compositor = false;
    for (size_t i = 0; i < trace->thread_count && !has_compositor; i++) {
        has_compositor = strcmp(trace->threads[i].name, "surfaceflinger") == 0;
    }
    return index->has_binder || strncmp(frames->source, "Choreographer", 13) == 0 ||
           (has_compositor && strcmp(frames->source, "FrameTimeline") == 0);
}

static void note_android(struct dj_triage *triage, const struct dj_triage_index *index,
                         const struct dj_triage_frames *frames)
{
    bool android = is_android(index, frames);
    if (android && index->has_states && !index->has_binder) {
        dj_triage_limit_add(triage, "no binder transactions: who was asked is known only "
                                    "by who woke the thread that waited");
    }
    if (android && index->has_states && !index->has_speeds) {
        dj_triage_limit_add(triage, "no frequencies of cores: work on a core that was "
                                    "slow is not told apart from more work");
    }
    if (frames->stuffed > 0) {
        dj_triage_limit_add(triage,
                            "%zu frames came in time and were shown up to %.1f ms later "
                            "behind those before them (buffer stuffing), no farther "
                            "apart than they were made: they count as in time",
                            frames->stuffed, (double)frames->stuffed_ns / 1e6);
    }
    if (frames->shown_untold > 0) {
        dj_triage_limit_add(triage,
                            "%zu frames came in time and were shown late (%s), and it "
                            "is not told by how much: they count as in time",
                            frames->shown_untold, frames->untold_by);
    }
}

/* What this trace cannot show, whatever it holds. */
static void note_limits(struct dj_triage *triage, const struct dj_triage_index *index,
                        const struct dj_triage_frames *frames)
{
    const struct dj_trace *trace = index->trace;
    size_t incomplete = 0;
    for (size_t i = 0; i < frames->count; i++) {
        incomplete += frames->all[i].incomplete;
    }
    if (!index->has_states) {
        dj_triage_limit_add(triage, "no scheduler events: waits and work cannot be told "
                                    "apart, all time of a section counts as its own work "
                                    "unless its name says what it waits for");
    } else if (!index->has_wakers) {
        /* Who may see no other program's threads sees no wake-ups either. */
        dj_triage_limit_add(triage,
                            "%s: a lock's holder is not known, its wait is; other waits "
                            "are told as sleep",
                            index->has_others ? "no wake-ups" : "unprivileged");
    } else if (!index->has_interrupts) {
        dj_triage_limit_add(triage, "no interrupts: a wake-up by the network or another "
                                    "device looks like a timer's");
    }
    if (index->has_wakers && trace->without_flags) {
        dj_triage_limit_add(triage,
                            "its lines have no flags of interrupts: a wake-up by a timer "
                            "or a device looks like one by whoever ran there, and is "
                            "unexplained unless that one had been asked%s",
                            index->has_timers ? ""
                                              : " (hrtimer_start would tell timers)");
    }
    if (index->has_states && !index->has_others) {
        dj_triage_limit_add(triage, "other programs' threads are not in it: who ran on a "
                                    "core instead is not known");
    }
    size_t guessed = index->has_wakers ? dj_triage_guessed(index) : 0;
    if (guessed > 0) {
        dj_triage_limit_add(triage,
                            "of %zu threads the process is not told, and they are taken "
                            "for the app's by their numbers: what another program "
                            "answered or held can read as done by one of its own",
                            guessed);
    }
    note_android(triage, index, frames);
    if (!index->has_slices) {
        dj_triage_limit_add(triage,
                            "no sections: causes are named by their thread alone");
    }
    if (frames->assumed) {
        dj_triage_limit_add(triage,
                            "how long a frame may take is not said: %.3f ms, a "
                            "60th of a second, are taken (--budget)",
                            (double)frames->budget_ns / 1e6);
    }
    if (incomplete > 0) {
        dj_triage_limit_add(triage,
                            "%zu frames lie where events were lost or not kept: "
                            "nothing is said of them",
                            incomplete);
    } else if (trace->overwritten > 0) {
        dj_triage_limit_add(triage,
                            "events were lost (%" PRIu64 "), outside the frames or "
                            "before them",
                            trace->overwritten);
    }
    if (triage->rules.rows != NULL && !trace->clock.known) {
        dj_triage_limit_add(triage, "the trace does not say how its clock stands to "
                                    "CLOCK_MONOTONIC: the dump's frames are taken to be "
                                    "of the same");
    } else if (triage->rules.rows != NULL) {
        dj_triage_limit_add(triage,
                            "the dump's frames lie in the trace to within %.3f ms",
                            (double)trace->clock.error_ns / 1e6);
    }
    if (trace->damaged > 0) {
        dj_triage_limit_add(triage, "%" PRIu64 " parts of it are damaged",
                            trace->damaged);
    }
    if (trace->backwards > 0) {
        dj_triage_limit_add(triage,
                            "time went backwards: %" PRIu64
                            " events are stamped earlier than one before them, by up to "
                            "%.3f ms; what threads did there is not known well",
                            trace->backwards, (double)trace->backwards_ns / 1e6);
    }
}

/* What the compositor took of a frame that it showed late. */
static void put_shown(struct dj_triage_path *path, struct dj_triage_frame *frame)
{
    if (frame->shown_ns > frame->end_ns) {
        struct dj_triage_piece piece = {
            .start_ns = frame->end_ns,
            .end_ns = frame->shown_ns,
            .tid = frame->tid,
            .slice = DJ_NO_SLICE,
            .other_slice = DJ_NO_SLICE,
            .waker = -1,
            .cpu = -1,
            .kind = frame->by_gpu ? DJ_CAUSE_GPU : DJ_CAUSE_DISPLAY,
            .detail = frame->shown_by,
        };
        uint32_t composer = (uint32_t)frame->shown_pid;
        if (composer != 0 && dj_triage_thread_of(path->index, composer) != NULL) {
            dj_triage_look_at(path, &piece, DJ_CAUSE_DISPLAY, composer);
        }
        dj_triage_path_put(path, &piece);
        frame->made_ns = frame->end_ns;
        frame->end_ns = frame->shown_ns;
    }
}

/* How fast cores are while frames come in time. */
static void learn_speeds(struct dj_triage_path *path, struct dj_triage_index *index,
                         const struct dj_triage_frames *frames)
{
    struct dj_triage_paces paces = {0};
    for (size_t i = 0; index->has_speeds && i < frames->count; i++) {
        const struct dj_triage_frame *frame = &frames->all[i];
        if (frame->incomplete || frame->end_ns > frame->deadline_ns) {
            continue;
        }
        path->count = 0;
        path->origin_ns = frame->start_ns;
        path->origin_tid = frame->start_tid;
        dj_triage_walk(path, frame->tid, frame->start_ns, frame->end_ns);
        for (size_t at = 0; at < path->count; at++) {
            const struct dj_triage_piece *piece = &path->pieces[at];
            dj_triage_paces_add(&paces, index, piece->cpu, piece->khz,
                                piece->end_ns - piece->start_ns);
        }
    }
    dj_triage_paces_settle(&paces, index);
    path->failed |= paces.failed;
    dj_triage_paces_finish(&paces);
}

static int collect(struct dj_triage *triage, struct dj_triage_index *index,
                   struct dj_error *err)
{
    struct dj_triage_frames frames;
    struct dj_triage_path path = {.index = index};
    const struct dj_triage_wanted wanted = {triage->rules.frames, triage->rules.rows,
                                            triage->rules.budget_ns};
    int code = dj_triage_frames_find(index, &wanted, &frames, err);
    if (code == 0) {
        learn_speeds(&path, index, &frames);
    }
    for (size_t i = 0; code == 0 && i < frames.count; i++) {
        path.count = 0;
        path.origin_ns = frames.all[i].start_ns;
        path.origin_tid = frames.all[i].start_tid;
        dj_triage_walk(&path, frames.all[i].tid, frames.all[i].start_ns,
                       frames.all[i].end_ns);
        dj_triage_stages_put(&path, &frames.all[i]);
        put_shown(&path, &frames.all[i]);
        triage->failed |= path.failed;
        dj_triage_collect(triage, index, &frames.all[i], path.pieces, path.count);
    }
    if (code == 0 && !triage->adding_base) {
        dj_triage_collect_runs(triage, index);
        note_limits(triage, index, &frames);
        triage->frames_from = frames.source;
        triage->result.budget_ns = frames.budget_ns;
    }
    dj_triage_path_finish(&path);
    dj_triage_frames_finish(&frames);
    return code != 0 ? code
           : triage->failed
               ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for triage")
               : 0;
}

static int add(struct dj_triage *triage, const struct dj_trace *trace, const char *name,
               bool base, struct dj_error *err)
{
    struct dj_triage_index index;
    if (trace->clock.ticks) {
        return dj_error_set(err, DJ_E_NO_DATA,
                            "its stamps are ticks%s%s, and how long one is it does not "
                            "tell: no frame can be held against a budget; expected a "
                            "trace of a clock of nanoseconds, such as mono or boot",
                            trace->clock.name[0] != '\0' ? " of " : "",
                            trace->clock.name);
    }
    int code = dj_triage_index_make(&index, trace, err);
    triage->trace_name = dj_triage_keep(triage, name);
    triage->adding_base = base;
    triage->has_base |= base;
    code = code != 0 ? code : collect(triage, &index, err);
    dj_triage_index_finish(&index);
    return code;
}

int dj_triage_add(struct dj_triage *triage, const struct dj_trace *trace,
                  const char *name, struct dj_error *err)
{
    return add(triage, trace, name, false, err);
}

int dj_triage_add_base(struct dj_triage *triage, const struct dj_trace *trace,
                       struct dj_error *err)
{
    return add(triage, trace, "", true, err);
}

int dj_triage_weigh(struct dj_triage *triage, const struct dj_triage_result **result,
                    struct dj_error *err)
{
    size_t frames = 0;
    for (size_t i = 0; i < triage->frame_count; i++) {
        frames += !triage->frames[i].base;
    }
    if (frames == 0) {
        return dj_error_set(err, DJ_E_NO_DATA, "there are no frames");
    }
    dj_triage_weigh_all(triage);
    if (triage->failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for triage");
    }
    *result = &triage->result;
    return 0;
}
