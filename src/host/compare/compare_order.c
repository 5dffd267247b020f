#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/optional_text.h"
#include "compare/compare_parts.h"
#include "memory/memory.h"

/* ---- times of runs ---- */

enum clock { HOST, PLACE, DEVICE, CLOCKS };

static double at(const struct dj_side_run *run, enum clock clock)
{
    return clock == HOST && run->started_unix_ms > 0 ? (double)run->started_unix_ms
           : clock == PLACE && run->order_index >= 0 ? (double)run->order_index
           : clock == DEVICE && run->span.start_ns > 0 &&
                   run->span.end_ns > run->span.start_ns
               ? (double)run->span.start_ns
               : NAN;
}

static bool all_at(const struct dj_side *side, enum clock clock, double *when)
{
    bool known = side->run_count > 0 && (clock != PLACE || side->batch_count < 2);
    for (size_t i = 0; i < side->run_count && known; i++) {
        double time = at(&side->runs[i], clock);
        known = !isnan(time);
        if (known && when != NULL) {
            when[i] = time;
        }
    }
    return known;
}

bool dj_order_of(const struct dj_side *side, double *when)
{
    for (int clock = HOST; clock < CLOCKS; clock++) {
        if (all_at(side, (enum clock)clock, when)) {
            return true;
        }
    }
    return false;
}

/* ---- interleaved or apart ---- */

struct moment {
    double start, end;
    bool b;
};

static int by_start(const void *one, const void *other)
{
    const struct moment *a = one, *b = other;
    return DJ_COMPARE(a->start, b->start);
}

static size_t add_moments(const struct dj_side *side, enum clock clock, bool b,
                          struct moment *moments)
{
    for (size_t i = 0; i < side->run_count; i++) {
        double start = at(&side->runs[i], clock);
        double end = clock == DEVICE ? (double)side->runs[i].span.end_ns : start;
        moments[i] = (struct moment){start, end, b};
    }
    return side->run_count;
}

/* Counts blocks of consecutive runs of one side. Returns 0 if runs overlap in the
 * device's time, because they then come from different devices or boots. */
static size_t blocks_of(struct moment *moments, size_t count)
{
    size_t blocks = 1;
    qsort(moments, count, sizeof(*moments), by_start);
    for (size_t i = 1; i < count; i++) {
        if (moments[i].start < moments[i - 1].end) {
            return 0;
        }
        blocks += moments[i].b != moments[i - 1].b;
    }
    return blocks;
}

static enum dj_interleaving by_clock(const struct dj_side *a, const struct dj_side *b,
                                     enum clock clock)
{
    size_t less = a->run_count < b->run_count ? a->run_count : b->run_count;
    if (less < 2) {
        return DJ_ORDER_UNKNOWN;
    }
    struct moment *moments = dj_xcalloc(a->run_count + b->run_count, sizeof(*moments));
    size_t count = add_moments(a, clock, false, moments);
    count += add_moments(b, clock, true, moments + count);
    size_t blocks = blocks_of(moments, count);
    free(moments);
    /* Ten shuffled runs per side form 11 ± 2 blocks. Six blocks or fewer are no
     * shuffle. */
    return blocks == 0              ? DJ_ORDER_UNKNOWN
           : blocks <= 1 + less / 2 ? DJ_ORDER_APART
                                    : DJ_ORDER_INTERLEAVED;
}

/* Returns whether each batch of `side` has a partner of the same group in `other`. */
static bool grouped(const struct dj_side *side, const struct dj_side *other)
{
    for (size_t i = 0; i < side->batch_count; i++) {
        const char *group = side->batches[i].group;
        bool found = false;
        for (size_t k = 0; k < other->batch_count && group != NULL; k++) {
            found = found || dj_texts_equal(group, other->batches[k].group);
        }
        if (!found) {
            return false;
        }
    }
    return side->batch_count > 0;
}

static bool one_device(const struct dj_side *a, const struct dj_side *b)
{
    const char *first = a->batch_count > 0 ? a->batches[0].serial : NULL;
    const char *other = b->batch_count > 0 ? b->batches[0].serial : NULL;
    return first == NULL || other == NULL || strcmp(first, other) == 0;
}

enum dj_interleaving dj_compare_interleaving(const struct dj_side *a,
                                             const struct dj_side *b)
{
    if (grouped(a, b) && grouped(b, a)) {
        return DJ_ORDER_INTERLEAVED;
    }
    if (all_at(a, HOST, NULL) && all_at(b, HOST, NULL)) {
        return by_clock(a, b, HOST);
    }
    return all_at(a, DEVICE, NULL) && all_at(b, DEVICE, NULL) && one_device(a, b)
               ? by_clock(a, b, DEVICE)
               : DJ_ORDER_UNKNOWN;
}
