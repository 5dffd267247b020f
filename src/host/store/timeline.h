/*
 * A store over time: its batches in the order they were made with what tells one history
 * from another, a few figures of each run, figures of other tools, and the shifts that
 * somebody accepted. What a trend is made of (trend/trend.h). Takers: as in browse.h;
 * those of batches and runs must not read from the same struct dj_history either.
 */
#ifndef DEJANK_STORE_TIMELINE_H
#define DEJANK_STORE_TIMELINE_H

#include "store/browse.h"
#include "store/series.h"

/* NULL or 0: any. All that are set must hold. */
struct dj_timeline_filter {
    const char *project, *flow, *serial; /* flow: a batch's name */
    int64_t since_unix_ms;
    bool any_order;   /* of the batches, else as they were made: quicker */
    const char *keys; /* of batches, with commas between: these alone, and what else is
                         set does not count */
};

struct dj_timeline_batch {
    int64_t key, device_key, began_unix_ms;
    const char *id, *project, *flow, *kind;
    const char *version, *commit, *label;
    const char *serial, *model, *release;
    const char *device; /* of all that is told of the device: the same in every store */
    const char *options, *objectives; /* JSON */
};

/* Those that are not excluded, in the order they were made. */
int dj_history_each_timeline_batch(struct dj_history *history,
                                   const struct dj_timeline_filter *filter,
                                   int (*take)(void *user,
                                               const struct dj_timeline_batch *batch),
                                   void *user, struct dj_error *err);

/* How many batches a part of a store had best have that is read by their keys: a file is
 * read by them as fast as from one end to the other; a server had rather go through whole
 * tables once. */
size_t dj_history_at_once(const struct dj_history *history);

enum { DJ_TIMELINE_METRICS = 64 };

/* The metrics of each run that counts, of the whole of it, in the order asked for (at
 * most DJ_TIMELINE_METRICS); the runs come in no order. */
int dj_history_each_timeline_run(struct dj_history *history,
                                 const struct dj_timeline_filter *filter,
                                 const enum dj_metric *metrics, size_t metric_count,
                                 int (*take)(void *user, int64_t batch,
                                             const double *values),
                                 void *user, struct dj_error *err);

/* The commits of a project's batches, and of other tools' figures, between two moments:
 * the newest first, a commit as often as it was measured. */
int dj_history_each_commit_between(struct dj_history *history, const char *project,
                                   int64_t after_unix_ms, int64_t before_unix_ms,
                                   int (*take)(void *user, const char *commit),
                                   void *user, struct dj_error *err);

/* Of one history the newest batches before a moment. */
struct dj_past_filter {
    const char *project, *flow; /* flow: a batch's name */
    int64_t device_key, before_unix_ms;
    int64_t least_runs; /* that count; a batch with fewer is passed over */
    int64_t most;       /* batches */
};

/* The same of their runs: the newest batch first, each one's runs together and in the
 * order they were made. */
int dj_history_each_past_run(struct dj_history *history,
                             const struct dj_past_filter *filter,
                             const enum dj_metric *metrics, size_t metric_count,
                             int (*take)(void *user, int64_t batch, const double *values),
                             void *user, struct dj_error *err);

/* The statement of the runs, with the parameters it has: what a test looks at the plan
 * of. Appends. */
void dj_timeline_runs_sql(struct dj_text *sql, const struct dj_timeline_filter *filter,
                          const enum dj_metric *metrics, size_t metric_count);

/* All histograms of one kind of a batch's runs that count, together. The caller finishes
 * *histogram; empty: unknown. */
int dj_history_batch_histogram(struct dj_history *history, int64_t batch,
                               enum dj_histogram_kind kind,
                               struct dj_histogram *histogram, struct dj_error *err);

/* ---- figures of other tools ---- */

/* What became of them. */
struct dj_series_stored {
    int64_t series, points; /* new */
    int64_t known_points;   /* were there already */
};

/*
 * Puts all of a file in, or nothing: project NULL is no project's name. Points that are
 * there already stay as they are. DJ_E_INVALID: a series of the store has another unit,
 * or times where these have none, or other values at the same places; err says which.
 */
int dj_history_put_series(struct dj_history *history, const char *project,
                          const struct dj_series_file *file, const char *source,
                          struct dj_series_stored *stored, struct dj_error *err);

struct dj_series_of_store {
    int64_t key;
    int64_t points;
    const char *identity, *project, *metric, *unit;
    enum dj_series_sense sense;
    const char *flow, *device, *release, *config;
};

/* By project, metric, and in the order they came. `serial` of the filter is the series'
 * device. */
int dj_history_each_series(struct dj_history *history,
                           const struct dj_timeline_filter *filter,
                           int (*take)(void *user,
                                       const struct dj_series_of_store *series),
                           void *user, struct dj_error *err);

/* By time, or place. */
int dj_history_each_point(struct dj_history *history, int64_t series,
                          int (*take)(void *user, const struct dj_series_point *point),
                          void *user, struct dj_error *err);

/* ---- accepted shifts ---- */

struct dj_blessing {
    const char *id; /* 16 characters; given by dj_history_bless() */
    const char *project, *metric;
    const char *segment;  /* of which history; NULL: of each */
    bool up;              /* the figure rose */
    int64_t from_unix_ms; /* of the first point after it; INT64_MIN: it has no time */
    int64_t from_ordinal; /* … its place then; −1 */
    const char *from_point;
    const char *who, *why;
    int64_t made_unix_ms;
    const char *withdrawn; /* why it holds no more; NULL: it holds */
};

/* Adds one; its id goes into `id`. DJ_E_NO_DATA: there is no such project. */
int dj_history_bless(struct dj_history *history, const struct dj_blessing *blessing,
                     char id[DJ_HISTORY_ID], struct dj_error *err);

/* Takes one back, by its id or the beginning of it (4 characters and more). It stays,
 * with the reason. DJ_E_NO_DATA: there is none that holds; DJ_E_USAGE: several. */
int dj_history_unbless(struct dj_history *history, const char *id, const char *why,
                       struct dj_error *err);

/* project NULL: all. Oldest first, with those that were withdrawn. */
int dj_history_each_blessing(struct dj_history *history, const char *project,
                             int (*take)(void *user, const struct dj_blessing *blessing),
                             void *user, struct dj_error *err);

#endif
