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
    /* Least number of models with sessions of both versions in a class that is
     * compared. */
    DJ_FLEET_MODELS_LEAST = 5
};

/* The metrics, in display order. */
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
    const char *name;       /* Name in JSON and options: "frame_time_p95". */
    const char *short_name; /* "p95". */
    const char *words;      /* Name for people: "p95 frame time". */
    const char *unit;       /* "ms" or "%". */
    double quantile;        /* 0.95, or 0 for a share. */
    double margin;          /* Default margin. */
    bool gates;             /* Decides the verdict by default. */
    /* For a share: offsets of the count and of its total in struct dj_fleet_group. The
     * counter is unknown if the number at `known` is 0. */
    size_t count, of, known;
};
extern const struct dj_fleet_metric dj_fleet_metrics[DJ_FLEET_METRICS];

struct dj_fleet_compare_rules {
    double alpha; /* As in struct dj_compare_rules. */
    double margin[DJ_FLEET_METRICS];
    bool gates[DJ_FLEET_METRICS];
};

/* Sets the defaults. */
void dj_fleet_compare_rules_init(struct dj_fleet_compare_rules *rules);

/* Parses the options --metric (each is NAME[=MARGIN], separated by commas), --margin and
 * --alpha of `dejank compare`. NULL is not given. Returns DJ_E_USAGE if one is
 * invalid. */
int dj_fleet_parse_compare_rules(const char *const *metrics, size_t metric_count,
                                 const char *margin, const char *alpha,
                                 struct dj_fleet_compare_rules *rules,
                                 struct dj_error *err);

enum { DJ_FLEET_FROM, DJ_FLEET_TO, DJ_FLEET_SIDES };

/* A model with sessions of both versions. */
struct dj_fleet_model {
    const struct dj_fleet_group *side[DJ_FLEET_SIDES];
    double weight;
};

struct dj_fleet_class {
    const char *name; /* "" is unknown. Belongs to a group. */
    struct dj_fleet_model *models;
    size_t model_count;
    size_t models_of[DJ_FLEET_SIDES]; /* Known models with sessions of a version. */
    int64_t sessions[DJ_FLEET_SIDES]; /* All sessions. */
    int64_t compared[DJ_FLEET_SIDES]; /* Sessions of `models`. */
    double weight;                    /* 0 … 1, or 0 if not compared. */
    bool is_compared;
    struct dj_effect_estimate estimate[DJ_FLEET_METRICS];
    struct dj_family_member *members; /* By metric. NULL if not compared. */
    struct dj_family_verdict verdict;
};

/* Zero it before use. It refers to the groups of the query, which must outlive it. */
struct dj_fleet_comparison {
    struct dj_fleet_compare_rules rules;
    struct dj_fleet_class *classes; /* Compared ones first, then by weight. */
    size_t class_count, compared_count;
    int64_t sessions[DJ_FLEET_SIDES], compared[DJ_FLEET_SIDES];
    /* All compared classes together. */
    struct dj_effect_estimate estimate[DJ_FLEET_METRICS];
    struct dj_family_member *members; /* By metric. */
    struct dj_family_verdict verdict; /* The answer, over classes and combination. */
    /* The metric and the class that the answer names. The class is NULL for all
     * classes. */
    size_t leading;
    const struct dj_fleet_class *leading_class;
};

/* Compares two versions. `groups` are the answer by class, device and version, and
 * `standard` the answer by class for all versions. Returns DJ_E_NO_DATA if a version has
 * no session. It is no error if no class can be compared. The caller finishes the
 * comparison in every case. */
int dj_fleet_compare(const struct dj_fleet_result *groups,
                     const struct dj_fleet_result *standard, const char *from,
                     const char *to, const struct dj_fleet_compare_rules *rules,
                     struct dj_fleet_comparison *comparison, struct dj_error *err);
void dj_fleet_comparison_finish(struct dj_fleet_comparison *comparison);

/* ---- a part of dj_fleet_compare() ---- */

/* Computes the effect of each metric from models with sessions of both versions. */
void dj_fleet_estimate_class(const struct dj_fleet_model *models, size_t count,
                             struct dj_effect_estimate estimate[DJ_FLEET_METRICS]);

#endif
