/*
 * changes: finds change points with stats/change_points.h and with the rules of two other
 * tools (rivals.h).
 *
 *   changes made NOISE PLANT POINTS HISTORIES
 *       Made-up histories. PLANT is none, step-SD, end-SD (a step five points before
 *       the end) or bump-SD (eight points long). SD is in deviations of the noise.
 *   changes permuted HISTORIES STEP
 *       Reads a real history from stdin and removes its changes. Each history is a
 *       window of 100 of its points in random order, with a step by the share STEP
 *       (0: no step).
 *   changes of
 *       Reads a history from stdin and finds its changes.
 *
 * `made` and `permuted` write a row to stdout for each detector and rate: detector, what
 * is counted, count, total. `of` writes a row for each change: detector, index.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "histories.h"
#include "rivals.h"
#include "stats/change_points.h"

enum { SEED = 3, NEAR = 3, WINDOW = 100, END = 5, BUMP = 8, PLANTS_MAX = 2 };

/* ---- detectors ---- */

static size_t search(const double *logs, size_t count, bool with_hints, size_t *changes)
{
    struct dj_change_points found;
    if (dj_change_points_find(logs, count, NULL, &found) != 0) {
        fputs("changes: a history cannot be searched\n", stderr);
        exit(5);
    }
    size_t told = 0;
    for (size_t i = 0; i < found.count; i++) {
        changes[told++] = found.changes[i].index;
    }
    for (size_t i = 0; i < found.hint_count && with_hints; i++) {
        changes[told++] = found.hints[i].index;
    }
    dj_change_points_finish(&found);
    return told;
}

static size_t by_dejank(const double *logs, size_t count, size_t *changes)
{
    return search(logs, count, false, changes);
}

/* Reports dejank's hints as changes, too. */
static size_t by_hints(const double *logs, size_t count, size_t *changes)
{
    return search(logs, count, true, changes);
}

/* The other tools use the values, not their logarithms. */
static const double *numbers_of(const double *logs, size_t count)
{
    static double values[DJ_SIM_HISTORY_MAX];
    for (size_t i = 0; i < count; i++) {
        values[i] = 100 * exp(logs[i]);
    }
    return values;
}

static size_t by_otava(const double *logs, size_t count, size_t *changes)
{
    return dj_otava_changes(numbers_of(logs, count), count, 1e-3, changes);
}

static size_t by_strict_otava(const double *logs, size_t count, size_t *changes)
{
    return dj_otava_changes(numbers_of(logs, count), count, 1e-4, changes);
}

static size_t by_perfherder(const double *logs, size_t count, size_t *changes)
{
    return dj_perfherder_changes(numbers_of(logs, count), count, changes);
}

static const struct detector {
    const char *name;
    size_t (*find)(const double *logs, size_t count, size_t *changes);
} detectors[] = {{"dejank", by_dejank},
                 {"dejank-hints", by_hints},
                 {"otava-1e-3", by_otava},
                 {"otava-1e-4", by_strict_otava},
                 {"perfherder", by_perfherder}};
enum { DETECTORS = sizeof(detectors) / sizeof(detectors[0]) };

/* ---- counting ---- */

static struct tally {
    size_t alarmed;    /* histories with a reported change where none is planted */
    size_t false_told; /* reported changes where none is planted */
    size_t found, planted;
    size_t whole; /* histories in which all planted changes were found */
    size_t told;
} tallies[DETECTORS];

static bool is_near(size_t a, size_t b)
{
    return (a > b ? a - b : b - a) <= NEAR;
}

static void count_history(const double *logs, size_t count, const size_t *planted,
                          size_t planted_count)
{
    size_t changes[DJ_SIM_HISTORY_MAX];
    for (size_t i = 0; i < DETECTORS; i++) {
        struct tally *tally = &tallies[i];
        size_t told = detectors[i].find(logs, count, changes);
        size_t found = 0;
        for (size_t k = 0; k < planted_count; k++) {
            bool seen = false;
            for (size_t j = 0; j < told && !seen; j++) {
                seen = is_near(changes[j], planted[k]);
            }
            found += seen;
        }
        tally->found += found;
        tally->whole += found == planted_count;
        tally->planted += planted_count;
        tally->told += told;
        tally->false_told += told - (found < told ? found : told);
        tally->alarmed += told > found;
    }
}

static void print_tallies(size_t histories)
{
    for (size_t i = 0; i < DETECTORS; i++) {
        const struct tally *tally = &tallies[i];
        const char *name = detectors[i].name;
        printf("%s\talarmed\t%zu\t%zu\n", name, tally->alarmed, histories);
        printf("%s\tfalse\t%zu\t%zu\n", name, tally->false_told, histories);
        if (tally->planted > 0) {
            printf("%s\tfound\t%zu\t%zu\n", name, tally->found, tally->planted);
            printf("%s\twhole\t%zu\t%zu\n", name, tally->whole, histories);
            printf("%s\tprecise\t%zu\t%zu\n", name, tally->told - tally->false_told,
                   tally->told);
        }
    }
}

/* ---- planting ---- */

static void lift(double *logs, size_t from, size_t to, double by)
{
    for (size_t i = from; i < to; i++) {
        logs[i] += by;
    }
}

/* Writes the index of the change to `planted`, and for a bump also the index of its end.
 * Steps and bumps begin in the middle half. */
static size_t plant(struct dj_random *random, const char *kind, double by, double *logs,
                    size_t count, size_t planted[PLANTS_MAX])
{
    size_t middle = count / 4 + dj_random_below(random, count / 2);
    bool bump = strcmp(kind, "bump") == 0;
    planted[0] = strcmp(kind, "end") == 0 ? count - END : middle;
    planted[1] = middle + BUMP;
    lift(logs, planted[0], bump ? planted[1] : count, by);
    return bump ? 2 : 1;
}

static void round_numbers(double *logs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        logs[i] = log(round(100 * exp(logs[i])) / 100);
    }
}

/* ---- made-up histories ---- */

static bool find_noise(const char *name, enum dj_sim_noise *noise)
{
    for (int i = 0; i < DJ_SIM_NOISES; i++) {
        if (strcmp(name, dj_sim_noise_names[i]) == 0) {
            *noise = (enum dj_sim_noise)i;
            return true;
        }
    }
    return false;
}

static int try_made(enum dj_sim_noise noise, const char *what, size_t points,
                    size_t histories)
{
    char kind[16] = "";
    double deviations = 0;
    if (sscanf(what, "%15[a-z]-%lf", kind, &deviations) != 2 &&
        strcmp(what, "none") != 0) {
        return 2;
    }
    for (size_t i = 0; i < histories; i++) {
        struct dj_random random = dj_random_of(SEED + 1000 * points, i);
        double logs[DJ_SIM_HISTORY_MAX];
        size_t planted[PLANTS_MAX];
        size_t planted_count = 0;
        dj_sim_history_fill(&random, noise, logs, points);
        if (deviations != 0) {
            planted_count =
                plant(&random, kind, deviations * dj_sim_noise_sd, logs, points, planted);
        }
        if (noise == DJ_SIM_ROUNDED) {
            round_numbers(logs, points);
        }
        count_history(logs, points, planted, planted_count);
    }
    print_tallies(histories);
    return 0;
}

/* ---- real histories ---- */

static size_t read_history(double *logs)
{
    size_t count = 0;
    double value;
    while (count < DJ_SIM_HISTORY_MAX && scanf("%lf", &value) == 1) {
        logs[count++] = log(value);
    }
    return count;
}

/* Removes the changes that dejank finds. The rest is noise as real histories have it. */
static void level(double *logs, size_t count)
{
    struct dj_change_points found;
    if (dj_change_points_find(logs, count, NULL, &found) != 0) {
        return;
    }
    for (size_t i = 0; i < found.count; i++) {
        const struct dj_change *change = &found.changes[i];
        lift(logs, change->index, change->to, found.changes[0].before - change->after);
    }
    dj_change_points_finish(&found);
}

static int try_permuted(size_t histories, double step)
{
    double real[DJ_SIM_HISTORY_MAX];
    size_t count = read_history(real);
    if (count < WINDOW) {
        fputs("changes: expected 100 numbers and more on stdin\n", stderr);
        return 4;
    }
    level(real, count);
    for (size_t i = 0; i < histories; i++) {
        struct dj_random random = dj_random_of(SEED, i);
        double logs[WINDOW];
        size_t planted[PLANTS_MAX];
        memcpy(logs, real + dj_random_below(&random, count - WINDOW + 1), sizeof(logs));
        dj_random_shuffle(&random, logs, WINDOW);
        size_t planted_count =
            step != 0 ? plant(&random, "step", log(1 + step), logs, WINDOW, planted) : 0;
        count_history(logs, WINDOW, planted, planted_count);
    }
    print_tallies(histories);
    return 0;
}

static int show_changes(void)
{
    double logs[DJ_SIM_HISTORY_MAX];
    size_t changes[DJ_SIM_HISTORY_MAX];
    size_t count = read_history(logs);
    for (size_t i = 0; i < DETECTORS; i++) {
        size_t told = detectors[i].find(logs, count, changes);
        for (size_t k = 0; k < told; k++) {
            printf("%s\t%zu\n", detectors[i].name, changes[k]);
        }
    }
    return 0;
}

static size_t number_of(const char *word)
{
    return (size_t)strtoul(word, NULL, 10);
}

int main(int argc, char **argv)
{
    enum dj_sim_noise noise;
    int status = 2;
    if (argc == 6 && strcmp(argv[1], "made") == 0 && find_noise(argv[2], &noise) &&
        number_of(argv[4]) >= DJ_HISTORY_LEAST &&
        number_of(argv[4]) <= DJ_SIM_HISTORY_MAX && number_of(argv[5]) > 0) {
        status = try_made(noise, argv[3], number_of(argv[4]), number_of(argv[5]));
    } else if (argc == 4 && strcmp(argv[1], "permuted") == 0 && number_of(argv[2]) > 0) {
        status = try_permuted(number_of(argv[2]), strtod(argv[3], NULL));
    } else if (argc == 2 && strcmp(argv[1], "of") == 0) {
        status = show_changes();
    }
    if (status == 2) {
        fputs("usage: changes made NOISE PLANT POINTS HISTORIES | permuted HISTORIES "
              "STEP | "
              "of\n",
              stderr);
    }
    return status;
}
