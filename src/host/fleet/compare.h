/*
 * Compares two versions of an app within classes of devices. It answers for users whose
 * devices are the same in both versions, so that a version that is on faster devices does
 * not look faster.
 *
 * The independent unit is the device model: sessions of one model depend on each other.
 * Only models with sessions of both versions are compared. Within a class, both versions
 * get the same weight for a model, nm / (n + m) with its n and m sessions. This gives two
 * distributions of frame times with the same mix of models, and the effect of the class
 * is the logarithm of the ratio of their figures. Its standard error comes from the
 * differences between models (stats/weighted_mean.h). For a percentile, it is the
 * standard error of the share of frames below the percentile, converted to time by the
 * inverse of both distributions (Woodruff 1952). Times within a bucket are interpolated.
 *
 * The effects of the classes are combined with one weight per class: its share of all
 * sessions of the app, of any version. compare/effect.h has the verdicts, and
 * compare/family.h judges all classes, the combination and all metrics as one family.
 *
 * The functions are pure and deterministic.
 */
#ifndef DEJANK_FLEET_COMPARE_H
#define DEJANK_FLEET_COMPARE_H

#include "compare/family.h"
#include "fleet/query.h"

enum {
    /* Minimum number of models with sessions of both versions. A class with fewer models
     * is not compared. */
    DJ_FLEET_MODELS_LEAST = 5
};

/* The metrics of a comparison, in display order. */
enum dj_fleet_metric_id {
    DJ_FLEET_P50,
    DJ_FLEET_P90,
    DJ_FLEET_P95,
    DJ_FLEET_P99,
    DJ_FLEET_JANKY,
    DJ_FLEET_SLOW,
    DJ_FLEET_FROZEN,
    DJ_FLEET_SLOW_SESSIONS,
    DJ_FLEET_FROZEN_SESSIONS,
    DJ_FLEET_METRICS
};

struct dj_fleet_metric {
    const char *name;       /* Name in JSON and options, for example "frame_time_p95". */
    const char *short_name; /* Short name for tables, for example "p95". */
    const char *words;      /* Name for users, for example "p95 frame time". */
    const char *unit;       /* Unit of the shown values: "ms" or "%". */
    /* Quantile of the frame times, for example 0.95. 0 if the metric is a share of
     * frames. */
    double quantile;
    double margin; /* Default margin: a smaller change counts as no change. */
    bool gates;    /* True if the metric decides the verdict by default. */
    /* For a share of frames: offsets in struct dj_fleet_group of the number of counted
     * frames, of the number of all frames, and of a number that is 0 if the counter is
     * unknown. */
    size_t count, of, known;
};
extern const struct dj_fleet_metric dj_fleet_metrics[DJ_FLEET_METRICS];

struct dj_fleet_compare_rules {
    double alpha; /* Significance level, as in struct dj_compare_rules. */
    double margin[DJ_FLEET_METRICS];
    bool gates[DJ_FLEET_METRICS];
};

/* Sets the default rules. */
void dj_fleet_compare_rules_init(struct dj_fleet_compare_rules *rules);

/* Sets the rules from the options --metric, --margin and --alpha of `dejank fleet
 * compare`. An element of `metrics` is a list of NAME or NAME=MARGIN, separated by
 * commas. An option is NULL if the user has not given it. Returns DJ_E_USAGE if an option
 * is invalid. */
int dj_fleet_parse_compare_rules(const char *const *metrics, size_t metric_count,
                                 const char *margin, const char *alpha,
                                 struct dj_fleet_compare_rules *rules,
                                 struct dj_error *err);

enum { DJ_FLEET_FROM, DJ_FLEET_TO, DJ_FLEET_SIDES };

/* A device model with sessions of both versions. */
struct dj_fleet_model {
    const struct dj_fleet_group *side[DJ_FLEET_SIDES];
    double weight;
};

struct dj_fleet_class {
    /* Name of the class, or "" if unknown. A group of the query owns the string. */
    const char *name;
    struct dj_fleet_model *models;
    size_t model_count;
    /* For each version, number of known models that have sessions of it. */
    size_t models_of[DJ_FLEET_SIDES];
    /* For each version, number of all sessions in the class. */
    int64_t sessions[DJ_FLEET_SIDES];
    /* For each version, number of sessions of the models in `models`. */
    int64_t compared[DJ_FLEET_SIDES];
    /* Weight of the class in the combination, from 0 to 1. 0 if the class is not
     * compared. */
    double weight;
    bool is_compared;
    struct dj_effect_estimate estimate[DJ_FLEET_METRICS];
    /* Test results, indexed by metric. NULL if the class is not compared. */
    struct dj_family_member *members;
    struct dj_family_verdict verdict;
};

/* The result of a comparison. It refers to the groups of the query, which must exist as
 * long as the result. Zero the struct before use. */
struct dj_fleet_comparison {
    struct dj_fleet_compare_rules rules;
    /* Classes. Compared ones come first, sorted by weight. */
    struct dj_fleet_class *classes;
    size_t class_count, compared_count;
    int64_t sessions[DJ_FLEET_SIDES], compared[DJ_FLEET_SIDES];
    /* Combined effect over all compared classes, for each metric. */
    struct dj_effect_estimate estimate[DJ_FLEET_METRICS];
    /* Test results of the combination, indexed by metric. */
    struct dj_family_member *members;
    /* The answer: the verdict over all classes and their combination. */
    struct dj_family_verdict verdict;
    /* The metric and the class that the answer names. The class is NULL if the answer is
     * about all classes together. */
    size_t leading;
    const struct dj_fleet_class *leading_class;
};

/* Compares two versions. `groups` is a query result grouped by class, device and version.
 * `standard` is a query result grouped by class, over all versions. Returns DJ_E_NO_DATA
 * if a version has no session. If no class can be compared, this is no error. The caller
 * finishes the comparison even after an error. */
int dj_fleet_compare(const struct dj_fleet_result *groups,
                     const struct dj_fleet_result *standard, const char *from,
                     const char *to, const struct dj_fleet_compare_rules *rules,
                     struct dj_fleet_comparison *comparison, struct dj_error *err);
void dj_fleet_comparison_finish(struct dj_fleet_comparison *comparison);

/* Computes the effect of each metric within one class, from the models with sessions of
 * both versions. */
void dj_fleet_estimate_class(const struct dj_fleet_model *models, size_t count,
                             struct dj_effect_estimate estimate[DJ_FLEET_METRICS]);

#endif
