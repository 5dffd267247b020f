/* Reads a store in the order of time: batches with the properties that distinguish one
 * history from another, some figures of each run, figures of other tools, and blessings.
 * trend/trend.h builds trends from this data. The rules for callbacks in browse.h apply.
 * In addition, the callbacks for batches and runs must not read from the same struct
 * dj_store. */
#ifndef DEJANK_STORE_TIMELINE_H
#define DEJANK_STORE_TIMELINE_H

#include "store/browse.h"
#include "store/series.h"

/* Selects batches that match all members. A member that is NULL or 0 matches any
 * batch. */
struct dj_timeline_filter {
    const char *project, *flow, *serial; /* `flow` is the name of the batch. */
    int64_t since_unix_ms;
    /* True if the batches may be read in any order, which is faster. False for the order
     * of measurement. */
    bool any_order;
    /* Keys of batches, separated by commas. If not NULL, exactly these batches are
     * selected and the other members are ignored. */
    const char *keys;
};

struct dj_timeline_batch {
    int64_t key, device_key, began_unix_ms;
    const char *id, *project, *flow, *kind;
    const char *version, *commit, *label;
    const char *serial, *model, *release;
    /* A hash of all properties of the device. It is the same in every store. */
    const char *device;
    /* JSON texts: how the batch was measured, and its objectives. */
    const char *options, *objectives;
};

/* Calls `callback` for each batch that is not excluded, in the order of measurement. */
int dj_store_read_timeline_batches(struct dj_store *store,
                                   const struct dj_timeline_filter *filter,
                                   int (*callback)(void *user,
                                                   const struct dj_timeline_batch *batch),
                                   void *user, struct dj_error *err);

/* Returns how many batches one query should select by their keys. Reading an SQLite file
 * by key is as fast as reading it sequentially. A server is faster if it scans whole
 * tables once. */
size_t dj_store_batches_per_query(const struct dj_store *store);

enum { DJ_TIMELINE_METRICS_MAX = 64 };

/* Calls `callback` with the requested metrics of each valid run. The metrics are those of
 * the whole run, at most DJ_TIMELINE_METRICS_MAX. The runs are in no particular order. */
int dj_store_read_timeline_runs(struct dj_store *store,
                                const struct dj_timeline_filter *filter,
                                const enum dj_metric *metrics, size_t metric_count,
                                int (*callback)(void *user, int64_t batch,
                                                const double *values),
                                void *user, struct dj_error *err);

/* Calls `callback` for each commit that a project's batches or other tools' figures have
 * between two times, newest first. A commit that was measured several times is reported
 * several times. */
int dj_store_read_commits_between(struct dj_store *store, const char *project,
                                  int64_t after_unix_ms, int64_t before_unix_ms,
                                  int (*callback)(void *user, const char *commit),
                                  void *user, struct dj_error *err);

/* Selects the newest batches of one project, flow and device before a time. */
struct dj_past_filter {
    const char *project, *flow; /* `flow` is the name of the batch. */
    int64_t device_key, before_unix_ms;
    int64_t least_runs; /* Batches with fewer valid runs are skipped. */
    int64_t most;       /* Maximum number of batches to read. */
};

/* Calls `callback` for each valid run of the selected batches, newest batch first. The
 * runs of a batch follow each other in the order of measurement. */
int dj_store_read_past_runs(struct dj_store *store, const struct dj_past_filter *filter,
                            const enum dj_metric *metrics, size_t metric_count,
                            int (*callback)(void *user, int64_t batch,
                                            const double *values),
                            void *user, struct dj_error *err);

/* Appends the SQL that dj_store_read_timeline_runs() uses for this filter. Tests check
 * its query plan. */
void dj_store_format_timeline_sql(const struct dj_store *store, struct dj_text *sql,
                                  const struct dj_timeline_filter *filter,
                                  const enum dj_metric *metrics, size_t metric_count);

/* Adds up the histograms of one kind over all valid runs of a batch. *histogram is empty
 * if no run has one. The caller calls dj_exponential_finish(). */
int dj_store_read_batch_histogram(struct dj_store *store, int64_t batch,
                                  enum dj_histogram_kind kind,
                                  struct dj_histogram *histogram, struct dj_error *err);

/* Counts of the rows that dj_store_insert_series() wrote. */
struct dj_store_series_counts {
    int64_t series, points; /* Numbers of new series and points. */
    int64_t known_points;   /* Number of points that the store already had. */
};

/* Inserts all series of a file in one transaction. `project` must not be NULL. Points
 * that the store already has are not changed. Returns DJ_E_INVALID if a series
 * contradicts the stored series with the same identity: its unit differs, only one of
 * them has times, or, without times, its values at the same positions differ. The error
 * names the series. */
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

/* Calls `callback` for each series, sorted by project, then by metric, then by insertion.
 * The filter's `serial` is compared with the device of the series. */
int dj_store_read_series(struct dj_store *store, const struct dj_timeline_filter *filter,
                         int (*callback)(void *user,
                                         const struct dj_stored_series *series),
                         void *user, struct dj_error *err);

/* Calls `callback` for each point, sorted by time, or by position if there are no
 * times. */
int dj_store_read_points(struct dj_store *store, int64_t series,
                         int (*callback)(void *user, const struct dj_series_point *point),
                         void *user, struct dj_error *err);

struct dj_blessing {
    const char *id; /* Id of 16 characters. dj_store_add_blessing() creates it. */
    const char *project, *metric;
    /* The segment of the trend to which the blessing applies, or NULL for all
     * segments. */
    const char *segment;
    bool up; /* True if the figure rose. */
    /* Time of the first point after the change, or INT64_MIN if the point has no time. */
    int64_t from_unix_ms;
    int64_t from_ordinal; /* Position of this point if it has no time, else −1. */
    const char *from_point;
    const char *who, *why;
    int64_t made_unix_ms;
    /* The reason why the blessing was withdrawn, or NULL if it is valid. */
    const char *withdrawn;
};

/* Adds a blessing and stores its id in `id`. Returns DJ_E_NO_DATA if there is no such
 * project. */
int dj_store_add_blessing(struct dj_store *store, const struct dj_blessing *blessing,
                          char id[DJ_STORE_ID_BYTES], struct dj_error *err);

/* Withdraws a blessing by its id or by at least 4 characters of the beginning of its id.
 * The blessing stays in the store with the reason. Returns DJ_E_NO_DATA if no valid
 * blessing matches, or DJ_E_USAGE if several match. */
int dj_store_withdraw_blessing(struct dj_store *store, const char *id, const char *why,
                               struct dj_error *err);

/* Calls `callback` for each blessing of a project, oldest first, including withdrawn
 * ones. If `project` is NULL, reads the blessings of all projects. */
int dj_store_read_blessings(struct dj_store *store, const char *project,
                            int (*callback)(void *user,
                                            const struct dj_blessing *blessing),
                            void *user, struct dj_error *err);

#endif
