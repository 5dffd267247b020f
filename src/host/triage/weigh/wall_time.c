#include "triage/weigh/weigh.h"

#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "stats/quantile.h"

/* A section is limited by wall time under these conditions:
 * - At least FEWEST of its occurrences had equal wall times. Equal means that they differ
 *   by at most 1/NEAR_PART or NEAR_NS.
 * - At least AGREE_PERCENT of the occurrences that lost the CPU had this wall time.
 * - The CPU times of the occurrences differed by more than 1/DIFFER_PART of the wall
 *   time. */
enum {
    FEWEST = 3,
    NEAR_PART = 100,
    NEAR_NS = 50000,
    AGREE_PERCENT = 70,
    DIFFER_PART = 20,
    OFF_PART = 50,
    RAN_PART = 5
};

/* A section in one frame. */
struct occurrence {
    uint32_t frame, share;
    int64_t ran_ns, off_ns;
    /* Time for which the thread ran after it had lost the CPU for the last time, and the
     * time without a CPU immediately before. */
    int64_t tail_ns, last_off_ns;
    int64_t usual_ns; /* Usual wall time of the section, or 0 if it is unknown. */
};

struct occurrences {
    struct occurrence *all; /* Occurrences, sorted by wall time, the shortest first. */
    int64_t *values;
    size_t count;
};

static int64_t get_wall_ns(const struct occurrence *occurrence)
{
    return occurrence->ran_ns + occurrence->off_ns;
}

static int by_clock(const void *a, const void *b)
{
    const struct occurrence *left = a;
    const struct occurrence *right = b;
    return DJ_COMPARE(get_wall_ns(left), get_wall_ns(right));
}

static bool is_part_of(const struct dj_triage_key *off, const struct dj_triage_key *work)
{
    return off->preempted && off->name == work->name && off->thread == work->thread;
}

static int64_t sum_off_ns(const struct dj_triage *triage,
                          const struct dj_triage_frame_record *frame,
                          const struct dj_triage_key *work)
{
    int64_t sum_ns = 0;
    for (size_t i = 0; i < frame->share_count; i++) {
        const struct dj_triage_share *share = &triage->shares[frame->first_share + i];
        sum_ns += is_part_of(&triage->keys[share->key], work) ? share->ns : 0;
    }
    return sum_ns;
}

/* Adds an occurrence if the section had no CPU for more than 1/OFF_PART of its wall time,
 * and ran for at least 1/RAN_PART of it. Other occurrences are not considered and not
 * changed. */
static void add_occurrence(const struct dj_triage *triage, size_t number,
                           struct occurrences *occurrences)
{
    const struct dj_triage_share *share = &triage->shares[number];
    const struct dj_triage_frame_record *frame = &triage->frames[share->frame];
    struct occurrence occurrence = {
        .frame = share->frame,
        .share = (uint32_t)number,
        .ran_ns = share->ns,
        .off_ns = sum_off_ns(triage, frame, &triage->keys[share->key]),
        .tail_ns = share->tail_ns,
        .last_off_ns = share->off_ns};
    if (OFF_PART * occurrence.off_ns > get_wall_ns(&occurrence) &&
        RAN_PART * occurrence.ran_ns >= get_wall_ns(&occurrence)) {
        occurrences->all[occurrences->count++] = occurrence;
    }
}

static int64_t compute_tolerance(int64_t length_ns)
{
    return length_ns / NEAR_PART > NEAR_NS ? length_ns / NEAR_PART : NEAR_NS;
}

/* Returns true if the section ended when length_ns had passed. Also returns true if the
 * section had no CPU at this time and ended as soon as it ran again. */
static bool lasted_for(const struct occurrence *occurrence, int64_t length_ns)
{
    int64_t over_ns = get_wall_ns(occurrence) - length_ns;
    if (over_ns < -compute_tolerance(length_ns)) {
        return false;
    }
    return over_ns <= compute_tolerance(length_ns) ||
           (occurrence->tail_ns <= compute_tolerance(length_ns) &&
            over_ns <= occurrence->last_off_ns + compute_tolerance(length_ns));
}

/* Returns the index of the first occurrence, from index `first` on, that is longer than
 * length_ns. */
static size_t find_first_longer(const struct occurrences *occurrences, size_t first,
                                int64_t length_ns)
{
    while (first < occurrences->count &&
           get_wall_ns(&occurrences->all[first]) <= length_ns) {
        first++;
    }
    return first;
}

/* Returns true if enough occurrences, from index `first` on, had the same wall time as
 * the first one, although their CPU times differ. All occurrences up to 1.5 times as long
 * must agree.
 *
 * To ignore outliers, only the middle half of the CPU times is compared. Outliers occur
 * if a section always does the same work. If such a section loses the CPU for one time
 * slice of the kernel, its wall times are also equal. Sometimes it runs longer. */
static bool is_usual(struct occurrences *occurrences, size_t first)
{
    int64_t length_ns = get_wall_ns(&occurrences->all[first]);
    size_t end = find_first_longer(occurrences, first, length_ns + length_ns / 2);
    size_t exact = 0;
    size_t agree = 0;
    for (size_t i = first; i < end; i++) {
        const struct occurrence *occurrence = &occurrences->all[i];
        if (get_wall_ns(occurrence) <= length_ns + compute_tolerance(length_ns)) {
            occurrences->values[exact++] = occurrence->ran_ns;
        }
        agree += lasted_for(occurrence, length_ns);
    }
    if (exact < 2 || agree < FEWEST || 100 * agree < AGREE_PERCENT * (end - first)) {
        return false;
    }
    dj_quantile_sort_int64(occurrences->values, exact);
    size_t edge = exact / 4;
    return DIFFER_PART *
               (occurrences->values[exact - 1 - edge] - occurrences->values[edge]) >
           length_ns;
}

/* Returns true if at least half of the occurrences had the same CPU time. The section is
 * then limited by CPU time, not by wall time. */
static bool is_by_work(struct occurrences *occurrences)
{
    size_t near = 0;
    for (size_t i = 0; i < occurrences->count; i++) {
        occurrences->values[i] = occurrences->all[i].ran_ns;
    }
    dj_quantile_sort_int64(occurrences->values, occurrences->count);
    int64_t middle_ns = occurrences->values[occurrences->count / 2];
    for (size_t i = 0; i < occurrences->count; i++) {
        int64_t apart_ns = occurrences->values[i] - middle_ns;
        near += (apart_ns < 0 ? -apart_ns : apart_ns) <= compute_tolerance(middle_ns);
    }
    return 2 * near >= occurrences->count;
}

/* Finds the usual wall times of the section, the shortest first, and sets usual_ns of its
 * occurrences. */
static void find_usual(struct occurrences *occurrences)
{
    for (size_t i = 0; i < occurrences->count; i++) {
        if (occurrences->all[i].usual_ns != 0 || !is_usual(occurrences, i)) {
            continue;
        }
        int64_t length_ns = get_wall_ns(&occurrences->all[i]);
        size_t end = find_first_longer(occurrences, i, length_ns + length_ns / 2);
        for (size_t j = i; j < end; j++) {
            occurrences->all[j].usual_ns = lasted_for(&occurrences->all[j], length_ns)
                                               ? length_ns
                                               : occurrences->all[j].usual_ns;
        }
    }
}

static void move_time(struct dj_triage *triage, const struct occurrence *occurrence)
{
    const struct dj_triage_frame_record *frame = &triage->frames[occurrence->frame];
    struct dj_triage_share *own = &triage->shares[occurrence->share];
    int64_t wanted_ns = occurrence->usual_ns - occurrence->ran_ns;
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

static void move_times_of_key(struct dj_triage *triage, const struct place *places,
                              size_t count, struct occurrences *occurrences)
{
    occurrences->count = 0;
    for (size_t i = 0; i < count; i++) {
        add_occurrence(triage, places[i].share, occurrences);
    }
    if (occurrences->count < FEWEST || is_by_work(occurrences)) {
        return;
    }
    qsort(occurrences->all, occurrences->count, sizeof(*occurrences->all), by_clock);
    find_usual(occurrences);
    for (size_t i = 0; i < occurrences->count; i++) {
        move_time(triage, &occurrences->all[i]);
    }
}

void dj_triage_move_wall_time_work(struct dj_triage *triage)
{
    size_t count = 0;
    struct place *places = dj_xresize(NULL, triage->share_count, sizeof(*places));
    struct occurrences occurrences = {
        .all = dj_xresize(NULL, triage->share_count, sizeof(*occurrences.all)),
        .values = dj_xresize(NULL, triage->share_count, sizeof(*occurrences.values))};
    for (size_t i = 0; i < triage->share_count; i++) {
        if (triage->keys[triage->shares[i].key].kind == DJ_CAUSE_OWN_WORK) {
            places[count++] = (struct place){triage->shares[i].key, (uint32_t)i};
        }
    }
    qsort(places, count, sizeof(*places), by_key);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from; to < count && places[to].key == places[from].key; to++) {
        }
        move_times_of_key(triage, places + from, to - from, &occurrences);
    }
    free(places);
    free(occurrences.all);
    free(occurrences.values);
}
