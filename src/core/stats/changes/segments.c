#include "stats/changes/segments.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"
#include "stats/mann_whitney.h"
#include "stats/order.h"

static size_t begin_of(const struct dj_segments *segments, size_t segment)
{
    return segment == 0 ? 0 : segments->begins[segment - 1];
}

static size_t end_of(const struct dj_segments *segments, size_t segment)
{
    return segment == segments->changes ? segments->count : segments->begins[segment];
}

/* The two neighbours of a change, in ascending order. */
struct neighbours {
    const double *before, *after;
    size_t n, m;
};

static struct neighbours of_change(const struct dj_segments *segments, size_t change)
{
    size_t from = begin_of(segments, change);
    size_t at = segments->begins[change];
    return (struct neighbours){segments->sorted + from, segments->sorted + at, at - from,
                               end_of(segments, change + 1) - at};
}

static int test(struct dj_segments *segments, size_t change)
{
    struct neighbours of = of_change(segments, change);
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
        size_t from = begin_of(segments, i);
        dj_order_sort(segments->sorted + from, end_of(segments, i) - from);
    }
    int error = 0;
    for (size_t i = 0; error == 0 && i < segments->changes; i++) {
        error = test(segments, i);
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

static void join(const struct dj_segments *segments, size_t change)
{
    struct neighbours of = of_change(segments, change);
    double *to = segments->scratch;
    size_t i = 0;
    size_t k = 0;
    while (i < of.n || k < of.m) {
        bool from_first = k == of.m || (i < of.n && of.before[i] <= of.after[k]);
        *to++ = from_first ? of.before[i++] : of.after[k++];
    }
    memcpy(segments->sorted + begin_of(segments, change), segments->scratch,
           (of.n + of.m) * sizeof(*to));
}

static int drop(struct dj_segments *segments, size_t change)
{
    join(segments, change);
    size_t left = --segments->changes - change;
    memmove(segments->begins + change, segments->begins + change + 1,
            left * sizeof(*segments->begins));
    memmove(segments->p + change, segments->p + change + 1, left * sizeof(double));
    memmove(segments->shift + change, segments->shift + change + 1,
            left * sizeof(double));
    int error = change > 0 ? test(segments, change - 1) : 0;
    return error == 0 && left > 0 ? test(segments, change) : error;
}

/* Returns whether both neighbours have no spread: then the step is exact, at any size. */
static bool is_exact(const struct dj_segments *segments, size_t change)
{
    struct neighbours of = of_change(segments, change);
    return of.before[0] == of.before[of.n - 1] && of.after[0] == of.after[of.m - 1];
}

/* Returns the change to remove next, or segments->changes if all are kept. */
static size_t weakest(const struct dj_segments *segments, double alpha, double least)
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
        if (fabs(segments->shift[i]) < smallest_shift && !is_exact(segments, i)) {
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
        size_t change = weakest(segments, alpha, least);
        if (change == segments->changes) {
            break;
        }
        error = drop(segments, change);
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
        struct neighbours of = of_change(segments, i);
        changes[i] = (struct dj_change){
            .index = segments->begins[i],
            .from = begin_of(segments, i),
            .to = end_of(segments, i + 1),
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
