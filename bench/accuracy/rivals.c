#include "rivals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/special.h"

/* ---- Otava ---- */

enum { WINDOW = 50, SERIES_MAX = 1024 };
static const double FIRST_PASS = 10;

static void mean_sd(const double *values, size_t count, double *mean, double *sd)
{
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    *mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - *mean) * (values[i] - *mean);
    }
    *sd = sqrt(squares / (double)count); /* of a population, as in Otava's rule */
}

/* Returns p of Student's t test of neighbouring segments. Uses population deviations. */
static double student_p(const double *x, size_t n, const double *y, size_t m)
{
    double mean_x, mean_y, sd_x, sd_y;
    if (n + m < 3) {
        return 1;
    }
    mean_sd(x, n, &mean_x, &sd_x);
    mean_sd(y, m, &mean_y, &sd_y);
    if (mean_x == mean_y) {
        return 1;
    }
    double df = (double)(n + m - 2);
    double pooled = ((double)(n - 1) * sd_x * sd_x + (double)(m - 1) * sd_y * sd_y) / df;
    double error = sqrt(pooled * (1 / (double)n + 1 / (double)m));
    return error > 0 ? dj_special_t_two_sided((mean_x - mean_y) / error, df) : 0;
}

/* Returns the index that cuts a segment into the two most different parts by the energy
 * distance nm/(n+m) (2 mean|x−y| − mean|x−x'| − mean|y−y'|), or 0 if the segment is too
 * short. Updates the sums while the cut moves on. */
static size_t best_cut(const double *values, size_t count)
{
    double within_left = 0;
    double within_right = 0;
    double across = 0;
    double best = -INFINITY;
    size_t cut = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 1; k < count; k++) {
            within_right += fabs(values[i] - values[k]);
        }
    }
    for (size_t moved = 0; moved + 1 < count; moved++) {
        double to_left = 0;
        double to_right = 0;
        for (size_t k = 0; k < moved; k++) {
            to_left += fabs(values[moved] - values[k]);
        }
        for (size_t k = moved + 1; k < count; k++) {
            to_right += fabs(values[moved] - values[k]);
        }
        within_left += to_left;
        within_right -= to_right;
        across += to_right - to_left;
        double n = (double)(moved + 1);
        double m = (double)(count - moved - 1);
        double left = n > 1 ? within_left / (n * (n - 1) / 2) : 0;
        double right = m > 1 ? within_right / (m * (m - 1) / 2) : 0;
        double apart = n * m / (n + m) * (2 * across / (n * m) - left - right);
        if (apart > best) {
            best = apart;
            cut = moved + 1;
        }
    }
    return cut;
}

static void insert(size_t *sorted, size_t *count, size_t index)
{
    size_t at = *count;
    while (at > 0 && sorted[at - 1] > index) {
        at--;
    }
    if (at > 0 && sorted[at - 1] == index) {
        return;
    }
    memmove(sorted + at + 1, sorted + at, (*count - at) * sizeof(*sorted));
    sorted[at] = index;
    ++*count;
}

/* Cuts a segment again and again while its two parts differ significantly. */
static void split(const double *values, size_t from, size_t to, double p, size_t *found,
                  size_t *count)
{
    size_t cut = best_cut(values + from, to - from);
    if (cut == 0 ||
        student_p(values + from, cut, values + from + cut, to - from - cut) > p) {
        return;
    }
    insert(found, count, from + cut);
    split(values, from, from + cut, p, found, count);
    split(values, from + cut, to, p, found, count);
}

static double change_p(const double *values, size_t count, const size_t *changes,
                       size_t change_count, size_t i)
{
    size_t from = i > 0 ? changes[i - 1] : 0;
    size_t to = i + 1 < change_count ? changes[i + 1] : count;
    return student_p(values + from, changes[i] - from, values + changes[i],
                     to - changes[i]);
}

/* Removes the weakest change until all others are significant. */
static size_t keep_significant(const double *values, size_t count, double p,
                               size_t *changes, size_t change_count)
{
    for (;;) {
        size_t weakest = 0;
        double worst = -1;
        for (size_t i = 0; i < change_count; i++) {
            double this_p = change_p(values, count, changes, change_count, i);
            weakest = this_p > worst ? i : weakest;
            worst = fmax(worst, this_p);
        }
        if (worst <= p) {
            return change_count;
        }
        change_count--;
        memmove(changes + weakest, changes + weakest + 1,
                (change_count - weakest) * sizeof(*changes));
    }
}

size_t dj_otava_changes(const double *values, size_t count, double p, size_t *changes)
{
    size_t change_count = 0;
    size_t start = 0;
    while (start < count) {
        size_t end = start + WINDOW < count ? start + WINDOW : count;
        size_t found[WINDOW];
        size_t in_window = 0;
        split(values, start, end, FIRST_PASS * p, found, &in_window);
        for (size_t i = 0; i < in_window; i++) {
            insert(changes, &change_count, found[i]);
        }
        size_t half = start + WINDOW / 2;
        size_t last = in_window > 0 ? found[in_window - 1] : 0;
        start = last > half ? last : half;
    }
    return keep_significant(values, count, p, changes, change_count);
}

/* ---- Perfherder ---- */

enum { BACK_MOST = 24, FORE = 12, BACK_LEAST = 12 };
static const double T_LEAST = 7, CHANGE_LEAST = 0.02;

struct weighed {
    double mean, variance, count;
};

/* Weights points by their distance to the change: 1 for the nearest one, then falling
 * linearly. */
static struct weighed weigh(const double *nearest, size_t count, int step)
{
    struct weighed all = {.count = (double)count};
    double weights = 0;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double weight = 1 - (double)i / (double)count;
        weights += weight;
        sum += weight * nearest[step * (ptrdiff_t)i];
    }
    all.mean = sum / weights;
    sum = 0;
    for (size_t i = 0; i < count; i++) {
        double off = nearest[step * (ptrdiff_t)i] - all.mean;
        sum += (1 - (double)i / (double)count) * off * off;
    }
    all.variance = sum / weights * (all.count / (all.count - 1));
    return all;
}

static double t_at(const double *values, size_t back, size_t fore, double *change)
{
    if (back < 2 || fore < 2) {
        *change = 0;
        return 0;
    }
    struct weighed before = weigh(values - 1, back, -1);
    struct weighed after = weigh(values, fore, 1);
    double difference = after.mean - before.mean;
    double error = sqrt(before.variance / before.count + after.variance / after.count);
    *change = fabs(difference / before.mean);
    return difference == 0 ? 0 : error > 0 ? fabs(difference) / error : INFINITY;
}

static size_t at_most(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t dj_perfherder_changes(const double *values, size_t count, size_t *changes)
{
    double t[SERIES_MAX] = {0};
    double change[SERIES_MAX] = {0};
    size_t found = 0;
    count = at_most(count, SERIES_MAX);
    for (size_t i = BACK_LEAST; i + FORE <= count; i++) {
        t[i] = t_at(values + i, at_most(i, BACK_MOST), FORE, &change[i]);
    }
    for (size_t i = 1; i < count; i++) {
        bool peak = t[i] > t[i - 1] && (i + 1 == count || t[i] >= t[i + 1]);
        if (peak && t[i] > T_LEAST && change[i] >= CHANGE_LEAST) {
            changes[found++] = i;
        }
    }
    return found;
}

/* ---- two sides ---- */

static void join(const double *a, const double *b, size_t runs, double *series)
{
    memcpy(series, a, runs * sizeof(*a));
    memcpy(series + runs, b, runs * sizeof(*b));
}

bool dj_otava_alarm(const double *a, const double *b, size_t runs, double p)
{
    double series[SERIES_MAX];
    size_t changes[SERIES_MAX];
    join(a, b, runs, series);
    return dj_otava_changes(series, 2 * runs, p, changes) > 0;
}

bool dj_perfherder_alarm(const double *a, const double *b, size_t runs)
{
    double series[SERIES_MAX];
    double change;
    join(a, b, runs, series);
    double t =
        t_at(series + runs, at_most(runs, BACK_MOST), at_most(runs, FORE), &change);
    return t > T_LEAST && change >= CHANGE_LEAST;
}
