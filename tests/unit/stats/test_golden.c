/* Compares our results with 466 results of R 4.2 and scipy 1.10. Reads them from
 * tests/data, which the build unpacks, and also from the folder in DEJANK_CORPUS if it is
 * set. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats/adjust.h"
#include "stats/brunner_munzel.h"
#include "stats/mann_whitney.h"
#include "stats/order.h"
#include "stats/quantile.h"
#include "stats/shift.h"
#include "stats/special.h"
#include "stats/welch.h"
#include "support.h"

extern const char golden_path[];

enum { NUMBERS_MAX = 1000 };

/* Numbers of one JSON key. */
struct numbers {
    double value[NUMBERS_MAX];
    size_t count;
};

/* Reads the number or the array of numbers with this key of a flat JSON object. */
static void read_numbers(const char *object, const char *key, struct numbers *numbers)
{
    char quoted[64];
    snprintf(quoted, sizeof(quoted), "\"%s\":", key);
    const char *at = strstr(object, quoted);
    cr_assert_not_null(at, "no %s in %.60s", key, object);
    at += strlen(quoted);
    at += strspn(at, " ");
    bool many = *at == '[';
    at += many;
    numbers->count = 0;
    do {
        char *end;
        cr_assert_lt(numbers->count, NUMBERS_MAX);
        numbers->value[numbers->count++] = strtod(at, &end);
        cr_assert(end > at, "%s: a number at %.20s", key, at);
        at = end + strspn(end, " ");
    } while (many && *at++ == ',');
}

static double number(const char *object, const char *key)
{
    struct numbers numbers;
    read_numbers(object, key, &numbers);
    return numbers.value[0];
}

static void expect_near(const char *what, double got, double want, double tolerance)
{
    cr_expect_leq(fabs(got - want), tolerance, "%s: %.17g, golden %.17g", what, got,
                  want);
}

/* Compares with a relative tolerance, or an absolute one if the expected number is near
 * 0. */
static void expect_like(const char *what, double got, double want, double tolerance)
{
    expect_near(what, got, want, tolerance * fmax(1e-3, fabs(want)));
}

static void check_bounds(const struct numbers *x, const struct numbers *y,
                         const struct dj_bounds *got, const struct numbers *want)
{
    if (isinf(got->low)) {
        /* So few numbers cannot reach the level. R then returns the range of all
         * differences. */
        cr_expect(isinf(got->high));
        double least = (double)INFINITY;
        double most = -(double)INFINITY;
        for (size_t i = 0; i < x->count; i++) {
            for (size_t k = 0; k < y->count; k++) {
                least = fmin(least, y->value[k] - x->value[i]);
                most = fmax(most, y->value[k] - x->value[i]);
            }
        }
        expect_like("range", least, want->value[0], 1e-12);
        expect_like("range", most, want->value[1], 1e-12);
        return;
    }
    expect_like("shift from", got->low, want->value[0], 1e-12);
    expect_like("shift to", got->high, want->value[1], 1e-12);
}

static void check_mwu_hl_welch(const char *object)
{
    struct numbers x;
    struct numbers y;
    struct numbers want;
    read_numbers(object, "x", &x);
    read_numbers(object, "y", &y);
    double level = number(object, "conf");
    struct dj_mann_whitney test;
    cr_assert_eq(dj_mann_whitney(x.value, x.count, y.value, y.count, &test), 0);
    cr_expect(test.exact);
    cr_expect_eq(test.u, number(object, "U_y_gt_x"));
    expect_near("exact p", test.p, number(object, "mwu_exact_p"), 1e-12);
    struct shift shift;
    cr_assert_eq(shift_of(x.value, x.count, y.value, y.count, level, &shift), 0);
    expect_like("shift", shift.shift, number(object, "hl_shift_y_minus_x"), 1e-12);
    read_numbers(object, "hl_ci", &want);
    check_bounds(&x, &y, &shift.bounds, &want);
    for (size_t i = 0; i < x.count; i++) {
        x.value[i] = log(x.value[i]);
    }
    for (size_t i = 0; i < y.count; i++) {
        y.value[i] = log(y.value[i]);
    }
    struct dj_welch welch;
    cr_assert_eq(dj_welch(x.value, x.count, y.value, y.count, level, &welch), 0);
    expect_like("Welch's t", welch.t, number(object, "welch_log_t"), 1e-10);
    expect_like("Welch's df", welch.df, number(object, "welch_log_df"), 1e-10);
    expect_like("Welch's p", welch.p, number(object, "welch_log_p"), 1e-10);
    read_numbers(object, "welch_log_ci", &want);
    expect_like("Welch from", welch.bounds.low, want.value[0], 1e-10);
    expect_like("Welch to", welch.bounds.high, want.value[1], 1e-10);
}

static void check_mwu_ties_exact(const char *object)
{
    struct numbers x;
    struct numbers y;
    read_numbers(object, "x", &x);
    read_numbers(object, "y", &y);
    struct dj_mann_whitney test;
    cr_assert_eq(dj_mann_whitney(x.value, x.count, y.value, y.count, &test), 0);
    cr_expect(test.exact);
    expect_near("exact p", test.p, number(object, "exact_perm_p"), 1e-12);
}

static void check_bm_hd_ks(const char *object)
{
    struct numbers x;
    struct numbers y;
    read_numbers(object, "x", &x);
    read_numbers(object, "y", &y);
    struct dj_brunner_munzel test;
    cr_assert_eq(dj_brunner_munzel(x.value, x.count, y.value, y.count, &test), 0);
    expect_near("statistic", test.statistic, number(object, "bm_stat"), 1e-9);
    expect_near("p by t", test.p_t, number(object, "bm_p"), 1e-9);
    struct dj_mann_whitney ranks;
    cr_assert_eq(dj_mann_whitney(x.value, x.count, y.value, y.count, &ranks), 0);
    expect_near("normal p", ranks.p_normal, number(object, "mwu_asymp_p"), 1e-12);
}

static void check_padjust(const char *object)
{
    static const struct {
        const char *key;
        int (*adjust)(const double *p, size_t count, double *adjusted);
    } methods[] = {{"holm", dj_adjust_holm}, {"BH", dj_adjust_benjamini_hochberg}};
    struct numbers p;
    read_numbers(object, "p", &p);
    for (size_t k = 0; k < sizeof(methods) / sizeof(methods[0]); k++) {
        struct numbers want;
        double got[NUMBERS_MAX];
        read_numbers(object, methods[k].key, &want);
        cr_assert_eq(want.count, p.count);
        cr_assert_eq(methods[k].adjust(p.value, p.count, got), 0);
        for (size_t i = 0; i < p.count; i++) {
            expect_near(methods[k].key, got[i], want.value[i], 1e-12);
        }
    }
}

static void check_quantile7(const char *object)
{
    struct numbers x;
    struct numbers p;
    struct numbers want;
    read_numbers(object, "x", &x);
    read_numbers(object, "p", &p);
    read_numbers(object, "type7", &want);
    cr_assert_eq(p.count, want.count);
    dj_order_sort(x.value, x.count);
    for (size_t i = 0; i < p.count; i++) {
        expect_like("quantile", dj_quantile_compute(x.value, x.count, p.value[i]),
                    want.value[i], 1e-12);
    }
}

static void check_special(const char *object)
{
    double a = number(object, "a");
    double b = number(object, "b");
    double df = number(object, "df");
    double beta = dj_special_incomplete_beta(a, b, number(object, "x"));
    double want = number(object, "pbeta");
    expect_near("beta", beta, want, 1e-10);
    /* The tolerance is relative, even near 0. */
    cr_expect_leq(fabs(beta - want), 1e-10 * want, "beta: %.17g, golden %.17g", beta,
                  want);
    expect_near("t", dj_special_t_two_sided(number(object, "t"), df),
                number(object, "two_sided_p"), 1e-10);
    expect_like("quantile of t", dj_special_t_quantile(0.975, df),
                number(object, "qt975"), 1e-10);
}

static const struct {
    const char *name;
    void (*check)(const char *object);
    size_t cases;
} kinds[] = {
    {"bm_hd_ks", check_bm_hd_ks, 30},
    {"mwu_hl_welch", check_mwu_hl_welch, 180},
    {"mwu_ties_exact", check_mwu_ties_exact, 20},
    {"padjust", check_padjust, 30},
    {"quantile7", check_quantile7, 6},
    {"special", check_special, 200},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

Test(golden, packed_cases)
{
    FILE *file = fopen(golden_path, "r");
    cr_assert_not_null(file, "%s", golden_path);
    size_t seen[KINDS] = {0};
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, file) > 0) {
        size_t kind = 0;
        char name[40];
        cr_assert_eq(sscanf(line, "{\"kind\":\"%39[^\"]\"", name), 1);
        while (kind < KINDS && strcmp(kinds[kind].name, name) != 0) {
            kind++;
        }
        cr_assert_lt(kind, KINDS, "%s", name);
        kinds[kind].check(line);
        seen[kind]++;
    }
    for (size_t i = 0; i < KINDS; i++) {
        cr_expect_eq(seen[i], kinds[i].cases, "%s: %zu", kinds[i].name, seen[i]);
    }
    free(line);
    fclose(file);
}

Test(golden, whole_files)
{
    const char *corpus = getenv("DEJANK_CORPUS");
    if (corpus == NULL) {
        cr_skip_test("DEJANK_CORPUS is not set");
    }
    for (size_t i = 0; i < KINDS; i++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/stats/golden/%s.jsonl", corpus, kinds[i].name);
        FILE *file = fopen(path, "r");
        if (file == NULL) {
            cr_skip_test("no %s", path);
        }
        char *line = NULL;
        size_t room = 0;
        while (getline(&line, &room, file) > 0) {
            kinds[i].check(line);
        }
        free(line);
        fclose(file);
    }
}
