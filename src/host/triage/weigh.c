#include "triage/weigh.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "triage/spinning.h"

/* A cause is part of a frame where it could have saved so much; a section's own work also
 * has to be so much above what is usual, as it varies. */
enum { LEAST_NS = 100000, LEAST_WORK_NS = 300000, LEAST_WORK_PERCENT = 15 };

/* Work between two waits for a disk is the call's, as long as it is no more than that. */
enum { BETWEEN_NS = 500000, BETWEEN_TIMES = 4 };

/*
 * Other programs always run now and then: that is the machine's noise. One of them is a
 * cause of its own where it had at least so much of what time a frame so lost, or half of
 * a frame's budget at a stretch, in so many frames, and in so much of all; or where half
 * of what it ran at all, it ran while late frames waited for it. A frame that
 * others took much more of than a cause did is none that the cause would have saved.
 */
enum {
    TAKES_TIMES = 2,
    COMES_TIMES = 2,
    RULES_PERCENT = 50,
    RULED_LEAST = 4,
    RULED_PER_CENT = 3
};

/* One cause in one frame. */
struct mass {
    uint32_t cause, frame;
    int64_t ns, removable_ns;
    struct dj_triage_doing doing;
    uint32_t evidence, pieces;
};

struct masses {
    struct mass *all; /* by cause, then frame */
    size_t count;
};

/* ---- keys become causes ---- */

static bool same_cause(const struct dj_triage_cause *cause,
                       const struct dj_triage_key *key)
{
    return cause->kind == (enum dj_cause_kind)key->kind && cause->thread == key->thread &&
           cause->holder == key->family && cause->foreign == key->foreign &&
           (cause->kind == DJ_CAUSE_RUNNABLE || cause->name == key->name);
}

static void number_causes(struct dj_triage *triage)
{
    struct dj_triage_result *result = &triage->result;
    result->causes = calloc(triage->key_count + 1, sizeof(*result->causes));
    triage->cause_of = calloc(triage->key_count + 1, sizeof(*triage->cause_of));
    if (result->causes == NULL || triage->cause_of == NULL) {
        triage->failed = true;
        return;
    }
    for (size_t i = 0; i < triage->key_count; i++) {
        const struct dj_triage_key *key = &triage->keys[i];
        size_t at = 0;
        while (at < result->cause_count && !same_cause(&result->causes[at], key)) {
            at++;
        }
        if (at == result->cause_count) {
            result->causes[result->cause_count++] =
                (struct dj_triage_cause){.kind = key->kind,
                                         .name = key->name,
                                         .thread = key->thread,
                                         .holder = key->family,
                                         .foreign = key->foreign};
        }
        triage->cause_of[i] = (uint32_t)at;
    }
}

/* ---- masses ---- */

static int by_cause(const void *a, const void *b)
{
    const struct mass *left = a;
    const struct mass *right = b;
    int order = (left->cause > right->cause) - (left->cause < right->cause);
    return order != 0 ? order
                      : (left->frame > right->frame) - (left->frame < right->frame);
}

static void add_doing(struct dj_triage_doing *sum, const struct dj_triage_doing *more)
{
    sum->running += more->running;
    sum->ready += more->ready;
    sum->io += more->io;
    sum->asleep += more->asleep;
    sum->unknown += more->unknown;
}

static int64_t evidence_length(const struct dj_triage *triage, uint32_t evidence)
{
    return evidence == UINT32_MAX
               ? -1
               : triage->evidence[evidence].end_ns - triage->evidence[evidence].start_ns;
}

static void find_masses(struct dj_triage *triage, struct masses *masses)
{
    masses->all = dj_array_resize(NULL, triage->share_count + 1, sizeof(*masses->all));
    if (masses->all == NULL) {
        triage->failed = true;
        return;
    }
    for (size_t i = 0; i < triage->share_count; i++) {
        const struct dj_triage_share *share = &triage->shares[i];
        masses->all[i] = (struct mass){.cause = triage->cause_of[share->key],
                                       .frame = share->frame,
                                       .ns = share->ns,
                                       .doing = share->doing,
                                       .evidence = share->evidence,
                                       .pieces = share->pieces};
    }
    size_t count = triage->share_count;
    qsort(masses->all, count, sizeof(*masses->all), by_cause);
    for (size_t i = 0; i < count; i++) {
        struct mass *last = masses->count > 0 ? &masses->all[masses->count - 1] : NULL;
        const struct mass *mass = &masses->all[i];
        if (last == NULL || by_cause(last, mass) != 0) {
            masses->all[masses->count++] = *mass;
            continue;
        }
        last->ns += mass->ns;
        last->pieces += mass->pieces;
        add_doing(&last->doing, &mass->doing);
        if (evidence_length(triage, mass->evidence) >
            evidence_length(triage, last->evidence)) {
            last->evidence = mass->evidence;
        }
    }
}

/* ---- what is usual ---- */

static int by_length(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* The median over frames that were in time; those that do not have it count with 0. */
static int64_t usual_of(const struct dj_triage *triage, const struct mass *masses,
                        size_t count, size_t in_time, int64_t *values)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const struct dj_triage_seen *frame = &triage->frames[masses[i].frame];
        if (!frame->janky && !frame->incomplete && !frame->base) {
            values[kept++] = masses[i].ns;
        }
    }
    size_t absent = in_time - kept;
    size_t middle = in_time / 2;
    if (in_time == 0 || middle < absent) {
        return 0;
    }
    qsort(values, kept, sizeof(*values), by_length);
    return values[middle - absent];
}

/* Waits that are part of every frame's pace, and work, count by what is above the usual;
 * others could be gone altogether. */
static bool has_usual(enum dj_cause_kind kind)
{
    return kind == DJ_CAUSE_OWN_WORK || kind == DJ_CAUSE_FREQUENCY ||
           kind == DJ_CAUSE_SLEEP || kind == DJ_CAUSE_LATE_WAKE || kind == DJ_CAUSE_GPU ||
           kind == DJ_CAUSE_DISPLAY;
}

static int longest_first(const void *a, const void *b)
{
    const struct mass *left = *(struct mass *const *)a;
    const struct mass *right = *(struct mass *const *)b;
    return (left->ns < right->ns) - (left->ns > right->ns);
}

/* Against a base: its longest share of this cause with our longest, and so on, each
 * standing for as many frames as its side has more of. */
static void remove_base(const struct dj_triage *triage, struct mass *masses, size_t count,
                        const size_t frames[2])
{
    struct mass **sides = dj_array_resize(NULL, 2 * count + 1, sizeof(struct mass *));
    size_t counts[2] = {0, 0};
    if (sides == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        bool base = triage->frames[masses[i].frame].base;
        sides[(base ? count : 0) + counts[base]++] = &masses[i];
    }
    qsort(sides, counts[0], sizeof(*sides), longest_first);
    qsort(sides + count, counts[1], sizeof(*sides), longest_first);
    for (size_t i = 0; i < counts[0]; i++) {
        size_t partner = i * frames[1] / (frames[0] > 0 ? frames[0] : 1);
        int64_t before_ns = partner < counts[1] ? sides[count + partner]->ns : 0;
        sides[i]->removable_ns = sides[i]->ns > before_ns ? sides[i]->ns - before_ns : 0;
    }
    free(sides);
}

static void find_removable(const struct dj_triage *triage, struct dj_triage_cause *cause,
                           struct mass *masses, size_t count, const size_t frames[3],
                           int64_t *values)
{
    if (triage->has_base) {
        remove_base(triage, masses, count, frames);
        return;
    }
    int64_t usual_ns =
        has_usual(cause->kind) ? usual_of(triage, masses, count, frames[2], values) : 0;
    cause->usual_ns = usual_ns;
    for (size_t i = 0; i < count; i++) {
        int64_t above_ns = masses[i].ns - usual_ns;
        masses[i].removable_ns = above_ns > 0 ? above_ns : 0;
    }
}

/* ---- causes ---- */

static bool is_part(const struct dj_triage_cause *cause, const struct mass *mass)
{
    bool work = cause->kind == DJ_CAUSE_OWN_WORK;
    return mass->removable_ns >= (work ? LEAST_WORK_NS : LEAST_NS) &&
           (!work || 100 * mass->removable_ns >=
                         LEAST_WORK_PERCENT * (mass->ns - mass->removable_ns));
}

static void keep_evidence(const struct dj_triage *triage, struct dj_triage_cause *cause,
                          uint32_t number)
{
    if (number == UINT32_MAX) {
        return;
    }
    const struct dj_triage_evidence *made = &triage->evidence[number];
    size_t at = cause->evidence_count;
    while (at > 0 && made->ns > cause->evidence[at - 1].ns) {
        at--;
    }
    if (at == DJ_TRIAGE_EVIDENCE) {
        return;
    }
    size_t kept = cause->evidence_count < DJ_TRIAGE_EVIDENCE ? cause->evidence_count
                                                             : DJ_TRIAGE_EVIDENCE - 1;
    memmove(&cause->evidence[at + 1], &cause->evidence[at],
            (kept - at) * sizeof(cause->evidence[0]));
    cause->evidence[at] = *made;
    cause->evidence_count = kept + 1;
}

static void weigh_mass(struct dj_triage *triage, struct dj_triage_cause *cause,
                       const struct mass *mass, const int64_t *foreign_ns)
{
    const struct dj_triage_seen *frame = &triage->frames[mass->frame];
    if (!frame->janky || frame->incomplete || frame->base) {
        return;
    }
    if (cause->kind == DJ_CAUSE_UNEXPLAINED) {
        triage->result.unexplained_ns += mass->ns;
        return;
    }
    if (!is_part(cause, mass)) {
        return;
    }
    int64_t late_ns = frame->end_ns - frame->deadline_ns;
    cause->frames++;
    cause->pieces += mass->pieces;
    cause->ns += mass->ns;
    cause->ruled_frames +=
        cause->foreign && (100 * mass->ns >= RULES_PERCENT * foreign_ns[mass->frame] ||
                           2 * evidence_length(triage, mass->evidence) >=
                               frame->deadline_ns - frame->start_ns);
    cause->saved_frames +=
        mass->removable_ns >= late_ns &&
        (cause->foreign || TAKES_TIMES * mass->removable_ns >= foreign_ns[mass->frame]);
    cause->saved_ns += mass->removable_ns < late_ns ? mass->removable_ns : late_ns;
    cause->holder_ran_ns += mass->doing.running;
    cause->holder_ready_ns += mass->doing.ready;
    cause->holder_io_ns += mass->doing.io;
    cause->holder_slept_ns += mass->doing.asleep;
    if (mass->evidence != UINT32_MAX) {
        triage->evidence[mass->evidence].ns = mass->ns;
    }
    keep_evidence(triage, cause, mass->evidence);
}

/* How long a cause went by a name. */
struct called {
    uint32_t cause;
    const char *name;
    int64_t ns;
};

static int by_name(const void *a, const void *b)
{
    const struct called *left = a;
    const struct called *right = b;
    int order = (left->cause > right->cause) - (left->cause < right->cause);
    return order != 0 ? order : strcmp(left->name, right->name);
}

/* Waiting for a core goes by the section in which most of it was, and by the thread that
 * had the core longest. */
static void name_ready(struct dj_triage *triage, const int64_t *sums, bool holders)
{
    struct called *all = dj_array_resize(NULL, triage->key_count + 1, sizeof(*all));
    if (all == NULL) {
        triage->failed = true;
        return;
    }
    for (size_t i = 0; i < triage->key_count; i++) {
        const struct dj_triage_key *key = &triage->keys[i];
        all[i] = (struct called){triage->cause_of[i], holders ? key->holder : key->name,
                                 sums[i]};
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
        if (cause->kind == DJ_CAUSE_RUNNABLE && sum_ns > most_ns) {
            most_ns = sum_ns;
            *(holders ? &cause->holder : &cause->name) = all[from].name;
        }
    }
    free(all);
}

static void name_all_ready(struct dj_triage *triage, int64_t *sums)
{
    for (size_t i = 0; i < triage->key_count; i++) {
        sums[i] = 0;
    }
    for (size_t i = 0; i < triage->share_count; i++) {
        const struct dj_triage_share *share = &triage->shares[i];
        const struct dj_triage_seen *frame = &triage->frames[share->frame];
        sums[share->key] += frame->janky && !frame->base ? share->ns : 0;
    }
    name_ready(triage, sums, false);
    name_ready(triage, sums, true);
}

/* ---- the machine's noise ---- */

static void sum_foreign(const struct dj_triage *triage, int64_t *foreign_ns)
{
    for (size_t i = 0; i < triage->frame_count; i++) {
        foreign_ns[i] = 0;
    }
    for (size_t i = 0; i < triage->share_count; i++) {
        const struct dj_triage_share *share = &triage->shares[i];
        foreign_ns[share->frame] += triage->keys[share->key].foreign ? share->ns : 0;
    }
}

/* It runs when our frames are late, and not much else. */
static bool comes_with_us(const struct dj_triage *triage,
                          const struct dj_triage_cause *cause, size_t family)
{
    int64_t ran_ns = 0;
    const char *name = triage->keys[family].family;
    for (size_t i = 0; i < triage->ran_count; i++) {
        ran_ns += triage->ran[i].family == name ? triage->ran[i].ns : 0;
    }
    return ran_ns > 0 && COMES_TIMES * cause->ns >= ran_ns;
}

static void set_apart(struct dj_triage *triage, size_t frames)
{
    size_t least = frames * RULED_PER_CENT / 100;
    least = least > RULED_LEAST ? least : RULED_LEAST;
    for (size_t i = 0; i < triage->key_count; i++) {
        struct dj_triage_cause *cause = &triage->result.causes[triage->cause_of[i]];
        cause->machine =
            cause->foreign && cause->ruled_frames < least &&
            (cause->frames < RULED_LEAST || !comes_with_us(triage, cause, i));
    }
}

/* ---- order ---- */

/*
 * A call that waits for a disk several times works a little between. That work would be
 * gone with it: it comes behind the waiting, both by what is more.
 */
static bool goes_with(const struct dj_triage_cause *work,
                      const struct dj_triage_cause *wait)
{
    return work->kind == DJ_CAUSE_OWN_WORK && wait->kind == DJ_CAUSE_IO &&
           work->name == wait->name && work->thread == wait->thread && work->frames > 0 &&
           wait->frames > 0 && work->ns <= BETWEEN_NS * (int64_t)wait->pieces &&
           work->ns <= BETWEEN_TIMES * wait->ns;
}

static void pair_causes(struct dj_triage_result *result)
{
    for (size_t i = 0; i < result->cause_count; i++) {
        struct dj_triage_cause *work = &result->causes[i];
        for (size_t j = 0; j < result->cause_count; j++) {
            struct dj_triage_cause *wait = &result->causes[j];
            if (goes_with(work, wait)) {
                bool more = work->saved_frames > wait->saved_frames ||
                            (work->saved_frames == wait->saved_frames &&
                             work->saved_ns > wait->saved_ns);
                wait->rank_frames = more ? work->saved_frames : wait->rank_frames;
                wait->rank_ns = more ? work->saved_ns : wait->rank_ns;
                work->rank_frames = wait->rank_frames;
                work->rank_ns = wait->rank_ns;
                work->behind = true;
            }
        }
    }
}

static int by_rank(const void *a, const void *b)
{
    const struct dj_triage_cause *left = a;
    const struct dj_triage_cause *right = b;
    int order = (left->frames == 0) - (right->frames == 0);
    order = order != 0 ? order : left->machine - right->machine;
    order = order != 0 ? order
                       : (right->rank_frames > left->rank_frames) -
                             (right->rank_frames < left->rank_frames);
    order = order != 0
                ? order
                : (right->rank_ns > left->rank_ns) - (right->rank_ns < left->rank_ns);
    order = order != 0 ? order : left->behind - right->behind;
    order = order != 0 ? order : (right->ns > left->ns) - (right->ns < left->ns);
    order = order != 0 ? order : strcmp(left->name, right->name);
    return order != 0 ? order : strcmp(left->holder, right->holder);
}

/* Causes without a frame go; the machine's stand behind the others. */
static void rank(struct dj_triage *triage)
{
    struct dj_triage_result *result = &triage->result;
    size_t *place = calloc(result->cause_count + 1, sizeof(*place));
    if (place == NULL) {
        triage->failed = true;
        return;
    }
    for (size_t i = 0; i < result->cause_count; i++) {
        struct dj_triage_cause *cause = &result->causes[i];
        cause->rank_was = i;
        cause->rank_frames = cause->saved_frames;
        cause->rank_ns = cause->saved_ns;
    }
    pair_causes(result);
    qsort(result->causes, result->cause_count, sizeof(*result->causes), by_rank);
    size_t kept = 0;
    size_t machine = 0;
    for (size_t i = 0; i < result->cause_count; i++) {
        bool counts = result->causes[i].frames > 0;
        place[result->causes[i].rank_was] = counts ? i : UINT32_MAX;
        kept += counts && !result->causes[i].machine;
        machine += counts && result->causes[i].machine;
    }
    for (size_t i = 0; i < triage->key_count; i++) {
        triage->cause_of[i] = (uint32_t)place[triage->cause_of[i]];
    }
    result->cause_count = kept;
    result->machine = result->causes + kept;
    result->machine_count = machine;
    free(place);
}

/* ---- the worst frames ---- */

static void keep_parts(struct dj_triage *triage, const struct dj_triage_seen *frame,
                       struct dj_triage_worst *worst)
{
    worst->parts = calloc(frame->part_count + 1, sizeof(*worst->parts));
    if (worst->parts == NULL) {
        triage->failed = true;
        return;
    }
    worst->part_count = frame->part_count;
    for (size_t i = 0; i < frame->part_count; i++) {
        const struct dj_triage_kept_part *part = &triage->parts[frame->first_part + i];
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
    result->worst = calloc(DJ_TRIAGE_WORST, sizeof(*result->worst));
    if (result->worst == NULL) {
        triage->failed = true;
        return;
    }
    int64_t below_ns = INT64_MAX;
    size_t before = SIZE_MAX;
    while (result->worst_count < DJ_TRIAGE_WORST && !triage->failed) {
        const struct dj_triage_seen *next = NULL;
        for (size_t i = 0; i < triage->frame_count; i++) {
            const struct dj_triage_seen *frame = &triage->frames[i];
            int64_t late_ns = frame->end_ns - frame->deadline_ns;
            bool later = late_ns < below_ns || (late_ns == below_ns && i > before);
            if (frame->janky && !frame->incomplete && !frame->base && later &&
                (next == NULL || late_ns > next->end_ns - next->deadline_ns)) {
                next = frame;
            }
        }
        if (next == NULL) {
            return;
        }
        struct dj_triage_worst *worst = &result->worst[result->worst_count++];
        *worst = (struct dj_triage_worst){
            next->name,   next->trace,       next->thread, next->start_ns,
            next->end_ns, next->deadline_ns, NULL,         0};
        keep_parts(triage, next, worst);
        below_ns = next->end_ns - next->deadline_ns;
        before = (size_t)(next - triage->frames);
    }
}

/* ---- */

static void count_frames(struct dj_triage *triage, size_t frames[3])
{
    struct dj_triage_result *result = &triage->result;
    for (size_t i = 0; i < triage->frame_count; i++) {
        const struct dj_triage_seen *frame = &triage->frames[i];
        frames[frame->base] += !frame->incomplete;
        if (frame->base) {
            continue;
        }
        frames[2] += !frame->janky && !frame->incomplete;
        result->frames++;
        result->incomplete += frame->incomplete;
        result->janky += frame->janky;
        result->late_ns += frame->janky ? frame->end_ns - frame->deadline_ns : 0;
    }
}

void dj_triage_weigh_all(struct dj_triage *triage)
{
    struct masses masses = {0};
    size_t frames[3] = {0, 0, 0}; /* ours, the base's, ours in time; without holes */
    int64_t *values = dj_array_resize(NULL, triage->share_count + triage->key_count + 1,
                                      sizeof(*values));
    int64_t *foreign_ns =
        dj_array_resize(NULL, triage->frame_count + 1, sizeof(*foreign_ns));
    triage->failed |= values == NULL || foreign_ns == NULL;
    count_frames(triage, frames);
    dj_triage_move_spinning(triage);
    if (!triage->failed) {
        sum_foreign(triage, foreign_ns);
        number_causes(triage);
    }
    if (!triage->failed) {
        find_masses(triage, &masses);
    }
    for (size_t from = 0, to; !triage->failed && from < masses.count; from = to) {
        struct dj_triage_cause *cause = &triage->result.causes[masses.all[from].cause];
        for (to = from;
             to < masses.count && masses.all[to].cause == masses.all[from].cause; to++) {
        }
        find_removable(triage, cause, masses.all + from, to - from, frames, values);
        for (size_t i = from; i < to; i++) {
            weigh_mass(triage, cause, &masses.all[i], foreign_ns);
        }
    }
    if (!triage->failed) {
        name_all_ready(triage, values);
        set_apart(triage, frames[0]);
        rank(triage);
    }
    if (!triage->failed) {
        find_worst(triage);
    }
    if (frames[2] == 0 && !triage->has_base) {
        dj_triage_limit_add(triage, "no frame was in time: what is usual of a section is "
                                    "not known, all of it counts");
    }
    triage->result.frames_from = triage->frames_from;
    triage->result.budget_ns = triage->rules.budget_ns;
    triage->result.limits = triage->limits;
    triage->result.limit_count = triage->limit_count;
    free(masses.all);
    free(values);
    free(foreign_ns);
}
