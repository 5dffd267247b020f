/*
 * trend: shows how a metric changed over the versions of a project, since when it has its
 * present level, which changes a person accepted, and which commits may have caused the
 * others.
 *
 * A segment is a history of one project, flow, device with its release, and
 * configuration. Nothing is joined across segments. Each batch is a point: the
 * Hodges–Lehmann centre of its runs' logarithms (of a share the pooled rate) with an
 * interval (Student's t of the logarithms; of a share the cluster-robust one).
 * stats/change_points.h finds the changes in segments of at least DJ_HISTORY_LEAST
 * points. If a figure is 0 or less, the values are used instead of logarithms, and there
 * is no ratio.
 */
#ifndef DEJANK_TREND_TREND_H
#define DEJANK_TREND_TREND_H

#include "compare/compare.h"
#include "facts/device_class.h"
#include "stats/change_points.h"
#include "store/timeline.h"

enum {
    DJ_TREND_METRICS_MAX = 8,       /* most metrics of one query */
    DJ_TREND_SEGMENTS_MAX = 20000,  /* most segments of a trend or part */
    DJ_TREND_KEY_BYTES = 17,        /* bytes of a segment's name with its NUL */
    DJ_TREND_CHANGE_ID_BYTES = 9,   /* bytes of a change's id with its NUL */
    DJ_TREND_BLESSING_DISTANCE = 2, /* most points between a change and its blessing */
    DJ_TREND_COMMITS_MAX =
        2000 /* most commits between the last good and the first bad point */
};

/* The trend owns its texts. NULL: unknown. Values are in the segment's unit. */
struct dj_trend_point {
    const char *id; /* of the batch; NULL: a point of another tool */
    const char *version, *commit, *label;
    int64_t key;        /* of the batch; else 0 */
    int64_t at_unix_ms; /* INT64_MIN: unknown */
    int64_t ordinal;
    size_t runs;            /* with this metric */
    double value;           /* the centre */
    struct dj_bounds ci;    /* at 95 %; NaN if it has fewer than two runs */
    double log;             /* the value in which changes are searched */
    const char *objectives; /* JSON of the batch; NULL: none */
};

struct dj_trend_blessing {
    const char *id, *who, *why;
    int64_t made_unix_ms;
};

struct dj_trend_change {
    char
        id[DJ_TREND_CHANGE_ID_BYTES]; /* id for `bless`: from segment, metric and point */
    size_t index;                     /* first point after it */
    size_t from, to;     /* the levels on both sides: [from, index), [index, to) */
    int direction;       /* 1: the figure rose; −1: it fell */
    double ratio;        /* after / before; NaN: there is none */
    struct dj_bounds ci; /* of the ratio, at 95 % */
    double p;
    double before, after; /* medians of both levels, in the unit */
    bool worse, better;   /* by the metric's sense; both false: it has none */
    const struct dj_trend_blessing *blessing; /* NULL: not accepted */
    /* The suspects: commits after the last good point's up to the first bad one's, newest
     * first. They come from git, else from the store. */
    const char **commits;
    size_t commit_count;
    bool from_git;
};

enum dj_trend_gap {
    DJ_TREND_WHOLE,
    DJ_TREND_FEW_POINTS, /* fewer than DJ_HISTORY_LEAST: changes were not searched */
    DJ_TREND_MANY_POINTS
};

struct dj_trend_segment {
    char key[DJ_TREND_KEY_BYTES];
    const char *project, *flow, *serial, *model, *release, *config;
    int64_t device_key; /* 0: a series of another tool */
    const char *metric; /* "frame_time_p95" */
    const char *words;  /* "p95 frame time" */
    const char *unit;   /* "ms"; "" */
    int digits;         /* after the decimal point, for display */
    bool share;         /* a rate in percent */
    bool imported;
    bool less_is_better, more_is_better;
    bool linear;  /* uses values instead of logarithms: some are 0 or less */
    double scale; /* if linear: unit of `log` */
    enum dj_trend_gap gap;
    struct dj_trend_point *points;
    size_t point_count;
    struct dj_trend_change *changes;
    size_t change_count;
    struct dj_trend_change *hints; /* smaller possible changes; they are no findings and
                                      have no id, blessing or commits */
    size_t hint_count;
    double correlation; /* of neighbouring points within levels; 0 … 0.7 */
    size_t backwards;   /* points inserted before an older one */
    struct dj_objective_line {
        bool known;
        bool at_least;      /* else at most; compares `value` */
        double bound, goal; /* in the unit; NaN: none */
        const char *by;     /* the day the goal is due; "": now */
    } objective;
};

/* The query. NULL or 0: anything. */
struct dj_trend_query {
    const char *project, *flow, *serial;
    const char *metrics[DJ_TREND_METRICS_MAX]; /* names of compare.h, of a column of the
                                              store, or of another tool's metric */
    size_t metric_count; /* 0: those that gate, and all of other tools */
    const struct dj_device_class *class;
    int64_t since_unix_ms;
    const char *repository; /* for commits; NULL: git is not used */
    const struct dj_change_rules *rules;
};

/* Initialise it with zeros. */
struct dj_trend {
    struct dj_trend_segment *segments; /* by project, flow, device, metric */
    size_t segment_count;
    const char *git_note; /* why git did not report the commits; NULL: it did */

    /* Used inside the module only. */
    struct dj_trend_blessing **blessings;
    size_t blessing_count;
    struct dj_strings texts;
};

/* Reads a trend. Returns DJ_E_USAGE for an unknown metric or too many, DJ_E_LIMIT for too
 * many segments, or an error of reading the store. An empty result is no error. Finish
 * `trend` in every case. */
int dj_trend_read(struct dj_store *store, const struct dj_trend_query *query,
                  struct dj_trend *trend, struct dj_error *err);
void dj_trend_finish(struct dj_trend *trend);

/* Totals of a trend that was read in parts. Nothing to finish. */
struct dj_trend_totals {
    size_t segments;
    size_t unclassed; /* devices excluded because their class is unknown */
    char git_note[sizeof((struct dj_error){0}.message)]; /* "": nothing */
};

/*
 * Reads the trend in parts, in the order of segments. A part has as many batch points as
 * the store best reads at once (store/timeline.h: 1000 of a file, 10 000 of a server), or
 * is one longer history. A part is freed when `callback` returns, so a store of any size
 * needs only the memory of one part and a few bytes per batch. The first error of
 * `callback` ends the reading. Parts without segments are skipped.
 */
int dj_trend_read_parts(struct dj_store *store, const struct dj_trend_query *query,
                        int (*callback)(void *user, const struct dj_trend *part),
                        void *user, struct dj_trend_totals *totals, struct dj_error *err);

/* Writes the name of a point: its version, else the first 12 characters of its commit,
 * else its label, else its time, else its place. */
enum { DJ_TREND_NAME_BYTES = 80 };
void dj_trend_format_point_name(const struct dj_trend_point *point,
                                char name[DJ_TREND_NAME_BYTES]);

/* Finds a change by its id or the beginning of its id (at least 4 characters). Returns
 * DJ_E_NO_DATA if there is none, DJ_E_USAGE if several match. */
int dj_trend_find_change(const struct dj_trend *trend, const char *word,
                         const struct dj_trend_segment **segment,
                         const struct dj_trend_change **change, struct dj_error *err);

/* Returns whether a change for the worse still holds: it is not blessed, the last level
 * of the segment is worse than before it, and no later change made up for it. */
bool dj_trend_change_holds(const struct dj_trend_segment *segment,
                           const struct dj_trend_change *change);

/* Appends the options of a plan that make figures comparable, in words: "for 10 s,
 * gesture 'scroll-down'". Leaves out what differs between builds (apk, command) and what
 * does not influence figures (retries, warm-up runs, the plan's path). */
void dj_trend_format_config(struct dj_text *text, const char *options);

#endif
