/*
 * Trends: how a metric went over the versions of a project, since when it stands where it
 * does, which shifts somebody accepted, and where to look for what made the others.
 *
 * A history is of one project, flow, device with its release, and configuration: a
 * segment, and nothing is joined across segments. Each batch is a point: the
 * Hodges–Lehmann centre of its runs' logarithms (of a share the pooled rate) with an
 * interval (Student's t of the logarithms; of a share the cluster-robust one). Changes
 * are found by stats/change_points.h in segments of DJ_HISTORY_LEAST points and more.
 * Where a figure is 0 or less its values stand for themselves: then there is no ratio.
 */
#ifndef DEJANK_TREND_TREND_H
#define DEJANK_TREND_TREND_H

#include "compare/compare.h"
#include "facts/device_class.h"
#include "stats/change_points.h"
#include "store/timeline.h"

enum {
    DJ_TREND_METRICS = 8,        /* asked for at once */
    DJ_TREND_SEGMENTS = 20000,   /* of one trend, or part */
    DJ_TREND_KEY = 17,           /* a segment's name with its NUL */
    DJ_TREND_CHANGE = 9,         /* a change's */
    DJ_TREND_NEAR = 2,           /* points between a change and the blessing of it */
    DJ_TREND_COMMITS_MOST = 2000 /* between the last good and the first bad */
};

/* Texts are the trend's; NULL: unknown. Values are in the segment's unit. */
struct dj_trend_point {
    const char *id; /* of the batch; NULL: of another tool's figures */
    const char *version, *commit, *label;
    int64_t key;        /* of the batch; 0 */
    int64_t at_unix_ms; /* INT64_MIN: nobody knows */
    int64_t ordinal;
    size_t runs;            /* with this metric */
    double value;           /* the centre */
    struct dj_bounds ci;    /* at 95 %; NaN where it has fewer than two runs */
    double log;             /* what changes are looked for in */
    const char *objectives; /* JSON of the batch; NULL */
};

struct dj_trend_blessing {
    const char *id, *who, *why;
    int64_t made_unix_ms;
};

struct dj_trend_change {
    char id[DJ_TREND_CHANGE]; /* what `bless` calls it: of segment, metric and point */
    size_t index;             /* first point after it */
    size_t from, to;          /* of the segments it parts: [from, index), [index, to) */
    int direction;            /* 1: the figure rose */
    double ratio;             /* after / before; NaN: there is none */
    struct dj_bounds ci;      /* of the ratio, at 95 % */
    double p;
    double before, after; /* medians of the two, in the unit */
    bool worse, better;   /* by the metric's sense; neither: it has none */
    const struct dj_trend_blessing *blessing; /* NULL: nobody accepted it */
    /* Where to look: commits after the last good point's up to the first bad one's, as
     * git has them, newest first; else those the store knows of between. */
    const char **commits;
    size_t commit_count;
    bool from_git;
};

enum dj_trend_gap {
    DJ_TREND_WHOLE,
    DJ_TREND_FEW_POINTS, /* fewer than DJ_HISTORY_LEAST: no changes were looked for */
    DJ_TREND_MANY_POINTS
};

struct dj_trend_segment {
    char key[DJ_TREND_KEY];
    const char *project, *flow, *serial, *model, *release, *config;
    int64_t device_key; /* 0: of another tool */
    const char *metric; /* "frame_time_p95" */
    const char *words;  /* "p95 frame time" */
    const char *unit;   /* "ms"; "" */
    int digits;         /* behind the point, for people */
    bool share;         /* a rate in percent */
    bool imported;
    bool less_is_better, more_is_better;
    bool linear;  /* values as they are: some are 0 or less */
    double scale; /* of linear ones: unit of `log` */
    enum dj_trend_gap gap;
    struct dj_trend_point *points;
    size_t point_count;
    struct dj_trend_change *changes;
    size_t change_count;
    struct dj_trend_change *hints; /* smaller changes that may be there; no findings, and
                                      without id, blessing and commits */
    size_t hint_count;
    double correlation; /* of neighbouring points beside the changes; 0 … 0.7 */
    size_t backwards;   /* points put in before one that is older than they are */
    struct dj_objective_line {
        bool known;
        bool at_least;      /* else at most; of `value` */
        double bound, goal; /* in the unit; NaN: none */
        const char *by;     /* the day the goal is due; "" */
    } objective;
};

/* What is asked for. NULL or 0: anything. */
struct dj_trend_query {
    const char *project, *flow, *serial;
    const char *metrics[DJ_TREND_METRICS]; /* names of compare.h, of a column of the
                                              store, or of another tool's metric */
    size_t metric_count; /* 0: those that gate, and all of other tools */
    const struct dj_device_class *class;
    int64_t since_unix_ms;
    const char *repository; /* for commits; NULL: no git is asked */
    const struct dj_change_rules *rules;
};

/* Zero it. */
struct dj_trend {
    struct dj_trend_segment *segments; /* by project, flow, device, metric */
    size_t segment_count;
    const char *git_note; /* why git did not tell the commits; NULL */

    /* The inside. */
    struct dj_trend_blessing **blessings;
    size_t blessing_count;
    struct dj_strings texts;
};

/* DJ_E_USAGE: no such metric, or too many; DJ_E_LIMIT; and what reading the store says.
 * Nothing found is no error. Finish it in every case. */
int dj_trend_read(struct dj_history *history, const struct dj_trend_query *query,
                  struct dj_trend *trend, struct dj_error *err);
void dj_trend_finish(struct dj_trend *trend);

/* What is told of a trend once all of it was read; nothing to finish. */
struct dj_trend_told {
    size_t segments;
    size_t unclassed; /* devices whose class nobody can tell, and left out for it */
    char git_note[sizeof((struct dj_error){0}.message)]; /* "": nothing */
};

/*
 * The same in parts, one after the other in the order of segments: each of as many points
 * of batches as the store had best be asked for at once (store/timeline.h: 1000 of a
 * file, 10 000 of a server), or of a single longer history. A part is taken back once
 * `take` returns, so that a store of any length takes no more memory than such a part
 * and a few bytes a batch. The first error of `take` ends it. A part that has no segment
 * is not told.
 */
int dj_trend_each_part(struct dj_history *history, const struct dj_trend_query *query,
                       int (*take)(void *user, const struct dj_trend *part), void *user,
                       struct dj_trend_told *told, struct dj_error *err);

/* What a point is called: its version, else its commit's first 12 characters, else its
 * label, else when it was, else its place. */
enum { DJ_TREND_NAME = 80 };
void dj_trend_point_name(const struct dj_trend_point *point, char name[DJ_TREND_NAME]);

/* The segment's change that a word of a person means: its id, or the beginning of it (4
 * characters and more). DJ_E_NO_DATA, DJ_E_USAGE where several begin so. */
int dj_trend_find_change(const struct dj_trend *trend, const char *word,
                         const struct dj_trend_segment **segment,
                         const struct dj_trend_change **change, struct dj_error *err);

/* Whether a shift to the worse that nobody accepted still stands: the last level of the
 * segment is worse than before it, and no later change made it good again. */
bool dj_trend_stands(const struct dj_trend_segment *segment,
                     const struct dj_trend_change *change);

/* What of a plan's options makes figures comparable, as words: "for 10 s, gesture
 * 'scroll-down'". What differs between builds (apk, command) and what changes no figure
 * (retries, warm-up runs, where the plan lies) is left out. Pure; appends. */
void dj_trend_config(struct dj_text *text, const char *options);

#endif
