#include "triage/weigh.h"

#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "stats/quantile.h"

/* A section is limited by wall time if it lasted equally long at least this many times:
 * within one percent, or 50 µs. AGREE_PERCENT of those that lost the CPU must agree, and
 * their CPU times must differ by more than a twentieth although their wall times do
 * not. */
enum {
    FEWEST = 3,
    NEAR_PART = 100,
    NEAR_NS = 50000,
    AGREE_PERCENT = 70,
    DIFFER_PART = 20,
    OFF_PART = 50,
    RAN_PART = 5
};

/* One section in one frame. */
struct bout {
    uint32_t frame, share;
    int64_t ran_ns, off_ns;
    int64_t tail_ns, last_off_ns; /* time it ran at its end; time off the CPU before
                                   * that */
    int64_t usual_ns;             /* usual wall time; 0: unknown */
};

struct bouts {
    struct bout *all; /* sorted by wall time, shortest first */
    int64_t *values;
    size_t count;
};

static int64_t clock_ns(const struct bout *bout)
{
    return bout->ran_ns + bout->off_ns;
}

static int by_clock(const void *a, const void *b)
{
    const struct bout *left = a;
    const struct bout *right = b;
    return DJ_COMPARE(clock_ns(left), clock_ns(right));
}

static bool is_part_of(const struct dj_triage_key *off, const struct dj_triage_key *work)
{
    return off->kept_off && off->name == work->name && off->thread == work->thread;
}

static int64_t off_ns(const struct dj_triage *triage, const struct dj_triage_seen *frame,
                      const struct dj_triage_key *work)
{
    int64_t sum_ns = 0;
    for (size_t i = 0; i < frame->share_count; i++) {
        const struct dj_triage_share *share = &triage->shares[frame->first_share + i];
        sum_ns += is_part_of(&triage->keys[share->key], work) ? share->ns : 0;
    }
    return sum_ns;
}

/* Only sections that lost the CPU for a while, and ran for a good part, decide, and only
 * these are changed. */
static void add_bout(const struct dj_triage *triage, size_t number, struct bouts *bouts)
{
    const struct dj_triage_share *share = &triage->shares[number];
    const struct dj_triage_seen *frame = &triage->frames[share->frame];
    struct bout bout = {.frame = share->frame,
                        .share = (uint32_t)number,
                        .ran_ns = share->ns,
                        .off_ns = off_ns(triage, frame, &triage->keys[share->key]),
                        .tail_ns = share->tail_ns,
                        .last_off_ns = share->off_ns};
    if (OFF_PART * bout.off_ns > clock_ns(&bout) &&
        RAN_PART * bout.ran_ns >= clock_ns(&bout)) {
        bouts->all[bouts->count++] = bout;
    }
}

static int64_t near_ns(int64_t length_ns)
{
    return length_ns / NEAR_PART > NEAR_NS ? length_ns / NEAR_PART : NEAR_NS;
}

/* Whether it ended after that length, or, if it was off the CPU then, as soon as it ran
 * again. */
static bool lasted(const struct bout *bout, int64_t length_ns)
{
    int64_t over_ns = clock_ns(bout) - length_ns;
    if (over_ns < -near_ns(length_ns)) {
        return false;
    }
    return over_ns <= near_ns(length_ns) ||
           (bout->tail_ns <= near_ns(length_ns) &&
            over_ns <= bout->last_off_ns + near_ns(length_ns));
}

/* Returns the first bout, from `first` on, that is longer than length_ns. */
static size_t first_longer(const struct bouts *bouts, size_t first, int64_t length_ns)
{
    while (first < bouts->count && clock_ns(&bouts->all[first]) <= length_ns) {
        first++;
    }
    return first;
}

/* Whether enough bouts from `first` on lasted as long as that one although their CPU
 * times differ. Those up to half as long again must agree. The middle half of the CPU
 * times decides: work that is always the same, and always off the CPU for one time slice
 * of the kernel, lasts equally long, too, and now and then runs longer. */
static bool is_usual(struct bouts *bouts, size_t first)
{
    int64_t length_ns = clock_ns(&bouts->all[first]);
    size_t end = first_longer(bouts, first, length_ns + length_ns / 2);
    size_t exact = 0;
    size_t agree = 0;
    for (size_t i = first; i < end; i++) {
        const struct bout *bout = &bouts->all[i];
        if (clock_ns(bout) <= length_ns + near_ns(length_ns)) {
            bouts->values[exact++] = bout->ran_ns;
        }
        agree += lasted(bout, length_ns);
    }
    if (exact < 2 || agree < FEWEST || 100 * agree < AGREE_PERCENT * (end - first)) {
        return false;
    }
    dj_sort_int64(bouts->values, exact);
    size_t edge = exact / 4;
    return DIFFER_PART * (bouts->values[exact - 1 - edge] - bouts->values[edge]) >
           length_ns;
}

/* Whether at least half of them had one CPU time, however long they were off the CPU.
 * Then CPU time limits them. */
static bool is_by_work(struct bouts *bouts)
{
    size_t near = 0;
    for (size_t i = 0; i < bouts->count; i++) {
        bouts->values[i] = bouts->all[i].ran_ns;
    }
    dj_sort_int64(bouts->values, bouts->count);
    int64_t middle_ns = bouts->values[bouts->count / 2];
    for (size_t i = 0; i < bouts->count; i++) {
        int64_t apart_ns = bouts->values[i] - middle_ns;
        near += (apart_ns < 0 ? -apart_ns : apart_ns) <= near_ns(middle_ns);
    }
    return 2 * near >= bouts->count;
}

/* Finds the usual wall times, shortest first. */
static void find_usual(struct bouts *bouts)
{
    for (size_t i = 0; i < bouts->count; i++) {
        if (bouts->all[i].usual_ns != 0 || !is_usual(bouts, i)) {
            continue;
        }
        int64_t length_ns = clock_ns(&bouts->all[i]);
        size_t end = first_longer(bouts, i, length_ns + length_ns / 2);
        for (size_t j = i; j < end; j++) {
            bouts->all[j].usual_ns =
                lasted(&bouts->all[j], length_ns) ? length_ns : bouts->all[j].usual_ns;
        }
    }
}

static void move(struct dj_triage *triage, const struct bout *bout)
{
    const struct dj_triage_seen *frame = &triage->frames[bout->frame];
    struct dj_triage_share *own = &triage->shares[bout->share];
    int64_t wanted_ns = bout->usual_ns - bout->ran_ns;
    for (size_t i = 0; i < frame->share_count && wanted_ns > 0; i++) {
        struct dj_triage_share *share = &triage->shares[frame->first_share + i];
        if (is_part_of(&triage->keys[share->key], &triage->keys[own->key])) {
            int64_t moved_ns = share->ns < wanted_ns ? share->ns : wanted_ns;
            share->ns -= moved_ns;
            own->ns += moved_ns;
            own->clock_ns += moved_ns;
            wanted_ns -= moved_ns;
        }
    }
}

struct place {
    uint32_t key, share;
};

static int by_key(const void *a, const void *b)
{
    const struct place *left = a;
    const struct place *right = b;
    int order = DJ_COMPARE(left->key, right->key);
    return order != 0 ? order : DJ_COMPARE(left->share, right->share);
}

static void move_of_key(struct dj_triage *triage, const struct place *places,
                        size_t count, struct bouts *bouts)
{
    bouts->count = 0;
    for (size_t i = 0; i < count; i++) {
        add_bout(triage, places[i].share, bouts);
    }
    if (bouts->count < FEWEST || is_by_work(bouts)) {
        return;
    }
    qsort(bouts->all, bouts->count, sizeof(*bouts->all), by_clock);
    find_usual(bouts);
    for (size_t i = 0; i < bouts->count; i++) {
        move(triage, &bouts->all[i]);
    }
}

void dj_triage_move_spinning(struct dj_triage *triage)
{
    size_t count = 0;
    struct place *places = dj_xresize(NULL, triage->share_count, sizeof(*places));
    struct bouts bouts = {
        .all = dj_xresize(NULL, triage->share_count, sizeof(*bouts.all)),
        .values = dj_xresize(NULL, triage->share_count, sizeof(*bouts.values))};
    for (size_t i = 0; i < triage->share_count; i++) {
        if (triage->keys[triage->shares[i].key].kind == DJ_CAUSE_OWN_WORK) {
            places[count++] = (struct place){triage->shares[i].key, (uint32_t)i};
        }
    }
    qsort(places, count, sizeof(*places), by_key);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from; to < count && places[to].key == places[from].key; to++) {
        }
        move_of_key(triage, places + from, to - from, &bouts);
    }
    free(places);
    free(bouts.all);
    free(bouts.values);
}
