#include "segment/read/checked_file.h"

#include <sched.h>

#include "segment/counts.h"

/* Reads data that exists in two copies. A copy is consistent if its sequence number is
 * even and the same before and after reading. The writer changes only one copy at a time.
 * Reading fails only if the writer changed both copies during reading, or if the file was
 * not written by dejank. */

enum {
    /* Maximum attempts to read statistics and ring buffer from one instant. */
    SUMS_ATTEMPTS = 100,
    /* Maximum attempts to read the resets of all slots from one reset. */
    RESETS_ATTEMPTS = 1000
};

/* The position and size of the two copies. */
struct latch {
    int64_t first;
    size_t stride; /* Distance between the two copies. */
    size_t size;   /* Size of a copy. Its first word is the sequence number. */
};

/* Reads one of the two copies. Returns 1 if it is consistent, 0 if not, or a negative
 * error code. */
static int try_read_copy(struct dj_checked_file *reading, const struct latch *latch,
                         unsigned index, void *bytes, uint64_t *sequence)
{
    int64_t offset = latch->first + (int64_t)(index * latch->stride);
    uint64_t after;
    int code = dj_checked_file_read_word(reading, sequence, offset);
    if (code != 0 || *sequence % 2 != 0) {
        return code;
    }
    code = dj_checked_file_read(reading, bytes, latch->size, offset);
    code = code != 0 ? code : dj_checked_file_read_word(reading, &after, offset);
    return code != 0 ? code : after == *sequence;
}

static int read_latch(struct dj_checked_file *reading, const struct latch *latch,
                      void *bytes, uint64_t *sequence)
{
    uint64_t last[2] = {0, 0};
    unsigned stuck = 0;
    for (;;) {
        bool moved = false;
        for (unsigned i = 0; i < 2; i++) {
            int whole = try_read_copy(reading, latch, i, bytes, sequence);
            if (whole != 0) {
                return whole > 0 ? 0 : whole;
            }
            moved = moved || *sequence != last[i];
            last[i] = *sequence;
        }
        stuck = moved ? 0 : stuck + 1;
        if (stuck == DJ_CHECKED_FILE_STUCK_ATTEMPTS) {
            return dj_checked_file_fail(
                reading, DJ_E_INVALID, latch->first,
                "both copies of this part are unfinished: expected one complete copy");
        }
        int code = dj_checked_file_retry(reading, latch->first);
        if (code != 0) {
            return code;
        }
    }
}

static int read_stats(struct dj_checked_file *reading, uint32_t slot,
                      struct dj_stats *total, struct dj_stats *opened)
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

/* Reads the statistics, and then the number of rows. The writer publishes a row before it
 * adds the frame to the statistics, and may write more frames between the two reads. Rows
 * that the statistics do not count yet belong to the next snapshot. If the ring buffer no
 * longer contains any counted row, this process was suspended between the two reads, and
 * the function tries again. If all attempts fail, the file was not written by dejank, and
 * `end` is set to `published`.
 *
 * A segment of X Present has more rows than counted frames, because it has rows of
 * skipped frames. So all of its rows are read. The last row may be of a frame that the
 * statistics do not count yet. */
int dj_reading_sums(struct dj_checked_file *reading, uint32_t slot,
                    struct dj_reading_sums *sums)
{
    const int64_t offset = DJ_READING_AT(reading, slot, published);
    bool has_skipped = reading->header.pipelines == 1U << DJ_PIPELINE_X_PRESENT;
    for (unsigned attempt = 0; attempt < SUMS_ATTEMPTS; attempt++) {
        int code = read_stats(reading, slot, &sums->total, &sums->opened);
        code = code != 0 ? code
                         : dj_checked_file_read_word(reading, &sums->published, offset);
        if (code != 0) {
            return code;
        }
        uint32_t ahead =
            (uint32_t)sums->published - sums->total.counter[DJ_COUNTER_TOTAL];
        sums->end = sums->published;
        if (has_skipped) {
            return 0;
        }
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

/* Reads the copies with index `set` of all slots. Returns 1 if all copies are consistent
 * and from the same reset, 0 if not, or a negative error code. */
static int try_read_resets(struct dj_checked_file *reading, unsigned set,
                           struct dj_reading_reset *resets)
{
    for (uint32_t i = 0; i < reading->header.window_slots; i++) {
        struct dj_segment_reset copy;
        uint64_t sequence;
        const struct latch latch = {DJ_READING_AT(reading, i, reset), sizeof(copy),
                                    sizeof(copy)};
        int whole = try_read_copy(reading, &latch, set, &copy, &sequence);
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

int dj_reading_resets(struct dj_checked_file *reading,
                      struct dj_reading_reset resets[DJ_SEGMENT_WINDOWS], unsigned *set)
{
    for (unsigned attempt = 0; attempt < RESETS_ATTEMPTS; attempt++) {
        for (*set = 0; *set < 2; (*set)++) {
            int whole = try_read_resets(reading, *set, resets);
            if (whole != 0) {
                return whole > 0 ? 0 : whole;
            }
        }
        sched_yield();
    }
    return dj_checked_file_fail(
        reading, DJ_E_INVALID, DJ_READING_AT(reading, 0, reset),
        "the resets of the window slots differ in both copies: expected the same one");
}
