/* Real histories of benchmarks, from the folder in DEJANK_CORPUS. Checks that the changes
 * which other tools found are found, and at most one more. */
#include <stdio.h>

#include "stats/change_points.h"
#include "support.h"

enum { POINTS_MAX = 1000, EXPECTED_MAX = 8 };

/* A file with a history and the expected results. */
struct history {
    const char *name;
    /* Key whose value has the numbers, or NULL if the file is an array. */
    const char *key;
    bool runs; /* The numbers are in rows [id, [push], time, value, …]. */
    size_t expected[EXPECTED_MAX];
    size_t expected_count;
    size_t hints[EXPECTED_MAX]; /* Changes that may be reported as hints. */
    size_t hint_count;
};

static const struct history histories[] = {
    /* Results of Perfherder. */
    {"runs1", "\"test_runs\":", true, {111}, 1, {0}, 0},
    {"runs3", "\"test_runs\":", true, {24, 98}, 2, {0}, 0},
    /* The file lists six changes. Neighbouring numbers correlate (ρ = 0.28), which may
     * also explain four of them. */
    {"real1", "\"values\":", false, {193, 293}, 2, {23, 47, 327, 348}, 4},
    /* These files list no changes. The expected ones are obvious in a plot. */
    {"robust_series", NULL, false, {25, 68, 114}, 3, {0}, 0},
    {"real_series", NULL, false, {0}, 0, {0}, 0},
    {"tigerbeetle", NULL, false, {15, 61, 71, 95, 131, 192}, 6, {0}, 0},
};

static char *read_text(const char *corpus, const char *name)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/stats/histories/%s.json", corpus, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        cr_skip_test("no %s", path);
    }
    char *text = calloc(1, 1 << 20);
    size_t length = fread(text, 1, (1 << 20) - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

/* Reads the value of each row, which follows the id, the push and the time. */
static size_t read_runs(const char *at, double *values)
{
    size_t count = 0;
    for (at = strchr(at, '[') + 1; count < POINTS_MAX;) {
        at += strspn(at, " \n,");
        if (*at != '[') {
            return count;
        }
        at = strchr(at, ']') + 2; /* After the push. */
        at = strchr(at, ',') + 1; /* After the time. */
        values[count++] = strtod(at, NULL);
        at = strchr(strchr(at, ']') + 1, ']') + 1;
    }
    return count;
}

static size_t read_numbers(const char *at, double *values)
{
    size_t count = 0;
    for (at = strchr(at, '[') + 1; count < POINTS_MAX; at++) {
        char *end;
        double value = strtod(at, &end);
        if (end == at) {
            return count;
        }
        values[count++] = value;
        at = end + strspn(end, " \n");
        if (*at != ',') {
            return count;
        }
    }
    return count;
}

static size_t distance(size_t a, size_t b)
{
    return a > b ? a - b : b - a;
}

/* Checks that each expected change is near a found one. */
static void check_found(const char *name, const size_t *expected, size_t expected_count,
                        const struct dj_change *found, size_t found_count)
{
    enum { MARGIN = 5 };
    for (size_t i = 0; i < expected_count; i++) {
        size_t nearest = POINTS_MAX;
        for (size_t k = 0; k < found_count; k++) {
            size_t off = distance(found[k].index, expected[i]);
            nearest = off < nearest ? off : nearest;
        }
        cr_expect_leq(nearest, MARGIN, "%s: a change at %zu", name, expected[i]);
    }
}

/* Also checks that there is at most one other change or hint. */
static void check_history(const struct history *history, const double *values,
                          size_t count)
{
    struct dj_change_points found;
    cr_assert_eq(dj_change_points_find(values, count, NULL, &found), 0);
    check_found(history->name, history->expected, history->expected_count, found.changes,
                found.count);
    check_found(history->name, history->hints, history->hint_count, found.hints,
                found.hint_count);
    cr_expect_leq(
        found.count + found.hint_count, history->expected_count + history->hint_count + 1,
        "%s: %zu changes and %zu hints", history->name, found.count, found.hint_count);
    dj_change_points_finish(&found);
}

Test(histories, finds_the_expected_changes_and_at_most_one_more)
{
    const char *corpus = getenv("DEJANK_CORPUS");
    if (corpus == NULL) {
        cr_skip_test("DEJANK_CORPUS is not set");
    }
    for (size_t i = 0; i < sizeof(histories) / sizeof(histories[0]); i++) {
        const struct history *history = &histories[i];
        static double values[POINTS_MAX];
        char *text = read_text(corpus, history->name);
        const char *at = history->key != NULL ? strstr(text, history->key) : text;
        cr_assert_not_null(at);
        size_t count = history->runs ? read_runs(at, values) : read_numbers(at, values);
        cr_assert_gt(count, 100, "%s", history->name);
        for (size_t k = 0; k < count; k++) {
            values[k] = log(values[k]);
        }
        check_history(history, values, count);
        free(text);
    }
}
