#include "triage/weigh/weigh.h"

#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "stats/quantile.h"
#include "triage/functions/functions.h"
#include "triage/limits.h"

/* A cause contributes to the lateness of a frame if at least LEAST_NS could have been
 * saved. Own work must also exceed its usual time by LEAST_WORK_NS and
 * LEAST_WORK_PERCENT, because the duration of work varies. */
enum { LEAST_NS = 100000, LEAST_WORK_NS = 300000, LEAST_WORK_PERCENT = 15 };

/* A cause does not count as saving a frame if other programs used too much time in the
 * frame. The limit is the time that is saved without the cause, multiplied by this
 * number. */
enum { TAKES_TIMES = 2 };

/* Waits for a CPU during additional work count as saved together with the work. If they
 * are this many times as long as the additional work, they do not count, because the
 * thread would have finished before these waits only by chance. */
enum { ALONG_TIMES = 8 };

/* Another program dominated a frame if it used at least this percentage of the time that
 * all other programs used in the frame. */
enum { RULES_PERCENT = 50 };

/* The time that one cause took in one frame. */
struct contribution {
    uint32_t cause;
    int64_t removable_ns;
    struct dj_triage_share share; /* Sum of the shares whose keys belong to the cause. */
};

static int by_cause(const void *a, const void *b)
{
    const struct contribution *left = a;
    const struct contribution *right = b;
    int order = DJ_COMPARE(left->cause, right->cause);
    return order != 0 ? order : DJ_COMPARE(left->share.frame, right->share.frame);
}

static int64_t get_evidence_length(const struct dj_triage *triage, uint32_t evidence)
{
    return evidence == UINT32_MAX
               ? -1
               : triage->evidence[evidence].end_ns - triage->evidence[evidence].start_ns;
}

static void add_share(const struct dj_triage *triage, struct dj_triage_share *sum,
                      const struct dj_triage_share *more)
{
    sum->ns += more->ns;
    sum->clock_ns += more->clock_ns;
    sum->woken.ns += more->woken.ns;
    sum->woken.foreign_ns += more->woken.foreign_ns;
    sum->pieces += more->pieces;
    sum->requests += more->requests;
    sum->shown |= more->shown;
    dj_triage_activity_add(&sum->activity, &more->activity);
    if (get_evidence_length(triage, more->evidence) >
        get_evidence_length(triage, sum->evidence)) {
        sum->evidence = more->evidence;
    }
}

/* Returns all contributions, sorted by cause, then by frame. The caller frees the array.
 */
static struct contribution *find_contributions(const struct dj_triage *triage,
                                               size_t *count)
{
    struct contribution *all = dj_xresize(NULL, triage->share_count, sizeof(*all));
    for (size_t i = 0; i < triage->share_count; i++) {
        all[i] = (struct contribution){.cause = triage->cause_of[triage->shares[i].key],
                                       .share = triage->shares[i]};
    }
    qsort(all, triage->share_count, sizeof(*all), by_cause);
    *count = 0;
    for (size_t i = 0; i < triage->share_count; i++) {
        if (*count > 0 && by_cause(&all[*count - 1], &all[i]) == 0) {
            add_share(triage, &all[*count - 1].share, &all[i].share);
        } else {
            all[(*count)++] = all[i];
        }
    }
    return all;
}

/* Returns the median time of the cause in frames that were in time. A frame without the
 * cause counts as 0. */
static int64_t compute_usual(const struct dj_triage *triage,
                             const struct contribution *contributions, size_t count,
                             size_t in_time, int64_t *values)
{
    size_t present = 0;
    for (size_t i = 0; i < count; i++) {
        const struct dj_triage_frame_record *frame =
            &triage->frames[contributions[i].share.frame];
        if (!frame->janky && !frame->incomplete && !frame->base) {
            values[present++] = contributions[i].share.ns;
        }
    }
    size_t absent = in_time - present;
    size_t middle = in_time / 2;
    if (in_time == 0 || middle < absent) {
        return 0;
    }
    dj_quantile_sort_int64(values, present);
    return values[middle - absent];
}

/* Returns true if only the time above the usual time of the cause could be saved. This is
 * the case for work, and for waits that occur in every frame. Other waits could be
 * avoided completely. */
static bool has_usual(enum dj_cause_kind kind)
{
    return dj_triage_is_running_kind(kind) || kind == DJ_CAUSE_SLEEP ||
           kind == DJ_CAUSE_LATE_WAKE || kind == DJ_CAUSE_GPU || kind == DJ_CAUSE_DISPLAY;
}

static int by_length(const void *a, const void *b)
{
    const struct contribution *left = *(struct contribution *const *)a;
    const struct contribution *right = *(struct contribution *const *)b;
    return DJ_COMPARE(right->share.ns, left->share.ns);
}

/* Sets removable_ns of each contribution by comparison with the baseline. Compares the
 * longest time of the cause in the traces with its longest time in the baseline, the
 * second longest time with the second longest, and so on. If the baseline has a different
 * number of frames, scales the ranks. */
static void remove_base(const struct dj_triage *triage,
                        struct contribution *contributions, size_t count,
                        const size_t frames[2])
{
    struct contribution **sides =
        dj_xresize(NULL, 2 * count, sizeof(struct contribution *));
    size_t counts[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        bool base = triage->frames[contributions[i].share.frame].base;
        sides[(base ? count : 0) + counts[base]++] = &contributions[i];
    }
    qsort(sides, counts[0], sizeof(*sides), by_length);
    qsort(sides + count, counts[1], sizeof(*sides), by_length);
    for (size_t i = 0; i < counts[0]; i++) {
        size_t partner = i * frames[1] / (frames[0] > 0 ? frames[0] : 1);
        int64_t before_ns = partner < counts[1] ? sides[count + partner]->share.ns : 0;
        sides[i]->removable_ns =
            sides[i]->share.ns > before_ns ? sides[i]->share.ns - before_ns : 0;
    }
    free(sides);
}

static void find_removable(const struct dj_triage *triage, struct dj_triage_cause *cause,
                           struct contribution *contributions, size_t count,
                           const size_t frames[3], int64_t *values)
{
    if (triage->result.against_base) {
        remove_base(triage, contributions, count, frames);
        return;
    }
    int64_t usual_ns = has_usual(cause->kind) ? compute_usual(triage, contributions,
                                                              count, frames[2], values)
                                              : 0;
    cause->usual_ns = usual_ns;
    for (size_t i = 0; i < count; i++) {
        int64_t above_ns = contributions[i].share.ns - usual_ns;
        contributions[i].removable_ns = above_ns > 0 ? above_ns : 0;
    }
}

static bool is_part(const struct dj_triage_cause *cause,
                    const struct contribution *contribution)
{
    bool work = cause->kind == DJ_CAUSE_OWN_WORK;
    return contribution->removable_ns >= (work ? LEAST_WORK_NS : LEAST_NS) &&
           (!work || 100 * contribution->removable_ns >=
                         LEAST_WORK_PERCENT *
                             (contribution->share.ns - contribution->removable_ns));
}

/* Adds the evidence of the share to the cause. If the start of the piece was counted as
 * work that is limited by wall time, the evidence contains only the rest of the piece. */
static void add_evidence(const struct dj_triage *triage, struct dj_triage_cause *cause,
                         const struct dj_triage_share *share)
{
    if (share->evidence == UINT32_MAX) {
        return;
    }
    struct dj_triage_evidence *made = &triage->evidence[share->evidence];
    made->ns = share->ns;
    if (made->end_ns - made->start_ns > share->ns) {
        made->start_ns = made->end_ns - share->ns;
    }
    size_t at = cause->evidence_count;
    if (at < DJ_TRIAGE_EVIDENCE) {
        cause->evidence_count++;
    } else if (made->ns <= cause->evidence[--at].ns) {
        return;
    }
    for (; at > 0 && made->ns > cause->evidence[at - 1].ns; at--) {
        cause->evidence[at] = cause->evidence[at - 1];
    }
    cause->evidence[at] = *made;
}

/* Returns the time of waits for a CPU that would have been saved without the cause.
 * Returns zero if these waits are already counted as work. */
static struct dj_triage_cpu_wait compute_cpu_wait(const struct dj_triage *triage,
                                                  const struct dj_triage_cause *cause,
                                                  const struct contribution *contribution)
{
    if (contribution->share.clock_ns != 0) {
        return (struct dj_triage_cpu_wait){0, 0};
    }
    struct dj_triage_cpu_wait cpu_wait = dj_triage_compute_cpu_wait(
        triage, cause, &contribution->share, contribution->removable_ns);
    bool chance = dj_triage_is_running_kind(cause->kind) &&
                  cpu_wait.ns > ALONG_TIMES * contribution->removable_ns;
    return chance ? (struct dj_triage_cpu_wait){0, 0} : cpu_wait;
}

/* Returns true if the cause contributed to the lateness of the frame. */
static bool weigh_contribution(struct dj_triage *triage, struct dj_triage_cause *cause,
                               const struct contribution *contribution,
                               const int64_t *foreign_ns)
{
    const struct dj_triage_frame_record *frame =
        &triage->frames[contribution->share.frame];
    if (!frame->janky || frame->incomplete || frame->base) {
        return false;
    }
    if (cause->kind == DJ_CAUSE_UNEXPLAINED) {
        triage->result.unexplained_ns += contribution->share.ns;
        return false;
    }
    if (!is_part(cause, contribution)) {
        return false;
    }
    /* If both the app and the compositor were late, a cause counts only for its own part
     * of the lateness. Even if the compositor had been in time, the frame of the late app
     * would have been shown at a later vsync. */
    bool both = contribution->share.shown && frame->shown_late_ns > 0;
    int64_t late_ns = both ? frame->shown_late_ns : frame->late_ns - frame->shown_late_ns;
    struct dj_triage_cpu_wait cpu_wait = compute_cpu_wait(triage, cause, contribution);
    int64_t saved_ns = contribution->removable_ns + cpu_wait.ns;
    cause->frames++;
    cause->pieces += contribution->share.pieces;
    cause->requests += contribution->share.requests;
    cause->ns += contribution->share.ns;
    cause->clock_ns += contribution->share.clock_ns;
    cause->cpu_wait_ns += cpu_wait.ns;
    cause->ruled_frames +=
        cause->foreign &&
        (100 * contribution->share.ns >=
             RULES_PERCENT * foreign_ns[contribution->share.frame] ||
         2 * get_evidence_length(triage, contribution->share.evidence) >=
             frame->deadline_ns - frame->start_ns);
    cause->saved_frames += !both && saved_ns >= late_ns &&
                           (cause->foreign || TAKES_TIMES * saved_ns >=
                                                  foreign_ns[contribution->share.frame] -
                                                      cpu_wait.foreign_ns);
    cause->saved_ns += saved_ns < late_ns ? saved_ns : late_ns;
    cause->holder_ran_ns += contribution->share.activity.running;
    cause->holder_ready_ns += contribution->share.activity.ready;
    cause->holder_io_ns += contribution->share.activity.io;
    cause->holder_slept_ns += contribution->share.activity.asleep;
    cause->holder_unknown_ns += contribution->share.activity.unknown;
    add_evidence(triage, cause, &contribution->share);
    return true;
}

static void count_frames(struct dj_triage *triage, size_t frames[3])
{
    struct dj_triage_result *result = &triage->result;
    for (size_t i = 0; i < triage->frame_count; i++) {
        const struct dj_triage_frame_record *frame = &triage->frames[i];
        frames[frame->base] += !frame->incomplete;
        if (frame->base) {
            continue;
        }
        frames[2] += !frame->janky && !frame->incomplete;
        result->incomplete += frame->incomplete;
        result->janky += frame->janky;
        result->late_ns += frame->janky ? frame->late_ns : 0;
    }
}

/* Weighs all contributions of a cause, and finds its functions. `janky` has room for
 * `count` frames. */
static void weigh_cause(struct dj_triage *triage,
                        const struct contribution *contributions, size_t count,
                        const int64_t *foreign_ns, uint32_t *janky)
{
    uint32_t number = contributions[0].cause;
    struct dj_triage_cause *cause = &triage->result.causes[number];
    size_t janky_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (weigh_contribution(triage, cause, &contributions[i], foreign_ns)) {
            janky[janky_count++] = contributions[i].share.frame;
        }
    }
    if (cause->kind == DJ_CAUSE_OWN_WORK && janky_count > 0) {
        cause->functions = dj_triage_functions_find(triage, number, janky, janky_count);
    }
    cause->waiters = dj_triage_waits_find(triage, number, janky, janky_count);
}

void dj_triage_weigh_all(struct dj_triage *triage)
{
    /* Number of complete frames in the traces, number of complete frames in the baseline,
     * and number of complete frames in the traces that were in time. */
    size_t frames[3] = {0, 0, 0};
    int64_t *values = dj_xresize(NULL, triage->share_count, sizeof(*values));
    count_frames(triage, frames);
    dj_triage_move_wall_time_work(triage);
    int64_t *foreign_ns = dj_triage_sum_foreign(triage);
    dj_triage_number_causes(triage);
    size_t count;
    struct contribution *contributions = find_contributions(triage, &count);
    uint32_t *janky = dj_xresize(NULL, count, sizeof(*janky));
    for (size_t from = 0, to; from < count; from = to) {
        struct dj_triage_cause *cause = &triage->result.causes[contributions[from].cause];
        for (to = from;
             to < count && contributions[to].cause == contributions[from].cause; to++) {
        }
        find_removable(triage, cause, contributions + from, to - from, frames, values);
        weigh_cause(triage, contributions + from, to - from, foreign_ns, janky);
    }
    triage->cause_total = triage->result.cause_count;
    triage->result.calls = &triage->calls;
    triage->result.functions = dj_triage_functions_find_all(triage);
    dj_triage_rank(triage, frames[0]);
    dj_triage_limits_add_totals(triage);
    if (frames[2] == 0 && !triage->result.against_base) {
        dj_triage_limit_add(triage, "no frame was in time: the usual time of sections is "
                                    "unknown, so all of their time counts");
    }
    free(janky);
    free(contributions);
    free(values);
    free(foreign_ns);
}
