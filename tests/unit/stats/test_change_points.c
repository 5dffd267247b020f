#include "stats/change_points.h"

#include "stats/mann_whitney.h"
#include "stats/order.h"
#include "support.h"

enum { COUNT_MAX = 1000 };

static void find(const double *values, size_t count, struct dj_change_points *found)
{
    cr_assert_eq(dj_change_points_find(values, count, NULL, found), 0);
}

static bool has_near(const struct dj_change_points *found, size_t index, size_t within)
{
    for (size_t i = 0; i < found->count; i++) {
        size_t at = found->changes[i].index;
        if ((at > index ? at - index : index - at) <= within) {
            return true;
        }
    }
    return false;
}

Test(change_points, one_step_with_all_result_fields)
{
    uint64_t state = 81;
    double values[60];
    double before[60];
    double after[60];
    fill_normal(&state, values, 60);
    for (size_t i = 0; i < 60; i++) {
        values[i] = 0.02 * values[i] + (i >= 37 ? log(1.1) : 0);
    }
    struct dj_change_points found;
    find(values, 60, &found);
    cr_assert_eq(found.count, 1);
    const struct dj_change *change = &found.changes[0];
    cr_expect_eq(change->index, 37);
    cr_expect(change->from == 0 && change->to == 60 && change->direction == 1);
    memcpy(before, values, 37 * sizeof(*values));
    memcpy(after, values + 37, 23 * sizeof(*values));
    struct dj_mann_whitney test;
    struct shift shift;
    cr_assert_eq(dj_mann_whitney(before, 37, after, 23, &test), 0);
    cr_assert_eq(shift_of(before, 37, after, 23, 0.95, &shift), 0);
    cr_expect(same_bits(change->p, test.p) && same_bits(change->shift, shift.shift));
    cr_expect(same_bits(change->bounds.low, shift.bounds.low) &&
              same_bits(change->bounds.high, shift.bounds.high));
    dj_order_sort(before, 37);
    dj_order_sort(after, 23);
    cr_expect_eq(change->before, dj_order_median_sorted(before, 37));
    cr_expect_eq(change->after, dj_order_median_sorted(after, 23));
    cr_expect_float_eq(found.noise, 0.02, 0.006);
    dj_change_points_finish(&found);
    cr_expect(found.changes == NULL && found.count == 0);
}

/* Noise around a level that changes a little every 30 points. */
static void fill_wandering(double *values, size_t count)
{
    uint64_t state = 85;
    fill_normal(&state, values, count);
    for (size_t i = 0; i < count; i++) {
        values[i] = 0.05 * (values[i] + (i / 30 % 2 == 1 ? 1 : 0));
    }
}

Test(change_points, changes_that_correlated_noise_can_explain_are_hints)
{
    double values[120];
    fill_wandering(values, 120);
    struct dj_change_points found;
    find(values, 120, &found);
    cr_expect_eq(found.count, 0);
    cr_expect_gt(found.correlation, 0.2);
    cr_assert_eq(found.hint_count, 3);
    for (size_t i = 0; i < found.hint_count; i++) {
        const struct dj_change *hint = &found.hints[i];
        size_t n = hint->index - hint->from;
        size_t m = hint->to - hint->index;
        cr_expect(n >= DJ_HISTORY_LEAST && m >= DJ_HISTORY_LEAST);
        cr_expect_eq(hint->from, i == 0 ? 0 : found.hints[i - 1].index);
        cr_expect_leq(abs((int)hint->index - 30 * (int)(i + 1)), 3);
        cr_expect_eq(hint->direction, i % 2 == 0 ? 1 : -1);
        struct dj_mann_whitney test;
        cr_assert_eq(
            dj_mann_whitney(values + hint->from, n, values + hint->index, m, &test), 0);
        cr_expect(same_bits(hint->p, test.p) && hint->p <= 0.05);
    }
    dj_change_points_finish(&found);
    cr_expect(found.hints == NULL && found.hint_count == 0);
}

Test(change_points, hints_are_between_changes)
{
    double values[240];
    fill_wandering(values + 120, 120);
    uint64_t state = 86;
    fill_normal(&state, values, 120);
    for (size_t i = 0; i < 120; i++) {
        values[i] = 0.05 * values[i] - 1;
    }
    struct dj_change_points found;
    find(values, 240, &found);
    cr_assert_eq(found.count, 1);
    cr_assert_eq(found.hint_count, 3);
    cr_expect_eq(found.hints[0].from, found.changes[0].index);
    cr_expect_eq(found.hints[2].to, 240);
    cr_expect_leq(abs((int)found.hints[0].index - 150), 3);
    dj_change_points_finish(&found);
}

Test(change_points, independent_noise_rarely_has_hints)
{
    enum { HISTORIES = 200 };
    uint64_t state = 87;
    double values[120];
    size_t hinted = 0;
    for (size_t i = 0; i < HISTORIES; i++) {
        fill_normal(&state, values, 120);
        for (size_t k = 0; k < 120; k++) {
            values[k] *= 0.05;
        }
        struct dj_change_points found;
        find(values, 120, &found);
        hinted += found.hint_count > 0;
        dj_change_points_finish(&found);
    }
    cr_expect_lt(hinted, HISTORIES / 10, "%zu", hinted);
}

Test(change_points, constant_series_have_no_hints)
{
    double values[120];
    struct dj_change_points found;
    for (size_t i = 0; i < 120; i++) {
        values[i] = i < 60 ? 1 : 2;
    }
    find(values, 120, &found);
    cr_expect(found.count == 1 && found.hint_count == 0);
    dj_change_points_finish(&found);
}

Test(change_points, mirrored_numbers_change_the_other_way)
{
    uint64_t state = 82;
    double values[120];
    double mirrored[120];
    fill_normal(&state, values, 120);
    for (size_t i = 0; i < 120; i++) {
        values[i] = 0.02 * values[i] + 0.1 * (double)(i / 40 % 2);
        mirrored[i] = -values[i];
    }
    struct dj_change_points one;
    struct dj_change_points other;
    find(values, 120, &one);
    find(mirrored, 120, &other);
    cr_assert_eq(one.count, 2);
    cr_assert_eq(other.count, 2);
    for (size_t i = 0; i < 2; i++) {
        cr_expect_eq(one.changes[i].index, other.changes[i].index);
        cr_expect_eq(one.changes[i].direction, -other.changes[i].direction);
        cr_expect(same_bits(one.changes[i].p, other.changes[i].p));
        cr_expect_eq(one.changes[i].bounds.low, -other.changes[i].bounds.high);
    }
    dj_change_points_finish(&one);
    dj_change_points_finish(&other);
}

Test(change_points, one_outlier_is_not_a_change)
{
    uint64_t state = 83;
    double values[60];
    fill_normal(&state, values, 60);
    values[20] += 30;
    values[41] -= 30;
    values[59] += 30;
    struct dj_change_points found;
    struct dj_change_rules rules = {.least = 1e-6};
    cr_assert_eq(dj_change_points_find(values, 60, &rules, &found), 0);
    cr_expect_eq(found.count, 0);
    dj_change_points_finish(&found);
}

Test(change_points, constant_histories_and_exact_steps)
{
    double values[40];
    struct dj_change_points found;
    for (size_t i = 0; i < 40; i++) {
        values[i] = 3.25;
    }
    find(values, 40, &found);
    cr_expect(found.count == 0 && found.noise == 0);
    dj_change_points_finish(&found);
    for (size_t last = 3; last <= 37; last++) {
        for (size_t i = 0; i < 40; i++) {
            values[i] = i < 40 - last ? 3.25 : 3.26; /* A step of 1 %. */
        }
        find(values, 40, &found);
        cr_expect(found.count == 1 && found.changes[0].index == 40 - last, "last %zu",
                  last);
        dj_change_points_finish(&found);
    }
    /* Two points at the end are too few for a significant change. */
    values[37] = 3.25;
    find(values, 40, &found);
    dj_change_points_finish(&found);
    for (size_t i = 0; i < 40; i++) {
        values[i] = i < 38 ? 3.25 : 3.26;
    }
    find(values, 40, &found);
    cr_expect_eq(found.count, 0);
    dj_change_points_finish(&found);
    for (size_t i = 0; i < 40; i++) {
        values[i] = 1 + (double)i;
    }
    /* The result for a ramp is not defined, but the call must return. */
    find(values, 40, &found);
    dj_change_points_finish(&found);
}

Test(change_points, small_changes_are_reported_only_on_request)
{
    uint64_t state = 84;
    double values[200];
    fill_normal(&state, values, 200);
    for (size_t i = 0; i < 200; i++) {
        values[i] = 0.003 * values[i] + (i >= 100 ? log(1.012) : 0);
    }
    struct dj_change_points found;
    struct dj_change_rules rules = {.least = 0.01};
    find(values, 200, &found);
    cr_expect_eq(found.count, 0);
    dj_change_points_finish(&found);
    cr_assert_eq(dj_change_points_find(values, 200, &rules, &found), 0);
    cr_expect(found.count == 1 && has_near(&found, 100, 1));
    dj_change_points_finish(&found);
}

enum { NORMAL, HEAVY, OUTLIERS, ROUNDED, KINDS };
static const char *const kind_name[] = {"normal", "t3", "outliers", "rounded"};

/* Fills the array with noise of standard deviation 0.03. */
static void fill_history(uint64_t *state, int kind, double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double value = normal(state);
        if (kind == HEAVY) {
            double square = 0;
            for (int k = 0; k < 3; k++) {
                double other = normal(state);
                square += other * other / 3;
            }
            value /= sqrt(3 * square);
        } else if (kind == OUTLIERS && uniform(state) < 0.05) {
            value += (uniform(state) < 0.5 ? -1 : 1) * (4 + 4 * uniform(state));
        }
        values[i] = 0.03 * (kind == ROUNDED ? round(value) : value);
    }
}

/* At most 0.03 false alarms per history are expected. The limit of 12 in 200 histories is
 * four standard deviations more. */
Test(change_points, false_alarms_are_rare)
{
    static const size_t counts[] = {30, 60, 120, 300};
    uint64_t state = 85;
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < 4; i++) {
            size_t alarms = 0;
            for (int round = 0; round < 200; round++) {
                double values[300];
                struct dj_change_points found;
                fill_history(&state, kind, values, counts[i]);
                find(values, counts[i], &found);
                alarms += found.count;
                dj_change_points_finish(&found);
            }
            cr_expect_leq(alarms, 12, "%s, %zu points: %zu of 200", kind_name[kind],
                          counts[i], alarms);
        }
    }
}

/* Noise of an AR(1) process with coefficient 0.3. */
Test(change_points, false_alarms_are_rare_with_correlated_noise)
{
    uint64_t state = 86;
    size_t alarms = 0;
    for (int round = 0; round < 200; round++) {
        double values[120];
        double last = normal(&state);
        struct dj_change_points found;
        for (size_t i = 0; i < 120; i++) {
            last = 0.3 * last + sqrt(1 - 0.09) * normal(&state);
            values[i] = 0.03 * last;
        }
        find(values, 120, &found);
        alarms += found.count;
        dj_change_points_finish(&found);
    }
    cr_expect_leq(alarms, 10, "%zu of 200", alarms);
}

/* Returns how often a step is found within 3 points, in 200 histories. */
static size_t count_found_steps(uint64_t *state, int kind, double sds, size_t from,
                                size_t to)
{
    size_t hits = 0;
    for (int round = 0; round < 200; round++) {
        double values[60];
        struct dj_change_points found;
        fill_history(state, kind, values, 60);
        for (size_t i = from; i < to; i++) {
            values[i] += 0.03 * sds;
        }
        find(values, 60, &found);
        hits += has_near(&found, from, 3) && (to == 60 || has_near(&found, to, 3));
        dj_change_points_finish(&found);
    }
    return hits;
}

Test(change_points, finds_steps)
{
    /* The expected rates are 94 %, 90 % and 85 %. The limits are two and a half standard
     * deviations lower. */
    uint64_t state = 87;
    for (int kind = 0; kind < KINDS; kind++) {
        size_t hits = count_found_steps(&state, kind, 2.5, 30, 60);
        cr_expect_geq(hits, 180, "2.5 sd, %s: %zu of 200", kind_name[kind], hits);
    }
    size_t hits = count_found_steps(&state, NORMAL, 3, 55, 60);
    cr_expect_geq(hits, 170, "five from the end: %zu of 200", hits);
    hits = count_found_steps(&state, NORMAL, 3, 26, 34);
    cr_expect_geq(hits, 158, "a bump of eight: %zu of 200", hits);
}

Test(change_points, finds_many_changes_in_a_long_history)
{
    uint64_t state = 88;
    static double values[COUNT_MAX];
    fill_history(&state, NORMAL, values, COUNT_MAX);
    for (size_t i = 0; i < COUNT_MAX; i++) {
        values[i] += 0.12 * (double)(i / 50 % 2);
    }
    struct dj_change_points found;
    find(values, COUNT_MAX, &found);
    cr_assert_eq(found.count, 19);
    for (size_t i = 0; i < 19; i++) {
        cr_expect(has_near(&found, 50 * (i + 1), 3));
        cr_expect_eq(found.changes[i].direction, i % 2 == 0 ? 1 : -1);
        cr_expect_lt(found.changes[i].from, found.changes[i].index);
        cr_expect_lt(found.changes[i].index, found.changes[i].to);
    }
    dj_change_points_finish(&found);
}

Test(change_points, rejects_invalid_input)
{
    static double values[DJ_HISTORY_MAX + 1];
    struct dj_change_points found;
    cr_expect_eq(dj_change_points_find(values, 14, NULL, &found), DJ_E_NO_DATA);
    cr_expect_eq(dj_change_points_find(NULL, 0, NULL, &found), DJ_E_NO_DATA);
    cr_expect_eq(dj_change_points_find(values, DJ_HISTORY_MAX + 1, NULL, &found),
                 DJ_E_LIMIT);
    const struct dj_change_rules bad[] = {{.alpha = 1},
                                          {.alpha = -1},
                                          {.least = -1},
                                          {.level = 2},
                                          {.level = (double)NAN},
                                          {.penalty = -4},
                                          {.penalty = (double)INFINITY}};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        cr_expect_eq(dj_change_points_find(values, 20, &bad[i], &found), DJ_E_USAGE);
    }
    static const double odd[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < 3; i++) {
        values[7] = odd[i];
        cr_expect_eq(dj_change_points_find(values, 20, NULL, &found), DJ_E_INVALID);
        cr_expect(found.changes == NULL && found.count == 0);
    }
}

Test(change_points, very_large_and_small_numbers)
{
    double values[30];
    struct dj_change_points found;
    for (size_t i = 0; i < 30; i++) {
        values[i] = i % 2 == 0 ? 1e308 : -1e308;
    }
    cr_assert_eq(dj_change_points_find(values, 30, NULL, &found), 0);
    dj_change_points_finish(&found);
    for (size_t i = 0; i < 30; i++) {
        values[i] = i < 15 ? 1e-320 : 2e-320;
    }
    cr_assert_eq(dj_change_points_find(values, 30, NULL, &found), 0);
    dj_change_points_finish(&found);
}
