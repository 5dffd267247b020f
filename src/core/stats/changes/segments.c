#include "stats/changes/segments.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"
#include "stats/mann_whitney.h"
#include "stats/order.h"

static size_t get_begin(const struct dj_segments *segments, size_t segment)
{
    return segment == 0 ? 0 : segments->begins[segment - 1];
}

static size_t get_end(const struct dj_segments *segments, size_t segment)
{
    return segment == segments->changes ? segments->count : segments->begins[segment];
}

/* The two segments at a change, each in ascending order. */
struct neighbours {
    const double *before, *after;
    size_t n, m;
};

static struct neighbours get_neighbours(const struct dj_segments *segments, size_t change)
{
    size_t from = get_begin(segments, change);
    size_t at = segments->begins[change];
    return (struct neighbours){segments->sorted + from, segments->sorted + at, at - from,
                               get_end(segments, change + 1) - at};
}

static int test_change(struct dj_segments *segments, size_t change)
{
    struct neighbours of = get_neighbours(segments, change);
    struct dj_mann_whitney tested;
    int error = dj_mann_whitney_sorted(of.before, of.n, of.after, of.m, &tested);
    segments->p[change] = tested.p;
    segments->shift[change] =
        dj_order_median_sorted(of.after, of.m) - dj_order_median_sorted(of.before, of.n);
    return error;
}

int dj_segments_sort(struct dj_segments *segments)
{
    size_t count = segments->count;
    segments->sorted = calloc(2 * count, sizeof(*segments->sorted));
    segments->p = calloc(2 * segments->changes + 1, sizeof(*segments->p));
    if (segments->sorted == NULL || segments->p == NULL) {
        return DJ_E_NO_MEMORY;
    }
    segments->scratch = segments->sorted + count;
    segments->shift = segments->p + segments->changes;
    memcpy(segments->sorted, segments->values, count * sizeof(*segments->sorted));
    for (size_t i = 0; i <= segments->changes; i++) {
        size_t from = get_begin(segments, i);
        dj_order_sort(segments->sorted + from, get_end(segments, i) - from);
    }
    int error = 0;
    for (size_t i = 0; error == 0 && i < segments->changes; i++) {
        error = test_change(segments, i);
    }
    return error;
}

void dj_segments_finish(struct dj_segments *segments)
{
    free(segments->sorted);
    free(segments->p);
    segments->sorted = NULL;
    segments->p = NULL;
}

static void merge_segments(const struct dj_segments *segments, size_t change)
{
    struct neighbours of = get_neighbours(segments, change);
    double *to = segments->scratch;
    size_t i = 0;
    size_t k = 0;
    while (i < of.n || k < of.m) {
        bool from_first = k == of.m || (i < of.n && of.before[i] <= of.after[k]);
        *to++ = from_first ? of.before[i++] : of.after[k++];
    }
    memcpy(segments->sorted + get_begin(segments, change), segments->scratch,
           (of.n + of.m) * sizeof(*to));
}

static int remove_change(struct dj_segments *segments, size_t change)
{
    merge_segments(segments, change);
    size_t left = --segments->changes - change;
    memmove(segments->begins + change, segments->begins + change + 1,
            left * sizeof(*segments->begins));
    memmove(segments->p + change, segments->p + change + 1, left * sizeof(double));
    memmove(segments->shift + change, segments->shift + change + 1,
            left * sizeof(double));
    int error = change > 0 ? test_change(segments, change - 1) : 0;
    return error == 0 && left > 0 ? test_change(segments, change) : error;
}

/* Returns whether the numbers within each of the two segments are all equal. Such a
 * change is certain, whatever its size. */
static bool is_certain(const struct dj_segments *segments, size_t change)
{
    struct neighbours of = get_neighbours(segments, change);
    return of.before[0] == of.before[of.n - 1] && of.after[0] == of.after[of.m - 1];
}

/* Returns the change to remove next, or segments->changes if there is none. */
static size_t find_weakest(const struct dj_segments *segments, double alpha, double least)
{
    size_t unsure = segments->changes;
    size_t small = segments->changes;
    double largest_p = alpha;
    double smallest_shift = least;
    for (size_t i = 0; i < segments->changes; i++) {
        if (segments->p[i] > largest_p) {
            largest_p = segments->p[i];
            unsure = i;
        }
        if (fabs(segments->shift[i]) < smallest_shift && !is_certain(segments, i)) {
            smallest_shift = fabs(segments->shift[i]);
            small = i;
        }
    }
    return unsure < segments->changes ? unsure : small;
}

int dj_segments_verify(struct dj_segments *segments, double alpha, double least)
{
    int error = 0;
    while (error == 0 && segments->changes > 0) {
        size_t change = find_weakest(segments, alpha, least);
        if (change == segments->changes) {
            break;
        }
        error = remove_change(segments, change);
    }
    return error;
}

int dj_segments_describe(const struct dj_segments *segments, double level,
                         struct dj_change_points *found)
{
    if (segments->changes == 0) {
        return 0;
    }
    struct dj_change *changes = calloc(segments->changes, sizeof(*changes));
    if (changes == NULL) {
        return DJ_E_NO_MEMORY;
    }
    for (size_t i = 0; i < segments->changes; i++) {
        struct neighbours of = get_neighbours(segments, i);
        changes[i] = (struct dj_change){
            .index = segments->begins[i],
            .from = get_begin(segments, i),
            .to = get_end(segments, i + 1),
            .p = segments->p[i],
            .before = dj_order_median_sorted(of.before, of.n),
            .after = dj_order_median_sorted(of.after, of.m),
        };
        int error = dj_shift_compute_sorted(of.before, of.n, of.after, of.m, &level, 1,
                                            &changes[i].shift, &changes[i].bounds);
        if (error != 0) {
            free(changes);
            return error;
        }
        changes[i].direction = DJ_COMPARE(changes[i].shift, 0);
    }
    found->changes = changes;
    found->count = segments->changes;
    return 0;
}
