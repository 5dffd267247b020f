/*
 * trend: shows how a metric changed over the versions of a project. It finds since when a
 * metric has its present level, which changes a person accepted (blessed), and which
 * commits may have caused the other changes.
 *
 * A segment is the history of a metric for one project, flow, device with its release,
 * and configuration. Segments are never joined. Each batch is a point: the Hodges–Lehmann
 * centre of the logarithms of its runs with an interval by Student's t. For a share, the
 * point is the pooled rate with a cluster-robust interval. If a figure is 0 or less,
 * values are used instead of logarithms, and there are no ratios. stats/change_points.h
 * finds the changes in segments of at least DJ_HISTORY_LEAST points. A level is the range
 * of points between two changes.
 */
#ifndef DEJANK_TREND_TREND_H
#define DEJANK_TREND_TREND_H

#include "compare/compare.h"
#include "facts/device_class.h"
#include "stats/change_points.h"
#include "store/timeline.h"

enum {
    DJ_TREND_METRICS_MAX = 8, /* Maximum number of metrics of one query. */
    /* Maximum number of segments of a trend or of a part. */
    DJ_TREND_SEGMENTS_MAX = 20000,
    DJ_TREND_KEY_BYTES = 17,      /* Size of a segment's key with its NUL. */
    DJ_TREND_CHANGE_ID_BYTES = 9, /* Size of a change's id with its NUL. */
    /* Maximum number of points between a change and its blessing. */
    DJ_TREND_BLESSING_DISTANCE = 2,
    /* Maximum number of commits between the last good and the first bad point. */
    DJ_TREND_COMMITS_MAX = 2000
};

/* A point of a segment. The trend owns its texts, which are NULL if unknown. Values are
 * in the segment's unit. */
struct dj_trend_point {
    const char *id; /* Id of the batch, or NULL for a point of another tool. */
    const char *version, *commit, *label;
    int64_t key;        /* Key of the batch, or 0 for a point of another tool. */
    int64_t at_unix_ms; /* Time of the measurement, or INT64_MIN if unknown. */
    int64_t ordinal;
    size_t runs;  /* Number of runs with this metric. */
    double value; /* The centre of the runs. */
    /* 95 % confidence interval of the centre. NaN if there are fewer than two runs. */
    struct dj_bounds ci;
    /* The value in which changes are searched: a logarithm, unless the segment is
     * linear. */
    double log;
    /* The objectives of the batch as JSON, or NULL if there are none. */
    const char *objectives;
};

struct dj_trend_blessing {
    const char *id, *who, *why;
    int64_t made_unix_ms;
};

struct dj_trend_change {
    /* The id for `dejank history bless`: a hash of segment, metric and point. */
    char id[DJ_TREND_CHANGE_ID_BYTES];
    size_t index; /* Index of the first point after the change. */
    /* The level before the change is [from, index), the level after it [index, to). */
    size_t from, to;
    int direction; /* 1 if the figure rose, −1 if it fell. */
    /* Ratio of the levels after and before the change, or NaN if there is none. */
    double ratio;
    struct dj_bounds ci; /* 95 % confidence interval of the ratio. */
    double p;
    double before, after; /* Medians of the two levels in the segment's unit. */
    /* Whether the change is for the worse or for the better. Both are false if neither
     * direction of the metric is better. */
    bool worse, better;
    /* The blessing of the change, or NULL if no person accepted it. */
    const struct dj_trend_blessing *blessing;
    /* The commits that may have caused the change, newest first: the commits after the
     * last good point up to the first bad point. The commits are from git if from_git is
     * true, else from the store. */
    const char **commits;
    size_t commit_count;
    bool from_git;
};

enum dj_trend_gap {
    DJ_TREND_WHOLE,
    /* Fewer than DJ_HISTORY_LEAST points, so changes were not searched. */
    DJ_TREND_FEW_POINTS,
    DJ_TREND_MANY_POINTS
};

struct dj_trend_segment {
    char key[DJ_TREND_KEY_BYTES];
    const char *project, *flow, *serial, *model, *release, *config;
    int64_t device_key; /* Key of the device, or 0 for a series of another tool. */
    const char *metric; /* Stable name: "frame_time_p95". */
    const char *words;  /* Name for people: "p95 frame time". */
    const char *unit;   /* Unit such as "ms", or "" if there is none. */
    int digits;         /* Number of displayed digits after the decimal point. */
    bool share;         /* True for a rate in percent. */
    bool imported;
    bool less_is_better, more_is_better;
    /* True if some values are 0 or less, so that values are used instead of
     * logarithms. */
    bool linear;
    double scale; /* Unit of the points' `log` if `linear` is true. */
    enum dj_trend_gap gap;
    struct dj_trend_point *points;
    size_t point_count;
    struct dj_trend_change *changes;
    size_t change_count;
    /* Smaller changes that are possible but not certain. They have no id, blessing or
     * commits. */
    struct dj_trend_change *hints;
    size_t hint_count;
    /* Correlation of neighbouring points within levels, 0 … 0.7. */
    double correlation;
    /* Number of points that were stored earlier than the previous point, although they
     * are newer. */
    size_t backwards;
    struct dj_objective_line {
        bool known;
        bool at_least; /* True for "at least the bound", false for "at most". */
        /* The bound and the goal in the segment's unit, or NaN if there is none. */
        double bound, goal;
        const char *by; /* The goal is due after this day, or now if the text is "". */
    } objective;
};

/* A query. A member that is NULL or 0 does not limit the result. */
struct dj_trend_query {
    const char *project, *flow, *serial;
    const char *build; /* The version, label or commit of a build. */
    /* Names of metrics: names of compare.h, columns of the store, or metrics of other
     * tools. */
    const char *metrics[DJ_TREND_METRICS_MAX];
    /* Number of metrics, or 0 for the metrics that gate by default and all metrics of
     * other tools. */
    size_t metric_count;
    const struct dj_device_class *class;
    int64_t since_unix_ms;
    /* Path of the git repository, or NULL to use only the commits in the store. */
    const char *repository;
    const struct dj_change_rules *rules;
};

/* A trend. Zero the struct before use. */
struct dj_trend {
    /* The segments, sorted by project, flow, device and metric. */
    struct dj_trend_segment *segments;
    size_t segment_count;
    /* The reason why git did not report commits, or NULL if there was no error. */
    const char *git_note;

    /* The following members are for use inside the module only. */
    struct dj_trend_blessing **blessings;
    size_t blessing_count;
    struct dj_strings texts;
};

/* Reads a trend. Returns DJ_E_USAGE if a metric is unknown or there are too many,
 * DJ_E_LIMIT if there are too many segments, or an error of the store. An empty result is
 * no error. Call dj_trend_finish() in every case. */
int dj_trend_read(struct dj_store *store, const struct dj_trend_query *query,
                  struct dj_trend *trend, struct dj_error *err);
void dj_trend_finish(struct dj_trend *trend);

/* Totals of a trend that was read in parts. The struct owns no memory. */
struct dj_trend_totals {
    size_t segments;
    /* Number of devices that were excluded because their class is unknown. */
    size_t unclassed;
    /* The reason why git did not report commits, or "". */
    char git_note[sizeof((struct dj_error){0}.message)];
};

/* Reads the trend in parts, in the order of segments. A part has about as many batches as
 * dj_store_batches_per_query() returns, or is one longer segment. `callback` receives
 * each part, which is freed after the call. So a store of any size needs only the memory
 * of one part and a few bytes per batch. The first error of `callback` ends the reading.
 * Parts without segments are skipped. */
int dj_trend_read_parts(struct dj_store *store, const struct dj_trend_query *query,
                        int (*callback)(void *user, const struct dj_trend *part),
                        void *user, struct dj_trend_totals *totals, struct dj_error *err);

/* Writes the name of a point: its version, else the first 12 characters of its commit,
 * else its label, else its time, else its ordinal. */
enum { DJ_TREND_NAME_BYTES = 80 };
void dj_trend_format_point_name(const struct dj_trend_point *point,
                                char name[DJ_TREND_NAME_BYTES]);

/* Finds a change by its id or by at least 4 characters of the beginning of its id.
 * Returns DJ_E_NO_DATA if there is no such change, or DJ_E_USAGE if several match. */
int dj_trend_find_change(const struct dj_trend *trend, const char *word,
                         const struct dj_trend_segment **segment,
                         const struct dj_trend_change **change, struct dj_error *err);

/* A person accepts a change. */
struct dj_trend_acceptance {
    const char *change; /* The id of the change, as for dj_trend_find_change(). */
    const char *who, *why;
    bool all_devices; /* The change is accepted on all devices, flows, configurations. */
};

/* Stores that a person accepts a change of the trend, as blessing `id`. Sets *segment and
 * *change, which belong to the trend. Returns DJ_E_USAGE if the change is already
 * accepted, or an error of dj_trend_find_change() or of the store. */
int dj_trend_bless(struct dj_store *store, const struct dj_trend *trend,
                   const struct dj_trend_acceptance *acceptance,
                   const struct dj_trend_segment **segment,
                   const struct dj_trend_change **change, char id[DJ_STORE_ID_BYTES],
                   struct dj_error *err);

/* Returns whether the change is a change for the worse that is still in effect: the
 * change is not blessed, and the last level of the segment has not recovered more than
 * half of the change. */
bool dj_trend_change_holds(const struct dj_trend_segment *segment,
                           const struct dj_trend_change *change);

/* Appends the options of a plan that must be equal for figures to be comparable, as text:
 * "for 10 s, gesture 'scroll-down'". Options that differ between builds (apk, command) or
 * do not influence figures (retries, warm-up runs, the plan's path) are omitted. */
void dj_trend_format_config(struct dj_text *text, const char *options);

#endif
