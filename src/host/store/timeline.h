/*
 * Reads a store over time: its batches in the order of measurement with the properties
 * that separate histories, a few figures of each run, figures of other tools, and
 * accepted changes. trend/trend.h builds trends from these. Callbacks follow the rules of
 * browse.h. The callbacks for batches and runs must not read from the same struct
 * dj_store either.
 */
#ifndef DEJANK_STORE_TIMELINE_H
#define DEJANK_STORE_TIMELINE_H

#include "store/browse.h"
#include "store/series.h"

/* Selects batches. A batch must match all members that are set. NULL or 0 matches any. */
struct dj_timeline_filter {
    const char *project, *flow, *serial; /* flow: a batch's name */
    int64_t since_unix_ms;
    bool any_order;   /* batches in any order, which is faster; else in the order of
                         measurement */
    const char *keys; /* keys of batches, separated by commas: selects exactly these and
                         ignores the other members */
};

struct dj_timeline_batch {
    int64_t key, device_key, began_unix_ms;
    const char *id, *project, *flow, *kind;
    const char *version, *commit, *label;
    const char *serial, *model, *release;
    const char *device; /* hash of everything known of the device; equal in every store */
    const char *options, *objectives; /* JSON */
};

/* Calls `callback` for each batch that is not excluded, in the order of measurement. */
int dj_store_read_timeline_batches(struct dj_store *store,
                                   const struct dj_timeline_filter *filter,
                                   int (*callback)(void *user,
                                                   const struct dj_timeline_batch *batch),
                                   void *user, struct dj_error *err);

/* Returns how many batches are best read in one query by key. A file is read by key as
 * fast as sequentially. A server is faster with one scan of whole tables. */
size_t dj_store_batches_per_query(const struct dj_store *store);

enum { DJ_TIMELINE_METRICS_MAX = 64 };

/* Calls `callback` with the requested metrics (at most DJ_TIMELINE_METRICS_MAX) of each
 * run that counts, over the whole run. The runs come in no order. */
int dj_store_read_timeline_runs(struct dj_store *store,
                                const struct dj_timeline_filter *filter,
                                const enum dj_metric *metrics, size_t metric_count,
                                int (*callback)(void *user, int64_t batch,
                                                const double *values),
                                void *user, struct dj_error *err);

/* Calls `callback` for the commits of a project's batches and of other tools' figures
 * between two times, newest first. A commit comes once per measurement. */
int dj_store_read_commits_between(struct dj_store *store, const char *project,
                                  int64_t after_unix_ms, int64_t before_unix_ms,
                                  int (*callback)(void *user, const char *commit),
                                  void *user, struct dj_error *err);

/* Selects the newest batches of one history before a time. */
struct dj_past_filter {
    const char *project, *flow; /* flow: a batch's name */
    int64_t device_key, before_unix_ms;
    int64_t least_runs; /* runs that count; batches with fewer are skipped */
    int64_t most;       /* limit of batches */
};

/* Calls `callback` for the runs of these batches: newest batch first, the runs of a batch
 * together and in the order of measurement. */
int dj_store_read_past_runs(struct dj_store *store, const struct dj_past_filter *filter,
                            const enum dj_metric *metrics, size_t metric_count,
                            int (*callback)(void *user, int64_t batch,
                                            const double *values),
                            void *user, struct dj_error *err);

/* Appends the SQL that dj_store_read_timeline_runs() uses, with the parameters of the
 * filter. Tests check its query plan. */
void dj_store_format_timeline_sql(struct dj_text *sql,
                                  const struct dj_timeline_filter *filter,
                                  const enum dj_metric *metrics, size_t metric_count);

/* Adds up all histograms of one kind of the batch's runs that count. The caller finishes
 * *histogram. It is empty if unknown. */
int dj_store_read_batch_histogram(struct dj_store *store, int64_t batch,
                                  enum dj_histogram_kind kind,
                                  struct dj_histogram *histogram, struct dj_error *err);

/* ---- figures of other tools ---- */

/* Counts what dj_store_insert_series() wrote. */
struct dj_store_series_counts {
    int64_t series, points; /* new */
    int64_t known_points;   /* existed already */
};

/*
 * Inserts all of a file or nothing. `project` must not be NULL. Points that exist already
 * stay unchanged. Returns DJ_E_INVALID if a stored series has another unit, has times
 * where these have none, or has other values at the same places. err says which.
 */
int dj_store_insert_series(struct dj_store *store, const char *project,
                           const struct dj_series_file *file, const char *source,
                           struct dj_store_series_counts *stored, struct dj_error *err);

struct dj_stored_series {
    int64_t key;
    int64_t points;
    const char *identity, *project, *metric, *unit;
    enum dj_series_sense sense;
    const char *flow, *device, *release, *config;
};

/* Calls `callback` for each series, by project, then metric, then the order of insertion.
 * The filter's `serial` matches the series' device. */
int dj_store_read_series(struct dj_store *store, const struct dj_timeline_filter *filter,
                         int (*callback)(void *user,
                                         const struct dj_stored_series *series),
                         void *user, struct dj_error *err);

/* Calls `callback` for each point, ordered by time or by place. */
int dj_store_read_points(struct dj_store *store, int64_t series,
                         int (*callback)(void *user, const struct dj_series_point *point),
                         void *user, struct dj_error *err);

/* ---- accepted changes ---- */

struct dj_blessing {
    const char *id; /* 16 characters; dj_store_add_blessing() makes it */
    const char *project, *metric;
    const char *segment;  /* the segment it holds for; NULL: all segments */
    bool up;              /* the figure rose */
    int64_t from_unix_ms; /* time of the first point after the change; INT64_MIN: it has
                             no time */
    int64_t from_ordinal; /* its place if it has no time; else −1 */
    const char *from_point;
    const char *who, *why;
    int64_t made_unix_ms;
    const char *withdrawn; /* why it was withdrawn; NULL: it is valid */
};

/* Adds a blessing and stores its id in `id`. Returns DJ_E_NO_DATA if there is no such
 * project. */
int dj_store_add_blessing(struct dj_store *store, const struct dj_blessing *blessing,
                          char id[DJ_STORE_ID_BYTES], struct dj_error *err);

/* Withdraws a blessing by its id or a beginning of it (at least 4 characters). The row
 * stays, with the reason. Returns DJ_E_NO_DATA if no valid blessing matches, DJ_E_USAGE
 * if several do. */
int dj_store_withdraw_blessing(struct dj_store *store, const char *id, const char *why,
                               struct dj_error *err);

/* Calls `callback` for each blessing of the project (NULL: all projects), oldest first,
 * including withdrawn ones. */
int dj_store_read_blessings(struct dj_store *store, const char *project,
                            int (*callback)(void *user,
                                            const struct dj_blessing *blessing),
                            void *user, struct dj_error *err);

#endif
