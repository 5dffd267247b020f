#include "triage/weigh/weigh.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "memory/memory.h"

/* A section that waits for a disk several times works between the waits. This work
 * belongs to the waits if it takes at most BETWEEN_NS per wait and at most BETWEEN_TIMES
 * as long as the waits. Disk requests are counted like waits, because a request can
 * complete before the thread sleeps. */
enum { BETWEEN_NS = 500000, BETWEEN_TIMES = 4 };

/* Other programs always run occasionally, which is noise of the machine. A program is a
 * cause of its own in only two cases:
 * 1. It dominated at least RULED_LEAST late frames, and RULED_PER_CENT percent of all
 *    frames. In addition, it must not have made MADE_LATE frames late by itself, because
 *    the machine was then too busy for a measurement.
 * 2. It delayed at least RULED_LEAST late frames, and at least 1/COMES_TIMES of its CPU
 *    time was in late frames that waited for it. */
enum { COMES_TIMES = 2, RULED_LEAST = 4, RULED_PER_CENT = 3, MADE_LATE = 2 };

/* A possible name of a cause, and the time that belongs to this name. */
struct cause_name {
    uint32_t cause;
    const char *name;
    int64_t ns;
};

static int by_name(const void *a, const void *b)
{
    const struct cause_name *left = a;
    const struct cause_name *right = b;
    int order = DJ_COMPARE(left->cause, right->cause);
    return order != 0 ? order : strcmp(left->name, right->name);
}

/* Sets the names or the holders of causes. If `holders` is false, names each cause that
 * is a wait for a CPU after the section with the most waiting time. If `holders` is true,
 * sets the holder of each such cause to the thread that had the CPU for the longest time.
 * Also sets the holder of each DJ_CAUSE_IPC to the thread of the binder pool that served
 * calls for the longest time. */
static void name_cpu_waits(struct dj_triage *triage, const int64_t *sums, bool holders)
{
    struct cause_name *all = dj_xresize(NULL, triage->key_count, sizeof(*all));
    for (size_t i = 0; i < triage->key_count; i++) {
        const struct dj_triage_key *key = &triage->keys[i];
        all[i] = (struct cause_name){triage->cause_of[i],
                                     holders ? key->holder : key->name, sums[i]};
    }
    qsort(all, triage->key_count, sizeof(*all), by_name);
    int64_t most_ns = -1;
    for (size_t from = 0, to; from < triage->key_count; from = to) {
        struct dj_triage_cause *cause = &triage->result.causes[all[from].cause];
        int64_t sum_ns = 0;
        for (to = from; to < triage->key_count && by_name(&all[to], &all[from]) == 0;
             to++) {
            sum_ns += all[to].ns;
        }
        most_ns = from > 0 && all[from - 1].cause != all[from].cause ? -1 : most_ns;
        bool by_most =
            cause->kind == DJ_CAUSE_RUNNABLE || (holders && cause->kind == DJ_CAUSE_IPC);
        if (by_most && sum_ns > most_ns) {
            most_ns = sum_ns;
            *(holders ? &cause->holder : &cause->name) = all[from].name;
        }
    }
    free(all);
}

static void name_all_cpu_waits(struct dj_triage *triage)
{
    int64_t *sums = dj_xcalloc(triage->key_count, sizeof(*sums));
    for (size_t i = 0; i < triage->share_count; i++) {
        const struct dj_triage_share *share = &triage->shares[i];
        const struct dj_triage_frame_record *frame = &triage->frames[share->frame];
        sums[share->key] += frame->janky && !frame->base ? share->ns : 0;
    }
    name_cpu_waits(triage, sums, false);
    name_cpu_waits(triage, sums, true);
    free(sums);
}

int64_t *dj_triage_sum_foreign(const struct dj_triage *triage)
{
    int64_t *foreign_ns = dj_xcalloc(triage->frame_count, sizeof(*foreign_ns));
    for (size_t i = 0; i < triage->share_count; i++) {
        const struct dj_triage_share *share = &triage->shares[i];
        foreign_ns[share->frame] += triage->keys[share->key].foreign ? share->ns : 0;
    }
    return foreign_ns;
}

/* Returns true if at least 1/COMES_TIMES of the family's CPU time was in late frames that
 * waited for it. */
static bool runs_during_late_frames(const struct dj_triage *triage,
                                    const struct dj_triage_cause *cause, size_t family)
{
    int64_t ran_ns = 0;
    const char *name = triage->keys[family].family;
    for (size_t i = 0; i < triage->ran_count; i++) {
        ran_ns += triage->ran[i].family == name ? triage->ran[i].ns : 0;
    }
    return ran_ns > 0 && COMES_TIMES * cause->ns >= ran_ns;
}

static void set_machine(struct dj_triage *triage, size_t frames)
{
    size_t least = frames * RULED_PER_CENT / 100;
    least = least > RULED_LEAST ? least : RULED_LEAST;
    for (size_t i = 0; i < triage->key_count; i++) {
        struct dj_triage_cause *cause = &triage->result.causes[triage->cause_of[i]];
        bool stands_out = cause->ruled_frames >= least && cause->saved_frames < MADE_LATE;
        cause->machine =
            cause->foreign && !stands_out &&
            (cause->frames < RULED_LEAST || !runs_during_late_frames(triage, cause, i));
    }
}

/* Returns true if `work` is the work between the disk waits of a section, and `wait` is
 * these waits. Without the waits, the work would not be necessary. So the wait must be
 * ranked before the work. */
static bool is_part_of_wait(const struct dj_triage_cause *work,
                            const struct dj_triage_cause *wait)
{
    size_t times = wait->pieces > work->requests ? wait->pieces : work->requests;
    return work->kind == DJ_CAUSE_OWN_WORK && wait->kind == DJ_CAUSE_IO &&
           work->name == wait->name && work->thread == wait->thread && work->frames > 0 &&
           wait->frames > 0 && work->ns <= BETWEEN_NS * (int64_t)times &&
           work->ns <= BETWEEN_TIMES * wait->ns;
}

static void rank_before(struct dj_triage_cause *wait, struct dj_triage_cause *work)
{
    bool more =
        work->saved_frames > wait->saved_frames ||
        (work->saved_frames == wait->saved_frames && work->saved_ns >= wait->saved_ns);
    if (is_part_of_wait(work, wait) && more) {
        wait->rank_frames = work->saved_frames;
        wait->rank_ns = work->saved_ns;
        work->behind = true;
    }
}

static void pair_causes(struct dj_triage_result *result)
{
    for (size_t i = 0; i < result->cause_count; i++) {
        struct dj_triage_cause *wait = &result->causes[i];
        for (size_t j = 0; wait->kind == DJ_CAUSE_IO && j < result->cause_count; j++) {
            rank_before(wait, &result->causes[j]);
        }
    }
}

static int by_rank(const void *a, const void *b)
{
    const struct dj_triage_cause *left = a;
    const struct dj_triage_cause *right = b;
    int order = (left->frames == 0) - (right->frames == 0);
    order = order != 0 ? order : left->machine - right->machine;
    order = order != 0 ? order : DJ_COMPARE(right->rank_frames, left->rank_frames);
    order = order != 0 ? order : DJ_COMPARE(right->rank_ns, left->rank_ns);
    order = order != 0 ? order : left->behind - right->behind;
    order = order != 0 ? order : DJ_COMPARE(right->ns, left->ns);
    order = order != 0 ? order : strcmp(left->name, right->name);
    order = order != 0 ? order : strcmp(left->thread, right->thread);
    return order != 0 ? order : strcmp(left->holder, right->holder);
}

/* Removes causes that contributed to no frame, sorts the others by rank, and moves noise
 * of the machine to a separate array. */
static void rank(struct dj_triage *triage)
{
    struct dj_triage_result *result = &triage->result;
    size_t all = result->cause_count;
    size_t *place = dj_xcalloc(all, sizeof(*place));
    for (size_t i = 0; i < all; i++) {
        struct dj_triage_cause *cause = &result->causes[i];
        cause->rank_was = i;
        cause->rank_frames = cause->saved_frames;
        cause->rank_ns = cause->saved_ns;
    }
    pair_causes(result);
    qsort(result->causes, all, sizeof(*result->causes), by_rank);
    result->cause_count = 0;
    for (size_t i = 0; i < all; i++) {
        const struct dj_triage_cause *cause = &result->causes[i];
        place[cause->rank_was] = cause->frames > 0 ? i : UINT32_MAX;
        result->cause_count += cause->frames > 0 && !cause->machine;
        result->machine_count += cause->frames > 0 && cause->machine;
    }
    for (size_t i = 0; i < triage->key_count; i++) {
        triage->cause_of[i] = (uint32_t)place[triage->cause_of[i]];
    }
    result->machine = result->causes + result->cause_count;
    free(place);
}

static void copy_parts(const struct dj_triage *triage,
                       const struct dj_triage_frame_record *frame,
                       struct dj_triage_worst *worst)
{
    worst->parts = dj_xcalloc(frame->part_count, sizeof(*worst->parts));
    worst->part_count = frame->part_count;
    for (size_t i = 0; i < frame->part_count; i++) {
        const struct dj_triage_stored_part *part = &triage->parts[frame->first_part + i];
        const struct dj_triage_key *key = &triage->keys[part->key];
        uint32_t cause = triage->cause_of[part->key];
        worst->parts[i] = (struct dj_triage_part){
            part->start_ns, part->end_ns, cause == UINT32_MAX ? SIZE_MAX : cause,
            key->kind,      key->name,    key->thread};
    }
}

static void find_worst(struct dj_triage *triage)
{
    struct dj_triage_result *result = &triage->result;
    result->worst = dj_xcalloc(DJ_TRIAGE_WORST, sizeof(*result->worst));
    int64_t below_ns = INT64_MAX;
    size_t before = SIZE_MAX;
    while (result->worst_count < DJ_TRIAGE_WORST) {
        const struct dj_triage_frame_record *next = NULL;
        for (size_t i = 0; i < triage->frame_count; i++) {
            const struct dj_triage_frame_record *frame = &triage->frames[i];
            int64_t late_ns = frame->late_ns;
            bool later = late_ns < below_ns || (late_ns == below_ns && i > before);
            if (frame->janky && !frame->incomplete && !frame->base && later &&
                (next == NULL || late_ns > next->late_ns)) {
                next = frame;
            }
        }
        if (next == NULL) {
            return;
        }
        struct dj_triage_worst *worst = &result->worst[result->worst_count++];
        *worst = (struct dj_triage_worst){.frame = next->name,
                                          .trace = next->trace,
                                          .thread = next->thread,
                                          .trace_start_ns = next->trace_start_ns,
                                          .start_ns = next->start_ns,
                                          .end_ns = next->end_ns,
                                          .deadline_ns = next->deadline_ns};
        copy_parts(triage, next, worst);
        if (next->sample_count > 0) {
            worst->samples = triage->samples + next->first_sample;
            worst->sample_count = next->sample_count;
        }
        below_ns = next->late_ns;
        before = (size_t)(next - triage->frames);
    }
}

void dj_triage_rank(struct dj_triage *triage, size_t frames)
{
    name_all_cpu_waits(triage);
    set_machine(triage, frames);
    rank(triage);
    find_worst(triage);
}
