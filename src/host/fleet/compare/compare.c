#include "fleet/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

/* The keys of the groups, in the order of the query. */
enum { KEY_CLASS, KEY_DEVICE, KEY_VERSION };

static int order_groups(const void *a, const void *b)
{
    const struct dj_fleet_group *const *one = a, *const *other = b;
    int order = 0;
    for (size_t i = 0; i <= KEY_VERSION && order == 0; i++) {
        order = strcmp((*one)->key[i], (*other)->key[i]);
    }
    return order;
}

/* Returns the groups by class, model and version. The caller frees the array. */
static const struct dj_fleet_group **sort_groups(const struct dj_fleet_result *result)
{
    const struct dj_fleet_group **sorted = dj_xcalloc(result->count + 1, sizeof(*sorted));
    for (size_t i = 0; i < result->count; i++) {
        sorted[i] = &result->groups[i];
    }
    qsort(sorted, result->count, sizeof(*sorted), order_groups);
    return sorted;
}

/* Adds the sessions of a model to the class. Sessions without a model are not compared,
 * because they are of unknown devices. */
static void add_model(struct dj_fleet_class *class,
                      const struct dj_fleet_group *const side[DJ_FLEET_SIDES])
{
    const struct dj_fleet_group *any =
        side[DJ_FLEET_FROM] != NULL ? side[DJ_FLEET_FROM] : side[DJ_FLEET_TO];
    bool has_name = any->key[KEY_DEVICE][0] != '\0';
    for (size_t i = 0; i < DJ_FLEET_SIDES; i++) {
        class->sessions[i] += side[i] != NULL ? side[i]->sessions : 0;
        class->models_of[i] += has_name && side[i] != NULL;
    }
    if (has_name && side[DJ_FLEET_FROM] != NULL && side[DJ_FLEET_TO] != NULL) {
        double n = (double)side[DJ_FLEET_FROM]->sessions;
        double m = (double)side[DJ_FLEET_TO]->sessions;
        struct dj_fleet_model model = {{side[DJ_FLEET_FROM], side[DJ_FLEET_TO]},
                                       n * m / (n + m)};
        DJ_XPUSH(class->models, class->model_count, model);
        class->compared[DJ_FLEET_FROM] += side[DJ_FLEET_FROM]->sessions;
        class->compared[DJ_FLEET_TO] += side[DJ_FLEET_TO]->sessions;
    }
}

static struct dj_fleet_class *find_class(struct dj_fleet_comparison *comparison,
                                         const char *name)
{
    size_t count = comparison->class_count;
    if (count == 0 || strcmp(comparison->classes[count - 1].name, name) != 0) {
        struct dj_fleet_class class = {.name = name};
        DJ_XPUSH(comparison->classes, comparison->class_count, class);
    }
    return &comparison->classes[comparison->class_count - 1];
}

static bool is_same_model(const struct dj_fleet_group *one,
                          const struct dj_fleet_group *other)
{
    return strcmp(one->key[KEY_CLASS], other->key[KEY_CLASS]) == 0 &&
           strcmp(one->key[KEY_DEVICE], other->key[KEY_DEVICE]) == 0;
}

static void collect_classes(const struct dj_fleet_result *result, const char *from,
                            const char *to, struct dj_fleet_comparison *comparison)
{
    const struct dj_fleet_group **sorted = sort_groups(result);
    size_t next = 0;
    for (size_t i = 0; i < result->count; i = next) {
        const struct dj_fleet_group *side[DJ_FLEET_SIDES] = {NULL, NULL};
        for (next = i; next < result->count && is_same_model(sorted[i], sorted[next]);
             next++) {
            const char *version = sorted[next]->key[KEY_VERSION];
            side[DJ_FLEET_FROM] =
                strcmp(version, from) == 0 ? sorted[next] : side[DJ_FLEET_FROM];
            side[DJ_FLEET_TO] =
                strcmp(version, to) == 0 ? sorted[next] : side[DJ_FLEET_TO];
        }
        if (side[DJ_FLEET_FROM] != NULL || side[DJ_FLEET_TO] != NULL) {
            add_model(find_class(comparison, sorted[i]->key[KEY_CLASS]), side);
        }
    }
    free(sorted);
}

static double count_sessions(const struct dj_fleet_result *standard, const char *class)
{
    double sessions = 0;
    for (size_t i = 0; i < standard->count; i++) {
        bool is_class = strcmp(standard->groups[i].key[KEY_CLASS], class) == 0;
        sessions += is_class ? (double)standard->groups[i].sessions : 0;
    }
    return sessions;
}

static int order_classes(const void *a, const void *b)
{
    const struct dj_fleet_class *one = a, *other = b;
    int order = other->is_compared - one->is_compared;
    if (order == 0) {
        order = (one->weight < other->weight) - (one->weight > other->weight);
    }
    return order != 0 ? order : strcmp(one->name, other->name);
}

static void weigh_classes(const struct dj_fleet_result *standard,
                          struct dj_fleet_comparison *comparison)
{
    double sum = 0;
    for (size_t i = 0; i < comparison->class_count; i++) {
        struct dj_fleet_class *class = &comparison->classes[i];
        class->is_compared = class->model_count >= DJ_FLEET_MODELS_LEAST;
        if (class->is_compared) {
            class->weight = fmax(1, count_sessions(standard, class->name));
            sum += class->weight;
            comparison->compared_count++;
        }
        for (size_t side = 0; side < DJ_FLEET_SIDES; side++) {
            class->compared[side] = class->is_compared ? class->compared[side] : 0;
            comparison->sessions[side] += class->sessions[side];
            comparison->compared[side] += class->compared[side];
        }
    }
    for (size_t i = 0; i < comparison->class_count; i++) {
        comparison->classes[i].weight /= sum > 0 ? sum : 1;
    }
    qsort(comparison->classes, comparison->class_count, sizeof(*comparison->classes),
          order_classes);
}

static void combine_metric(struct dj_fleet_comparison *comparison, size_t metric)
{
    struct dj_weighted_mean *parts =
        dj_xcalloc(comparison->compared_count, sizeof(*parts));
    double *weights = dj_xcalloc(comparison->compared_count, sizeof(*weights));
    struct dj_effect_estimate *all = &comparison->estimate[metric];
    double sum = 0;
    size_t count = 0;
    *all = (struct dj_effect_estimate){
        .refusal = comparison->classes[0].estimate[metric].refusal};
    for (size_t i = 0; i < comparison->compared_count; i++) {
        const struct dj_fleet_class *class = &comparison->classes[i];
        const struct dj_effect_estimate *one = &class->estimate[metric];
        if (one->refusal == DJ_EFFECT_NO_REFUSAL) {
            parts[count] = one->log_ratio;
            weights[count++] = class->weight;
            sum += class->weight;
            all->a += class->weight * one->a;
            all->b += class->weight * one->b;
            all->n_a += one->n_a;
            all->n_b += one->n_b;
        }
    }
    all->a = count > 0 ? all->a / sum : NAN;
    all->b = count > 0 ? all->b / sum : NAN;
    if (count > 0) {
        all->refusal = DJ_EFFECT_NO_REFUSAL;
        dj_xcheck(dj_weighted_mean_combine(parts, weights, count, &all->log_ratio) == 0);
    }
    free(parts);
    free(weights);
}

static void estimate_all(struct dj_fleet_comparison *comparison)
{
    for (size_t i = 0; i < comparison->compared_count; i++) {
        struct dj_fleet_class *class = &comparison->classes[i];
        dj_fleet_estimate_class(class->models, class->model_count, class->estimate);
    }
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        combine_metric(comparison, i);
    }
}

static void set_members(const struct dj_fleet_compare_rules *rules,
                        const struct dj_effect_estimate *estimates,
                        struct dj_family_member *members)
{
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        members[i] = (struct dj_family_member){.estimate = &estimates[i],
                                               .rules = {.margin = rules->margin[i]},
                                               .gates = rules->gates[i]};
    }
}

/* Judges the classes and, if there are several, the combination as one family. With one
 * class, the combination is that class and must not be counted twice. */
static int judge(struct dj_fleet_comparison *comparison, struct dj_error *err)
{
    const struct dj_fleet_compare_rules *rules = &comparison->rules;
    size_t classes = comparison->compared_count;
    struct dj_family_member *all =
        dj_xcalloc((classes + 1) * DJ_FLEET_METRICS, sizeof(*all));
    comparison->members = all;
    for (size_t i = 0; i < classes; i++) {
        struct dj_fleet_class *class = &comparison->classes[i];
        class->members = &all[(i + 1) * DJ_FLEET_METRICS];
        set_members(rules, class->estimate, class->members);
    }
    set_members(rules, comparison->estimate, all);
    size_t first = classes > 1 ? 0 : DJ_FLEET_METRICS;
    int code =
        dj_compare_family_judge(all + first, (classes + 1) * DJ_FLEET_METRICS - first,
                                rules->alpha, &comparison->verdict, err);
    if (first > 0) {
        memcpy(all, all + first, DJ_FLEET_METRICS * sizeof(*all));
    }
    for (size_t i = 0; i < classes; i++) {
        dj_compare_family_combine(comparison->classes[i].members, DJ_FLEET_METRICS,
                                  &comparison->classes[i].verdict);
    }
    return code;
}

/* Returns the metric with this verdict and the least p, or DJ_FLEET_METRICS. */
static size_t find_leading(const struct dj_family_member *members,
                           enum dj_compare_verdict verdict)
{
    size_t leading = DJ_FLEET_METRICS;
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        const struct dj_effect *effect = &members[i].effect;
        if (members[i].gates && effect->verdict == verdict &&
            !dj_compare_refusal_drops_out(effect->refusal) &&
            (leading == DJ_FLEET_METRICS || effect->p < members[leading].effect.p)) {
            leading = i;
        }
    }
    return leading;
}

/* Returns 1 if the verdict is worse, −1 if it is better, or 0. */
static int get_direction(enum dj_compare_verdict verdict)
{
    bool is_worse =
        verdict == DJ_VERDICT_REGRESSION || verdict == DJ_VERDICT_LIKELY_REGRESSION;
    bool is_better =
        verdict == DJ_VERDICT_IMPROVEMENT || verdict == DJ_VERDICT_LIKELY_IMPROVEMENT;
    return is_worse - is_better;
}

static bool has_direction(const struct dj_family_member *members, int direction)
{
    bool has = false;
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        has |= members[i].gates && get_direction(members[i].effect.verdict) == direction;
    }
    return has;
}

/* A change in only some of the classes is named with the class in which it is most
 * certain. */
static void choose_leading(struct dj_fleet_comparison *comparison)
{
    enum dj_compare_verdict verdict = comparison->verdict.contradictory
                                          ? DJ_VERDICT_REGRESSION
                                          : comparison->verdict.verdict;
    int direction = get_direction(verdict);
    size_t changed = 0;
    double least_p = INFINITY;
    const struct dj_fleet_class *most_certain = NULL;
    for (size_t i = 0; i < comparison->compared_count; i++) {
        const struct dj_fleet_class *class = &comparison->classes[i];
        size_t metric = find_leading(class->members, verdict);
        changed += has_direction(class->members, direction);
        if (metric < DJ_FLEET_METRICS && class->members[metric].effect.p < least_p) {
            least_p = class->members[metric].effect.p;
            most_certain = class;
        }
    }
    size_t of_all = find_leading(comparison->members, verdict);
    bool is_partial = direction != 0 && changed < comparison->compared_count;
    if (of_all == DJ_FLEET_METRICS || is_partial) {
        comparison->leading_class = most_certain;
    }
    comparison->leading = comparison->leading_class != NULL
                              ? find_leading(comparison->leading_class->members, verdict)
                              : of_all;
}

static int check_sessions(const struct dj_fleet_comparison *comparison, const char *from,
                          const char *to, struct dj_error *err)
{
    for (size_t i = 0; i < DJ_FLEET_SIDES; i++) {
        if (comparison->sessions[i] == 0) {
            return dj_error_set(err, DJ_E_NO_DATA,
                                "there is no session of version '%.80s'",
                                i == DJ_FLEET_FROM ? from : to);
        }
    }
    return 0;
}

int dj_fleet_compare(const struct dj_fleet_result *groups,
                     const struct dj_fleet_result *standard, const char *from,
                     const char *to, const struct dj_fleet_compare_rules *rules,
                     struct dj_fleet_comparison *comparison, struct dj_error *err)
{
    *comparison =
        (struct dj_fleet_comparison){.rules = *rules, .leading = DJ_FLEET_METRICS};
    collect_classes(groups, from, to, comparison);
    weigh_classes(standard, comparison);
    int code = check_sessions(comparison, from, to, err);
    comparison->verdict.verdict = DJ_VERDICT_INCONCLUSIVE;
    if (code == 0 && comparison->compared_count > 0) {
        estimate_all(comparison);
        code = judge(comparison, err);
    }
    if (code == 0 && comparison->compared_count > 0) {
        choose_leading(comparison);
    }
    return code;
}

void dj_fleet_comparison_finish(struct dj_fleet_comparison *comparison)
{
    for (size_t i = 0; i < comparison->class_count; i++) {
        free(comparison->classes[i].models);
    }
    free(comparison->classes);
    free(comparison->members);
    *comparison = (struct dj_fleet_comparison){0};
}
