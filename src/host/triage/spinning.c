#include "triage/spinning.h"

#include <stdlib.h>

#include "base/array.h"

/* Few observations tell nothing; by the clock they must be so much closer to each other
 * than by the time run. */
enum { FEWEST = 4, TIMES_CLOSER = 4 };

/* One section in one frame. */
struct bout {
    uint32_t frame;
    uint32_t share;
    int64_t ran_ns, off_ns;
};

struct bouts {
    struct bout *all;
    int64_t *values;
    size_t count;
};

static int by_value(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static int64_t clock_ns(const struct bout *bout)
{
    return bout->ran_ns + bout->off_ns;
}

static bool is_part_of(const struct dj_triage_key *off, const struct dj_triage_key *work)
{
    return off->kind == DJ_CAUSE_RUNNABLE && off->kept_off && off->name == work->name &&
           off->thread == work->thread;
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

static void find_bouts(const struct dj_triage *triage, uint32_t key, struct bouts *bouts)
{
    bouts->count = 0;
    for (size_t i = 0; i < triage->share_count; i++) {
        const struct dj_triage_share *share = &triage->shares[i];
        if (share->key == key) {
            const struct dj_triage_seen *frame = &triage->frames[share->frame];
            bouts->all[bouts->count++] =
                (struct bout){share->frame, (uint32_t)i, share->ns,
                              off_ns(triage, frame, &triage->keys[key])};
        }
    }
}

/* Half of the values have another one as near as that. */
static int64_t nearness(int64_t *values, size_t count)
{
    qsort(values, count, sizeof(*values), by_value);
    for (size_t i = 0; i + 1 < count;
         i++) { /* to the next; the last has the one before */
        values[i] = values[i + 1] - values[i];
    }
    values[count - 1] = values[count - 2];
    int64_t before = values[0];
    for (size_t i = 1; i + 1 < count; i++) {
        int64_t next = values[i];
        values[i] = before < next ? before : next;
        before = next;
    }
    qsort(values, count, sizeof(*values), by_value);
    return values[count / 2];
}

/* Those that were kept off at all decide. */
static bool lasts_by_clock(struct bouts *bouts, int64_t *usual_ns)
{
    size_t count = 0;
    for (size_t i = 0; i < bouts->count; i++) {
        if (20 * bouts->all[i].off_ns > clock_ns(&bouts->all[i])) {
            bouts->all[count++] = bouts->all[i];
        }
    }
    bouts->count = count;
    if (count < FEWEST) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        bouts->values[i] = clock_ns(&bouts->all[i]);
    }
    qsort(bouts->values, count, sizeof(*bouts->values), by_value);
    *usual_ns = bouts->values[count / 2];
    int64_t by_clock_ns = nearness(bouts->values, count);
    for (size_t i = 0; i < count; i++) {
        bouts->values[i] = bouts->all[i].ran_ns;
    }
    int64_t by_run_ns = nearness(bouts->values, count);
    return by_run_ns > TIMES_CLOSER * by_clock_ns && by_clock_ns < *usual_ns / 50;
}

/* Lengths that came more than once, in order. */
static size_t find_usual(const struct bouts *bouts)
{
    size_t kept = 0;
    int64_t before_ns = INT64_MIN;
    for (size_t i = 0; i < bouts->count; i++) {
        bouts->values[i] = clock_ns(&bouts->all[i]);
    }
    qsort(bouts->values, bouts->count, sizeof(*bouts->values), by_value);
    for (size_t i = 0; i < bouts->count; i++) {
        int64_t at_ns = bouts->values[i];
        bool again =
            (before_ns != INT64_MIN && at_ns - before_ns <= at_ns / 100) ||
            (i + 1 < bouts->count && bouts->values[i + 1] - at_ns <= at_ns / 100);
        before_ns = at_ns;
        if (again) {
            bouts->values[kept++] = at_ns;
        }
    }
    return kept;
}

/* How long it would have lasted: as long as it did where that came more than once, else
 * as the longest such below it. */
static int64_t own_clock_ns(const struct bouts *bouts, size_t usual,
                            const struct bout *bout)
{
    size_t from = 0;
    size_t to = usual;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (bouts->values[middle] <= clock_ns(bout)) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from > 0 ? bouts->values[from - 1] : 0;
}

static void move(struct dj_triage *triage, const struct bouts *bouts, size_t usual,
                 const struct bout *bout)
{
    const struct dj_triage_seen *frame = &triage->frames[bout->frame];
    struct dj_triage_share *own = &triage->shares[bout->share];
    int64_t wanted_ns = own_clock_ns(bouts, usual, bout) - bout->ran_ns;
    for (size_t i = 0; i < frame->share_count && wanted_ns > 0; i++) {
        struct dj_triage_share *share = &triage->shares[frame->first_share + i];
        if (is_part_of(&triage->keys[share->key], &triage->keys[own->key])) {
            int64_t moved_ns = share->ns < wanted_ns ? share->ns : wanted_ns;
            share->ns -= moved_ns;
            own->ns += moved_ns;
            wanted_ns -= moved_ns;
        }
    }
}

void dj_triage_move_spinning(struct dj_triage *triage)
{
    struct bouts bouts = {
        .all = dj_array_resize(NULL, triage->share_count + 1, sizeof(*bouts.all)),
        .values = dj_array_resize(NULL, triage->share_count + 2, sizeof(*bouts.values))};
    triage->failed |= bouts.all == NULL || bouts.values == NULL;
    for (size_t key = 0; key < triage->key_count && !triage->failed; key++) {
        int64_t usual_ns;
        if (triage->keys[key].kind != DJ_CAUSE_OWN_WORK) {
            continue;
        }
        find_bouts(triage, (uint32_t)key, &bouts);
        if (bouts.count >= FEWEST && lasts_by_clock(&bouts, &usual_ns)) {
            size_t usual = find_usual(&bouts);
            for (size_t i = 0; i < bouts.count; i++) {
                move(triage, &bouts, usual, &bouts.all[i]);
            }
        }
    }
    free(bouts.all);
    free(bouts.values);
}
