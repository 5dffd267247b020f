/*
 * fleets CASE MODELS COMPARISONS: compares two versions of a made-up fleet with three
 * classes of MODELS device models each, as `dejank fleet compare` does: p50, p95 and jank
 * rate of each class and of all classes as one family. Writes a row to stdout for each
 * rate: what, metric (`all` for the whole verdict), count, total.
 *
 * CASE names the mix of devices, and what changed:
 *   same-mix    both versions have the same mix, and nothing changed
 *   shifted     version A is mostly on fast devices, version B mostly on slow ones, both
 *               between classes and within each class; nothing changed
 *   rollout     as shifted, and B has 5 % of the sessions
 *   popular     as shifted, and half of a class's sessions are of one model
 *   sparse      as shifted, and a model has 8 sessions per version instead of 40
 *   two-classes as shifted, and half of the models also have sessions in the next class,
 *               because devices of a model differ in memory: 30 % of those of version A
 *               and 70 % of those of version B
 *   slower-10   as shifted, and B is a tenth slower everywhere
 *   slower-low  as shifted, and B is a fifth slower in the slow class only
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/compare.h"
#include "random.h"

enum {
    SEED = 2300,
    CLASSES = 3,
    MODELS_MAX = 100,
    /* A model has sessions in one or two classes. */
    GROUPS_MAX = CLASSES * MODELS_MAX * DJ_FLEET_SIDES * 2,
    FRAMES = 30 /* Per session. Few, because the frames of a session are correlated. */
};

static const char *const class_names[CLASSES] = {"high-end", "mid-range", "low-end"};
static const double CLASS_MS[CLASSES] = {9, 14, 22};
/* Share of each class in the sessions of A and of B if the mix is shifted. */
static const double MIX[DJ_FLEET_SIDES][CLASSES] = {{0.7, 0.2, 0.1}, {0.1, 0.2, 0.7}};
/* Standard deviations (of ln) between models, between the two versions of a model, and
 * between sessions. */
static const double MODEL_SD = 0.2, VERSION_SD = 0.03, SESSION_SD = 0.25;
static const double FRAME_SD = 0.3, JANK_SHARE = 0.04, JANK_TIMES = 2.5;
/* If the mix is shifted: a model that is one sd slower is more frequent in B by this
 * factor (ln). */
static const double TILT = 1.0;
/* For a model with two classes: share of its sessions in the second one, for A and B. */
static const double SECOND_SHARE[DJ_FLEET_SIDES] = {0.3, 0.7};

struct fleet_case {
    const char *name;
    bool is_shifted;
    double sessions; /* Mean number of sessions of a model and version. */
    double of_b;     /* Number of sessions of B per session of A. */
    bool popular;    /* True if half of a class's sessions are of one model. */
    double slower;   /* Factor of B's times in the slow class, or in all classes. */
    bool all_slower;
    bool has_two_classes; /* True if half of the models have two classes. */
};
static const struct fleet_case cases[] = {
    {"same-mix", false, 40, 1, false, 1, false, false},
    {"shifted", true, 40, 1, false, 1, false, false},
    {"rollout", true, 40, 0.05, false, 1, false, false},
    {"popular", true, 40, 1, true, 1, false, false},
    {"sparse", true, 8, 1, false, 1, false, false},
    {"two-classes", true, 40, 1, false, 1, false, true},
    {"slower-10", true, 40, 1, false, 1.1, true, false},
    {"slower-low", true, 40, 1, false, 1.2, false, false},
};

enum outcome {
    DIRECTION,  /* a direction */
    REGRESSION, /* a regression */
    WORSE,      /* a regression or a likely one */
    NAMED,      /* WORSE, and the leading class is the slow one */
    NAIVE,      /* p95 of all sessions together differs by more than the margin */
    OUTCOMES
};
static const char *const outcome_names[OUTCOMES] = {"direction", "regression", "worse",
                                                    "named", "naive"};
static size_t counts[OUTCOMES];
/* The combined estimate of each metric, judged alone at 5 %: how often its p reports a
 * change, and how often its interval contains the true value. */
static size_t alone[DJ_FLEET_METRICS], covered[DJ_FLEET_METRICS];

struct fleet {
    struct dj_fleet_group groups[GROUPS_MAX], of_class[CLASSES];
    char names[CLASSES][MODELS_MAX][24];
    size_t count;
};

static void add_session(struct dj_random *random, double ms, struct dj_fleet_group *group)
{
    int64_t slow = 0, janky = 0, frozen = 0;
    double session = ms * exp(SESSION_SD * dj_random_normal(random));
    double jank = JANK_SHARE * dj_random_gamma(random, 2);
    for (int i = 0; i < FRAMES; i++) {
        bool is_janky = dj_random_uniform(random) < jank;
        double frame_ms = session * exp(FRAME_SD * dj_random_normal(random)) *
                          (is_janky ? JANK_TIMES : 1);
        group->times[dj_frame_bucket((int64_t)(frame_ms * 1e6))]++;
        janky += is_janky;
        slow += frame_ms > 16;
        frozen += frame_ms > 700;
    }
    group->sessions++;
    group->frames += FRAMES;
    group->timed_frames += FRAMES;
    group->janky += janky;
    group->janky_of += FRAMES;
    group->slow += slow;
    group->slow_of += FRAMES;
    group->frozen += frozen;
    group->frozen_of += FRAMES;
    group->slow_sessions += 4 * slow > FRAMES;
    group->frozen_sessions += frozen > 0;
}

static double count_sessions(const struct fleet_case *one, size_t class, size_t side,
                             double speed, size_t models)
{
    double mix = one->is_shifted ? MIX[side][class] * CLASSES : 1;
    double tilt = one->is_shifted ? exp((side == 1 ? 0.5 : -0.5) * TILT * speed) : 1;
    double popular = one->popular && models > 0 ? (double)models : 1;
    return one->sessions * mix * tilt * popular * (side == 1 ? one->of_b : 1);
}

/* Adds the sessions of a model and version in up to two classes. */
static void fill_groups(struct dj_random *random, size_t side, double ms, double drawn,
                        size_t class, size_t class_count, const char *model,
                        struct fleet *fleet)
{
    struct dj_fleet_group *groups = &fleet->groups[fleet->count];
    for (size_t i = 0; i < class_count; i++) {
        groups[i] =
            (struct dj_fleet_group){.key = {(char *)class_names[class + i], (char *)model,
                                            side == 0 ? "A" : "B"}};
    }
    for (double i = 0; i < drawn; i++) {
        bool is_second =
            class_count > 1 && dj_random_uniform(random) < SECOND_SHARE[side];
        add_session(random, ms, &groups[is_second]);
    }
    for (size_t i = 0; i < class_count; i++) {
        fleet->of_class[class + i].sessions += groups[i].sessions;
        if (groups[i].sessions > 0) {
            fleet->groups[fleet->count++] = groups[i];
        }
    }
}

static void fill_model(struct dj_random *random, const struct fleet_case *one,
                       size_t class, size_t model, size_t models, struct fleet *fleet)
{
    double speed = dj_random_normal(random);
    double size = exp(0.7 * dj_random_normal(random));
    double model_ms = CLASS_MS[class] * exp(MODEL_SD * speed);
    bool has_second = one->has_two_classes && model % 2 == 0 && class + 1 < CLASSES;
    for (size_t side = 0; side < DJ_FLEET_SIDES; side++) {
        bool is_slower = side == 1 && (one->all_slower || class == CLASSES - 1);
        double ms = model_ms * exp(VERSION_SD * dj_random_normal(random)) *
                    (is_slower ? one->slower : 1);
        double sessions =
            size * count_sessions(one, class, side, speed, model == 0 ? models : 0);
        double drawn = dj_random_poisson(random, sessions);
        fill_groups(random, side, ms, drawn, class, has_second ? 2 : 1,
                    fleet->names[class][model], fleet);
    }
}

static void fill_fleet(struct dj_random *random, const struct fleet_case *one,
                       size_t models, struct fleet *fleet)
{
    fleet->count = 0;
    for (size_t class = 0; class < CLASSES; class ++) {
        fleet->of_class[class] =
            (struct dj_fleet_group){.key = {(char *)class_names[class]}};
    }
    for (size_t class = 0; class < CLASSES; class ++) {
        for (size_t model = 0; model < models; model++) {
            snprintf(fleet->names[class][model], sizeof(fleet->names[class][model]),
                     "%s %zu", class_names[class], model);
            fill_model(random, one, class, model, models, fleet);
        }
    }
}

/* Returns whether the p95 of all sessions differs by more than the margin. A query
 * without classes shows this p95 of each version. */
static bool differs_naively(const struct fleet *fleet)
{
    struct dj_fleet_group all[DJ_FLEET_SIDES] = {{.sessions = 0}};
    for (size_t i = 0; i < fleet->count; i++) {
        struct dj_fleet_group *sum = &all[fleet->groups[i].key[2][0] - 'A'];
        sum->timed_frames += fleet->groups[i].timed_frames;
        for (size_t bucket = 0; bucket < DJ_FRAME_BUCKETS; bucket++) {
            sum->times[bucket] += fleet->groups[i].times[bucket];
        }
    }
    double ratio = dj_fleet_percentile_ms(&all[1], 95) / dj_fleet_percentile_ms(all, 95);
    return fabs(log(ratio)) > log1p(dj_fleet_metrics[DJ_FLEET_P95].margin);
}

static void note(const struct fleet_case *one, const struct dj_fleet_comparison *found)
{
    enum dj_compare_verdict verdict = found->verdict.verdict;
    bool is_worse =
        verdict == DJ_VERDICT_REGRESSION || verdict == DJ_VERDICT_LIKELY_REGRESSION;
    const struct dj_fleet_class *class = found->leading_class;
    counts[DIRECTION] +=
        found->verdict.contradictory ||
        (verdict != DJ_VERDICT_INCONCLUSIVE && verdict != DJ_VERDICT_EQUIVALENT);
    counts[REGRESSION] += verdict == DJ_VERDICT_REGRESSION;
    counts[WORSE] += is_worse;
    counts[NAMED] +=
        is_worse && class != NULL && strcmp(class->name, class_names[CLASSES - 1]) == 0;
    double truth = one->all_slower ? log(one->slower) : 0;
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        const struct dj_effect_estimate *estimate = &found->estimate[i];
        struct dj_effect_rules rules = {.margin = 0.05, .alpha = 0.05};
        struct dj_effect effect;
        if (estimate->refusal == DJ_EFFECT_NO_REFUSAL &&
            dj_compare_judge_estimate(estimate, &rules, &effect, NULL) == 0) {
            alone[i] += effect.p <= 0.05;
            covered[i] += log(effect.ci.low) <= truth && truth <= log(effect.ci.high);
        }
    }
}

static void compare(const struct fleet_case *one, size_t models, size_t number)
{
    static struct fleet fleet;
    struct dj_random random = dj_random_of(SEED + models, number);
    struct dj_fleet_compare_rules rules;
    struct dj_fleet_comparison comparison;
    dj_fleet_compare_rules_init(&rules);
    fill_fleet(&random, one, models, &fleet);
    struct dj_fleet_result groups = {.groups = fleet.groups, .count = fleet.count};
    struct dj_fleet_result standard = {.groups = fleet.of_class, .count = CLASSES};
    if (dj_fleet_compare(&groups, &standard, "A", "B", &rules, &comparison, NULL) != 0) {
        fputs("fleets: a comparison failed\n", stderr);
        exit(5);
    }
    counts[NAIVE] += differs_naively(&fleet);
    note(one, &comparison);
    dj_fleet_comparison_finish(&comparison);
}

int main(int argc, char **argv)
{
    const struct fleet_case *one = NULL;
    size_t models = argc == 4 ? (size_t)strtoul(argv[2], NULL, 10) : 0;
    size_t comparisons = argc == 4 ? (size_t)strtoul(argv[3], NULL, 10) : 0;
    for (size_t i = 0; i < COUNT_OF(cases) && argc == 4; i++) {
        one = strcmp(cases[i].name, argv[1]) == 0 ? &cases[i] : one;
    }
    if (one == NULL || models == 0 || models > MODELS_MAX || comparisons == 0) {
        fputs("usage: fleets CASE MODELS COMPARISONS\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < comparisons; i++) {
        compare(one, models, i);
    }
    for (int outcome = 0; outcome < OUTCOMES; outcome++) {
        printf("%s\tall\t%zu\t%zu\n", outcome_names[outcome], counts[outcome],
               comparisons);
    }
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        const char *name = dj_fleet_metrics[i].short_name;
        printf("alone\t%s\t%zu\t%zu\n", name, alone[i], comparisons);
        printf("covered\t%s\t%zu\t%zu\n", name, covered[i], comparisons);
    }
    return 0;
}
