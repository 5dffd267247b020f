/* Real histories of benchmarks, where DEJANK_CORPUS names a folder of them: what other
 * tools found there, and what must not be found. */
#include <stdio.h>

#include "stats/change_points.h"
#include "support.h"

enum { POINTS_MAX = 1000, EXPECTED_MAX = 8 };

/* Of a file: what its numbers stand behind, and how many numbers of an array are passed
 * over before the value. */
struct history {
    const char *name;
    const char *before; /* a key, or NULL: the file is an array */
    bool runs;          /* rows [id, [push], time, value, …] */
    size_t expected[EXPECTED_MAX];
    size_t expected_count;
    size_t hinted[EXPECTED_MAX]; /* the rest of what stands beside it */
    size_t hinted_count;
};

static const struct history histories[] = {
    /* Perfherder's own answers. */
    {"runs1", "\"test_runs\":", true, {111}, 1, {0}, 0},
    {"runs3", "\"test_runs\":", true, {24, 98}, 2, {0}, 0},
    /* Six stand beside it. Neighbours of this series go together (ρ 0.28): four of them
     * may as well be that. */
    {"real1", "\"values\":", false, {193, 293}, 2, {23, 47, 327, 348}, 4},
    /* No tool's answer stands beside these: steps that anybody sees. */
    {"robust_series", NULL, false, {25, 68, 114}, 3, {0}, 0},
    {"real_series", NULL, false, {0}, 0, {0}, 0},
    {"tigerbeetle", NULL, false, {15, 61, 71, 95, 131, 192}, 6, {0}, 0},
};

static char *text_of(const char *corpus, const char *name)
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

/* The fourth value of each row, the push counted as one. */
static size_t read_runs(const char *at, double *values)
{
    size_t count = 0;
    for (at = strchr(at, '[') + 1; count < POINTS_MAX;) {
        at += strspn(at, " \n,");
        if (*at != '[') {
            return count;
        }
        at = strchr(at, ']') + 2; /* behind the push */
        at = strchr(at, ',') + 1; /* behind the time */
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

/* Each that is expected is among those found, within a few points. */
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

/* And of all that is told, hints too, one is more at most. */
static void check(const struct history *history, const double *values, size_t count)
{
    struct dj_change_points found;
    cr_assert_eq(dj_change_points_find(values, count, NULL, &found), 0);
    check_found(history->name, history->expected, history->expected_count, found.changes,
                found.count);
    check_found(history->name, history->hinted, history->hinted_count, found.hints,
                found.hint_count);
    cr_expect_leq(found.count + found.hint_count,
                  history->expected_count + history->hinted_count + 1,
                  "%s: %zu changes and %zu hints", history->name, found.count,
                  found.hint_count);
    dj_change_points_finish(&found);
}

Test(histories, expected_changes_and_one_more_at_most)
{
    const char *corpus = getenv("DEJANK_CORPUS");
    if (corpus == NULL) {
        cr_skip_test("DEJANK_CORPUS is not set");
    }
    for (size_t i = 0; i < sizeof(histories) / sizeof(histories[0]); i++) {
        const struct history *history = &histories[i];
        static double values[POINTS_MAX];
        char *text = text_of(corpus, history->name);
        const char *at = history->before != NULL ? strstr(text, history->before) : text;
        cr_assert_not_null(at);
        size_t count = history->runs ? read_runs(at, values) : read_numbers(at, values);
        cr_assert_gt(count, 100, "%s", history->name);
        for (size_t k = 0; k < count; k++) {
            values[k] = log(values[k]);
        }
        check(history, values, count);
        free(text);
    }
}
