#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/optional_text.h"
#include "compare/compare_private.h"
#include "memory/memory.h"

enum time_source { HOST, PLACE, DEVICE, CLOCKS };

static double get_run_time(const struct dj_side_run *run, enum time_source time_source)
{
    return time_source == HOST && run->started_unix_ms > 0 ? (double)run->started_unix_ms
           : time_source == PLACE && run->order_index >= 0 ? (double)run->order_index
           : time_source == DEVICE && run->span.start_ns > 0 &&
                   run->span.end_ns > run->span.start_ns
               ? (double)run->span.start_ns
               : NAN;
}

static bool read_run_times(const struct dj_side *side, enum time_source time_source,
                           double *when)
{
    bool known = side->run_count > 0 && (time_source != PLACE || side->batch_count < 2);
    for (size_t i = 0; i < side->run_count && known; i++) {
        double time = get_run_time(&side->runs[i], time_source);
        known = !isnan(time);
        if (known && when != NULL) {
            when[i] = time;
        }
    }
    return known;
}

bool dj_compare_run_times(const struct dj_side *side, double *when)
{
    for (int time_source = HOST; time_source < CLOCKS; time_source++) {
        if (read_run_times(side, (enum time_source)time_source, when)) {
            return true;
        }
    }
    return false;
}

struct timed_run {
    double start, end;
    bool b;
};

static int compare_starts(const void *one, const void *other)
{
    const struct timed_run *a = one, *b = other;
    return DJ_COMPARE(a->start, b->start);
}

static size_t add_moments(const struct dj_side *side, enum time_source time_source,
                          bool b, struct timed_run *moments)
{
    for (size_t i = 0; i < side->run_count; i++) {
        double start = get_run_time(&side->runs[i], time_source);
        double end = time_source == DEVICE ? (double)side->runs[i].span.end_ns : start;
        moments[i] = (struct timed_run){start, end, b};
    }
    return side->run_count;
}

/* Sorts the runs by their start and counts the blocks. A block is a series of consecutive
 * runs of one side. Returns 0 if runs overlap in time: they then come from different
 * devices or boots, and their order is unknown. */
static size_t count_blocks(struct timed_run *moments, size_t count)
{
    size_t blocks = 1;
    qsort(moments, count, sizeof(*moments), compare_starts);
    for (size_t i = 1; i < count; i++) {
        if (moments[i].start < moments[i - 1].end) {
            return 0;
        }
        blocks += moments[i].b != moments[i - 1].b;
    }
    return blocks;
}

static enum dj_interleaving check_clock(const struct dj_side *a, const struct dj_side *b,
                                        enum time_source time_source)
{
    size_t less = a->run_count < b->run_count ? a->run_count : b->run_count;
    if (less < 2) {
        return DJ_ORDER_UNKNOWN;
    }
    struct timed_run *moments = dj_xcalloc(a->run_count + b->run_count, sizeof(*moments));
    size_t count = add_moments(a, time_source, false, moments);
    count += add_moments(b, time_source, true, moments + count);
    size_t blocks = count_blocks(moments, count);
    free(moments);
    /* Ten shuffled runs per side form 11 ± 2 blocks. So if there are six blocks or fewer,
     * the runs were not shuffled. */
    return blocks == 0              ? DJ_ORDER_UNKNOWN
           : blocks <= 1 + less / 2 ? DJ_ORDER_APART
                                    : DJ_ORDER_INTERLEAVED;
}

/* Returns whether each batch of `side` was measured together with a batch of `other`. */
static bool is_grouped(const struct dj_side *side, const struct dj_side *other)
{
    for (size_t i = 0; i < side->batch_count; i++) {
        const char *group = side->batches[i].group;
        bool found = false;
        for (size_t k = 0; k < other->batch_count && group != NULL; k++) {
            found = found || dj_optional_text_equal(group, other->batches[k].group);
        }
        if (!found) {
            return false;
        }
    }
    return side->batch_count > 0;
}

static bool is_one_device(const struct dj_side *a, const struct dj_side *b)
{
    const char *first = a->batch_count > 0 ? a->batches[0].serial : NULL;
    const char *other = b->batch_count > 0 ? b->batches[0].serial : NULL;
    return first == NULL || other == NULL || strcmp(first, other) == 0;
}

enum dj_interleaving dj_compare_find_interleaving(const struct dj_side *a,
                                                  const struct dj_side *b)
{
    if (is_grouped(a, b) && is_grouped(b, a)) {
        return DJ_ORDER_INTERLEAVED;
    }
    if (read_run_times(a, HOST, NULL) && read_run_times(b, HOST, NULL)) {
        return check_clock(a, b, HOST);
    }
    return read_run_times(a, DEVICE, NULL) && read_run_times(b, DEVICE, NULL) &&
                   is_one_device(a, b)
               ? check_clock(a, b, DEVICE)
               : DJ_ORDER_UNKNOWN;
}
