#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/compare.h"

enum { MODELS = 10, CLASSES = 3, GROUPS_MOST = MODELS * CLASSES * DJ_FLEET_SIDES };

static const char *const class_names[CLASSES] = {"high-end", "low-end", "mid-range"};

struct fleet {
    struct dj_fleet_group groups[GROUPS_MOST], of_class[CLASSES];
    char names[MODELS][8];
    struct dj_fleet_result result, standard;
    struct dj_fleet_compare_rules rules;
    struct dj_fleet_comparison comparison;
};

static double draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-53;
}

/* Adds a session of 60 frames of about `ms`, of which a twentieth is janky. */
static void add_session(struct dj_fleet_group *group, double ms, uint64_t *state)
{
    for (int i = 0; i < 60; i++) {
        double frame_ms = ms * (0.6 + 0.8 * draw(state));
        group->times[dj_frame_bucket((int64_t)(frame_ms * 1e6))]++;
        group->slow += frame_ms > 16;
    }
    group->sessions++;
    group->frames += 60;
    group->timed_frames += 60;
    group->janky += 2 + (int64_t)(3 * draw(state));
    group->janky_of += 60;
    group->slow_of += 60;
    group->frozen_of += 60;
}

static struct dj_fleet_group *get_group(struct fleet *fleet, size_t class, size_t model,
                                        size_t side)
{
    return &fleet->groups[(class * MODELS + model) * DJ_FLEET_SIDES + side];
}

/* Fills three classes. Version 2 is slower by these factors. */
static void fill(struct fleet *fleet, const double slower[CLASSES], uint64_t seed)
{
    uint64_t state = seed;
    memset(fleet, 0, sizeof(*fleet));
    dj_fleet_compare_rules_init(&fleet->rules);
    for (size_t class = 0; class < CLASSES; class ++) {
        fleet->of_class[class].key[0] = (char *)class_names[class];
        fleet->of_class[class].sessions = 100 * (int64_t)(class + 1);
        for (size_t model = 0; model < MODELS; model++) {
            double ms = 8 * (double)(class + 1) * (0.8 + 0.4 * draw(&state));
            snprintf(fleet->names[model], sizeof(fleet->names[model]), "m%zu", model);
            for (size_t side = 0; side < DJ_FLEET_SIDES; side++) {
                struct dj_fleet_group *group = get_group(fleet, class, model, side);
                group->key[0] = (char *)class_names[class];
                group->key[1] = fleet->names[model];
                group->key[2] = side == 0 ? "1" : "2";
                for (int i = 0; i < 8 + (int)(10 * draw(&state)); i++) {
                    add_session(group, ms * (side == 1 ? slower[class] : 1), &state);
                }
            }
        }
    }
    fleet->result =
        (struct dj_fleet_result){.groups = fleet->groups, .count = GROUPS_MOST};
    fleet->standard =
        (struct dj_fleet_result){.groups = fleet->of_class, .count = CLASSES};
}

static void compare(struct fleet *fleet, const char *from, const char *to)
{
    struct dj_error err = {0};
    dj_fleet_comparison_finish(&fleet->comparison);
    cr_assert_eq(dj_fleet_compare(&fleet->result, &fleet->standard, from, to,
                                  &fleet->rules, &fleet->comparison, &err),
                 0, "%s", err.message);
}

static const double NO_CHANGE[CLASSES] = {1, 1, 1};

static const struct dj_effect *get_effect(const struct fleet *fleet, size_t metric)
{
    return &fleet->comparison.members[metric].effect;
}

Test(fleet_compare, a_slower_class_is_named)
{
    static const double slower[CLASSES] = {1, 1.3, 1};
    static struct fleet fleet;
    fill(&fleet, slower, 3);
    compare(&fleet, "1", "2");
    cr_expect_eq(fleet.comparison.verdict.verdict, DJ_VERDICT_REGRESSION);
    cr_assert_not_null(fleet.comparison.leading_class);
    cr_expect_str_eq(fleet.comparison.leading_class->name, "low-end");
    double ratio = fleet.comparison.leading_class->members[DJ_FLEET_P50].effect.ratio;
    cr_expect(ratio > 1.25 && ratio < 1.35, "%g", ratio);
    dj_fleet_comparison_finish(&fleet.comparison);
}

Test(fleet_compare, a_change_of_all_classes_names_no_class)
{
    static const double slower[CLASSES] = {1.4, 1.4, 1.4};
    static struct fleet fleet;
    fill(&fleet, slower, 4);
    compare(&fleet, "1", "2");
    cr_expect_eq(fleet.comparison.verdict.verdict, DJ_VERDICT_REGRESSION);
    cr_expect_null(fleet.comparison.leading_class);
    dj_fleet_comparison_finish(&fleet.comparison);
}

Test(fleet_compare, exchanged_versions_reverse_the_result)
{
    static const double slower[CLASSES] = {1.1, 1.2, 1};
    static struct fleet fleet;
    double log_ratio[DJ_FLEET_METRICS], p[DJ_FLEET_METRICS];
    fill(&fleet, slower, 5);
    compare(&fleet, "1", "2");
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        log_ratio[i] = log(get_effect(&fleet, i)->ratio);
        p[i] = get_effect(&fleet, i)->p;
    }
    compare(&fleet, "2", "1");
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        if (get_effect(&fleet, i)->refusal == DJ_EFFECT_NO_REFUSAL) {
            cr_expect(fabs(log(get_effect(&fleet, i)->ratio) + log_ratio[i]) < 1e-12);
            cr_expect(fabs(get_effect(&fleet, i)->p - p[i]) < 1e-9);
        }
    }
    dj_fleet_comparison_finish(&fleet.comparison);
}

/* Repeating every session of a class in version 2 changes the mix of this version, but
 * neither its distributions nor the weights of the classes. */
Test(fleet_compare, the_mix_of_a_version_does_not_change_the_combination)
{
    static const double slower[CLASSES] = {1, 1.2, 1};
    static struct fleet fleet;
    fill(&fleet, slower, 6);
    for (size_t model = 0; model < MODELS; model++) {
        struct dj_fleet_group *a = get_group(&fleet, 1, model, 0);
        struct dj_fleet_group *b = get_group(&fleet, 1, model, 1);
        a->sessions = b->sessions = 10;
    }
    compare(&fleet, "1", "2");
    double before = get_effect(&fleet, DJ_FLEET_P95)->ratio;
    for (size_t model = 0; model < MODELS; model++) {
        struct dj_fleet_group *group = get_group(&fleet, 1, model, 1);
        int64_t *const sums[] = {&group->sessions, &group->frames,   &group->timed_frames,
                                 &group->janky,    &group->janky_of, &group->slow,
                                 &group->slow_of,  &group->frozen_of};
        for (size_t i = 0; i < COUNT_OF(sums); i++) {
            *sums[i] *= 50;
        }
        for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
            group->times[i] *= 50;
        }
    }
    compare(&fleet, "1", "2");
    cr_expect(fabs(get_effect(&fleet, DJ_FLEET_P95)->ratio / before - 1) < 1e-9);
    dj_fleet_comparison_finish(&fleet.comparison);
}

/* In version 2 the slow models have fifty times as many sessions. */
Test(fleet_compare, the_mix_of_models_in_a_class_does_not_look_like_a_change)
{
    static struct fleet fleet;
    uint64_t state = 77;
    fill(&fleet, NO_CHANGE, 7);
    for (size_t class = 0; class < CLASSES; class ++) {
        for (size_t model = 0; model < MODELS; model++) {
            struct dj_fleet_group *b = get_group(&fleet, class, model, 1);
            double ms = (10 + (double)model) * (double)(class + 1);
            struct dj_fleet_group *a = get_group(&fleet, class, model, 0);
            memset(a->times, 0, sizeof(a->times));
            memset(b->times, 0, sizeof(b->times));
            a->timed_frames = b->timed_frames = 0;
            for (size_t i = 0; i < 5 + 20 * (MODELS - model); i++) {
                add_session(a, ms, &state);
            }
            for (size_t i = 0; i < 5 + 20 * model; i++) {
                add_session(b, ms, &state);
            }
        }
    }
    compare(&fleet, "1", "2");
    cr_expect(fleet.comparison.verdict.verdict == DJ_VERDICT_EQUIVALENT ||
              fleet.comparison.verdict.verdict == DJ_VERDICT_INCONCLUSIVE);
    cr_expect(fabs(log(get_effect(&fleet, DJ_FLEET_P50)->ratio)) < 0.03, "%g",
              get_effect(&fleet, DJ_FLEET_P50)->ratio);
    dj_fleet_comparison_finish(&fleet.comparison);
}

Test(fleet_compare, sessions_that_are_not_compared_are_counted)
{
    static struct fleet fleet;
    fill(&fleet, NO_CHANGE, 8);
    for (size_t model = 4; model < MODELS; model++) {
        get_group(&fleet, 0, model, 1)->key[2] = "3"; /* Four models remain. */
    }
    get_group(&fleet, 1, 0, 0)->key[1] = get_group(&fleet, 1, 0, 1)->key[1] = "";
    compare(&fleet, "1", "2");
    const struct dj_fleet_comparison *found = &fleet.comparison;
    cr_expect(found->compared_count == 2 && found->class_count == 3);
    const struct dj_fleet_class *last = &found->classes[2];
    cr_expect_str_eq(last->name, "high-end");
    cr_expect(!last->is_compared && last->model_count == 4 && last->weight == 0);
    cr_expect(last->models_of[DJ_FLEET_FROM] == 10 && last->models_of[DJ_FLEET_TO] == 4);
    cr_expect(last->compared[0] == 0 && last->sessions[0] > 0);
    cr_expect_eq(found->sessions[0] - found->compared[0],
                 last->sessions[0] + get_group(&fleet, 1, 0, 0)->sessions);
    cr_expect(fabs(found->classes[0].weight + found->classes[1].weight - 1) < 1e-15);
    cr_expect_str_eq(found->classes[0].name, "mid-range"); /* 300 of 500 sessions */
    cr_expect_eq(found->classes[0].weight, 0.6);
    dj_fleet_comparison_finish(&fleet.comparison);
}

Test(fleet_compare, one_class_is_judged_once)
{
    static const double slower[CLASSES] = {1.05, 1, 1};
    static struct fleet fleet;
    fill(&fleet, slower, 9);
    fleet.result.count = (size_t)MODELS * DJ_FLEET_SIDES;
    compare(&fleet, "1", "2");
    const struct dj_fleet_class *class = &fleet.comparison.classes[0];
    cr_expect_eq(fleet.comparison.verdict.gating, 3);
    cr_expect_eq(class->weight, 1);
    cr_expect_eq(get_effect(&fleet, DJ_FLEET_P95)->ratio,
                 class->members[DJ_FLEET_P95].effect.ratio);
    dj_fleet_comparison_finish(&fleet.comparison);
}

Test(fleet_compare, unsuitable_metrics_are_refused_with_the_reason)
{
    static struct fleet fleet;
    fill(&fleet, NO_CHANGE, 10);
    for (size_t i = 0; i < GROUPS_MOST; i++) {
        struct dj_fleet_group *group = &fleet.groups[i];
        group->slow_of = i / DJ_FLEET_SIDES % MODELS < 4 ? group->slow_of : 0;
        group->janky_of = 0;
        memset(group->times, 0, sizeof(group->times));
        group->times[0] = (uint64_t)group->timed_frames;
    }
    compare(&fleet, "1", "2");
    cr_expect_eq(get_effect(&fleet, DJ_FLEET_JANKY)->refusal, DJ_EFFECT_UNKNOWN);
    cr_expect_eq(get_effect(&fleet, DJ_FLEET_SLOW)->refusal, DJ_EFFECT_FEW_MODELS);
    cr_expect_eq(get_effect(&fleet, DJ_FLEET_FROZEN)->refusal, DJ_EFFECT_FEW_EVENTS);
    cr_expect_eq(get_effect(&fleet, DJ_FLEET_P95)->refusal, DJ_EFFECT_FIRST_BUCKET);
    cr_expect_eq(fleet.comparison.verdict.gating, 0);
    cr_expect_eq(fleet.comparison.verdict.verdict, DJ_VERDICT_INCONCLUSIVE);
    cr_expect_eq(fleet.comparison.leading, DJ_FLEET_METRICS);
    dj_fleet_comparison_finish(&fleet.comparison);
}

Test(fleet_compare, a_version_without_sessions_is_an_error)
{
    static struct fleet fleet;
    struct dj_error err = {0};
    fill(&fleet, NO_CHANGE, 11);
    cr_expect_eq(dj_fleet_compare(&fleet.result, &fleet.standard, "1", "9", &fleet.rules,
                                  &fleet.comparison, &err),
                 DJ_E_NO_DATA);
    cr_expect_str_eq(err.message, "there is no session of version '9'");
    dj_fleet_comparison_finish(&fleet.comparison);
}

Test(fleet_compare, options_set_the_rules)
{
    static const char *const metrics[] = {"p99=10%, slow", "frozen_sessions=2"};
    struct dj_fleet_compare_rules rules;
    struct dj_error err = {0};
    cr_assert_eq(dj_fleet_parse_compare_rules(metrics, 2, "0.3", "1%", &rules, &err), 0,
                 "%s", err.message);
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        bool gates =
            i == DJ_FLEET_P99 || i == DJ_FLEET_SLOW || i == DJ_FLEET_FROZEN_SESSIONS;
        cr_expect_eq(rules.gates[i], gates, "%zu", i);
    }
    cr_expect(rules.margin[DJ_FLEET_P99] == 0.1 && rules.margin[DJ_FLEET_SLOW] == 0.3 &&
              rules.margin[DJ_FLEET_FROZEN_SESSIONS] == 0.02 && rules.alpha == 0.01);
    cr_assert_eq(dj_fleet_parse_compare_rules(NULL, 0, NULL, NULL, &rules, &err), 0);
    cr_expect(rules.gates[DJ_FLEET_P50] && rules.gates[DJ_FLEET_P95] &&
              rules.gates[DJ_FLEET_JANKY] && !rules.gates[DJ_FLEET_P99] &&
              rules.alpha == 0.05 && rules.margin[DJ_FLEET_P99] == 0.1);
}

Test(fleet_compare, bad_options_are_refused)
{
    static const char *const bad[] = {
        "", "p42", "p95,", "p95=", "p95=x", "p95=0", "p95,p95", "p95=5%%"};
    struct dj_fleet_compare_rules rules;
    struct dj_error err = {0};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        cr_expect_eq(dj_fleet_parse_compare_rules(&bad[i], 1, NULL, NULL, &rules, &err),
                     DJ_E_USAGE, "%s", bad[i]);
    }
    cr_expect_eq(dj_fleet_parse_compare_rules(NULL, 0, "-1", NULL, &rules, &err),
                 DJ_E_USAGE);
    cr_expect_eq(dj_fleet_parse_compare_rules(NULL, 0, NULL, "0.5", &rules, &err),
                 DJ_E_USAGE);
}
