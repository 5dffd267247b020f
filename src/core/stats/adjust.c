#include "stats/adjust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"

struct test {
    double p;
    size_t index;
};

static int compare_p(const void *a, const void *b)
{
    const struct test *left = a;
    const struct test *right = b;
    int order = DJ_COMPARE(left->p, right->p);
    return order != 0 ? order : DJ_COMPARE(left->index, right->index);
}

/* Collects the performed tests, sorted by p, and sets the other elements of `adjusted` to
 * NaN. */
static int sort_tests(const double *p, size_t count, double *adjusted,
                      struct test **tests, size_t *made)
{
    *made = 0;
    for (size_t i = 0; i < count; i++) {
        if (p[i] < 0 || p[i] > 1) {
            return DJ_E_INVALID;
        }
    }
    *tests = calloc(count + 1, sizeof(**tests));
    if (*tests == NULL) {
        return DJ_E_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        if (isnan(p[i])) {
            adjusted[i] = (double)NAN;
        } else {
            (*tests)[(*made)++] = (struct test){p[i], i};
        }
    }
    qsort(*tests, *made, sizeof(**tests), compare_p);
    return 0;
}

int dj_adjust_holm(const double *p, size_t count, double *adjusted)
{
    struct test *tests;
    size_t made;
    int error = sort_tests(p, count, adjusted, &tests, &made);
    if (error != 0) {
        return error;
    }
    double highest = 0;
    for (size_t i = 0; i < made; i++) {
        highest = fmax(highest, fmin(1, (double)(made - i) * tests[i].p));
        adjusted[tests[i].index] = highest;
    }
    free(tests);
    return 0;
}

/* Goes from the largest p to the smallest. Multiplies each p by the number of tests and
 * divides it by its rank, but never exceeds the previous result. */
int dj_adjust_benjamini_hochberg(const double *p, size_t count, double *adjusted)
{
    struct test *tests;
    size_t made;
    int error = sort_tests(p, count, adjusted, &tests, &made);
    if (error != 0) {
        return error;
    }
    double lowest = 1;
    for (size_t i = made; i-- > 0;) {
        lowest = fmin(lowest, (double)made / (double)(i + 1) * tests[i].p);
        adjusted[tests[i].index] = lowest;
    }
    free(tests);
    return 0;
}

int dj_adjust_holm_levels(const double *p, size_t count, double alpha, double *level,
                          bool *significant)
{
    struct test *tests;
    size_t made;
    int error = sort_tests(p, count, level, &tests, &made);
    if (error != 0) {
        return error;
    }
    memset(significant, 0, count * sizeof(*significant));
    bool passed = true;
    for (size_t i = 0; i < made; i++) {
        bool is_tie = i > 0 && tests[i].p == tests[i - 1].p;
        level[tests[i].index] =
            is_tie ? level[tests[i - 1].index] : alpha / (double)(made - i);
        passed = passed && tests[i].p <= level[tests[i].index];
        significant[tests[i].index] = passed;
    }
    free(tests);
    return 0;
}
