#include "segment/reading.h"

#include <sched.h>

#include "segment/counts.h"

/*
 * Reading what is kept twice. A copy is whole where its sequence is even and the same
 * before and after; while one is written the other stands still, so that an attempt over
 * both fails only against a writer that came round in between — or against a file no
 * writer of ours left.
 */

enum {
    SUMS_ATTEMPTS = 100,   /* for sums and ring of one instant */
    RESETS_ATTEMPTS = 1000 /* for all slots' notes of one reset */
};

/* Where the two copies stand and how long one is. */
struct latch {
    int64_t first;
    size_t stride; /* the second follows it */
    size_t size;   /* bytes wanted of a copy; its sequence is the first word */
};

/* 1: whole; 0: torn; negative: error. */
static int try_copy(struct dj_reading *reading, const struct latch *latch, unsigned which,
                    void *bytes, uint64_t *sequence)
{
    int64_t offset = latch->first + (int64_t)(which * latch->stride);
    uint64_t after;
    int code = dj_reading_word(reading, sequence, offset);
    if (code != 0 || *sequence % 2 != 0) {
        return code;
    }
    code = dj_reading_bytes(reading, bytes, latch->size, offset);
    code = code != 0 ? code : dj_reading_word(reading, &after, offset);
    return code != 0 ? code : after == *sequence;
}

static int read_latch(struct dj_reading *reading, const struct latch *latch, void *bytes,
                      uint64_t *sequence)
{
    uint64_t last[2] = {0, 0};
    unsigned stuck = 0;
    for (;;) {
        bool moved = false;
        for (unsigned i = 0; i < 2; i++) {
            int whole = try_copy(reading, latch, i, bytes, sequence);
            if (whole != 0) {
                return whole > 0 ? 0 : whole;
            }
            moved = moved || *sequence != last[i];
            last[i] = *sequence;
        }
        stuck = moved ? 0 : stuck + 1;
        if (stuck == DJ_READING_STUCK) {
            return dj_reading_fail(
                reading, DJ_E_INVALID, latch->first,
                "both copies are unfinished: expected one of two whole");
        }
        int code = dj_reading_retry(reading, latch->first);
        if (code != 0) {
            return code;
        }
    }
}

static int read_stats(struct dj_reading *reading, uint32_t slot, struct dj_stats *total,
                      struct dj_stats *opened)
{
    struct dj_segment_stats_copy copy;
    uint64_t sequence;
    const struct latch latch = {DJ_READING_AT(reading, slot, stats), sizeof(copy),
                                sizeof(copy)};
    int code = read_latch(reading, &latch, &copy, &sequence);
    if (code == 0) {
        dj_segment_unpack(total, &copy.total);
        dj_segment_unpack(opened, &copy.opened);
    }
    return code;
}

/*
 * A frame's row is published before it is counted, and more frames may come between the
 * two readings here: the rows beyond those counted are left to the next picture. So many
 * more that the ring holds none of the counted ones means that the reader slept in
 * between: it tries again. A file of which that is always true is no writer's work; its
 * `published` is taken as it stands.
 */
int dj_reading_sums(struct dj_reading *reading, uint32_t slot,
                    struct dj_reading_sums *sums)
{
    const int64_t offset = DJ_READING_AT(reading, slot, published);
    for (unsigned attempt = 0; attempt < SUMS_ATTEMPTS; attempt++) {
        int code = read_stats(reading, slot, &sums->total, &sums->opened);
        code = code != 0 ? code : dj_reading_word(reading, &sums->published, offset);
        if (code != 0) {
            return code;
        }
        uint32_t ahead =
            (uint32_t)sums->published - sums->total.counter[DJ_COUNTER_TOTAL];
        sums->end = sums->published;
        if (ahead < reading->header.keep && ahead <= sums->published) {
            sums->end -= ahead;
            return 0;
        }
    }
    return 0;
}

static void unpack_reset(struct dj_reading_reset *to, struct dj_segment_reset *from)
{
    to->at_ns = atomic_load_explicit(&from->at_ns, memory_order_relaxed);
    to->published = atomic_load_explicit(&from->published, memory_order_relaxed);
    dj_segment_unpack(&to->total, &from->total);
}

/* 1: all slots' copies of this set are whole and of one reset; 0: they are not; negative:
 * error. */
static int try_resets(struct dj_reading *reading, unsigned set,
                      struct dj_reading_reset *resets)
{
    for (uint32_t i = 0; i < reading->header.window_slots; i++) {
        struct dj_segment_reset copy;
        uint64_t sequence;
        const struct latch latch = {DJ_READING_AT(reading, i, reset), sizeof(copy),
                                    sizeof(copy)};
        int whole = try_copy(reading, &latch, set, &copy, &sequence);
        if (whole <= 0) {
            return whole;
        }
        unpack_reset(&resets[i], &copy);
        if (resets[i].at_ns != resets[0].at_ns) {
            return 0;
        }
    }
    return 1;
}

int dj_reading_resets(struct dj_reading *reading,
                      struct dj_reading_reset resets[DJ_SEGMENT_WINDOWS], unsigned *set)
{
    for (unsigned attempt = 0; attempt < RESETS_ATTEMPTS; attempt++) {
        for (*set = 0; *set < 2; (*set)++) {
            int whole = try_resets(reading, *set, resets);
            if (whole != 0) {
                return whole > 0 ? 0 : whole;
            }
        }
        sched_yield();
    }
    return dj_reading_fail(reading, DJ_E_INVALID, DJ_READING_AT(reading, 0, reset),
                           "the slots' resets differ in both copies: expected one reset");
}
