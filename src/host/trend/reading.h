/* The data while the batches of a store are read and converted to segments. A row is a
 * run with its figures. A part is a range of groups that are read at once. */
#ifndef DEJANK_TREND_READING_H
#define DEJANK_TREND_READING_H

#include "base/map.h"
#include "trend/trend.h"

enum { DJ_TREND_CANDIDATES = DJ_TREND_METRICS_MAX + DJ_METRIC_COUNT };

/* A batch of the store. The trend owns its texts. */
struct dj_trend_batch {
    struct dj_trend_point point;
    size_t group; /* Index of the group within the part. */
    /* The rows of the batch: rows_by_batch[first] … rows_by_batch[first + runs − 1]. */
    size_t first, runs;
};

/* A group of comparable batches, or a series of another tool. Each metric of a group
 * becomes one segment. */
struct dj_trend_group {
    struct dj_trend_segment head;
    struct dj_device_facts facts;
    int64_t series; /* Key of the series, or 0 for a group of batches. */
    bool excluded;  /* True if the device is not of the requested class. */
    /* Number of points, as a measure of the memory that the group needs. */
    size_t weight;
    /* The batches of the group: a range of dj_trend_outline.batch_refs. After
     * sort_batches(), `first` and `count` are a range of
     * dj_trend_reading.batches_by_group. */
    size_t first, count;
};

/* All groups and the group of each batch, without figures. The outline stays in memory
 * while a trend is read. All other data belongs to one part. */
struct dj_trend_outline {
    struct dj_store *store;
    const struct dj_trend_query *query;
    struct dj_error *err;
    struct dj_strings names; /* Owns the texts of `groups`. */
    struct dj_trend_group *groups;
    size_t group_count;
    struct dj_trend_batch_ref {
        int64_t key;
        size_t group;
    } * batch_refs; /* The batches of the store, sorted by group. */
    size_t batch_ref_count;
    /* Index of `groups` by a hash of project, flow, device and configuration. */
    struct dj_map by_hash;
    /* The options and the configuration of the batch that was read last. */
    struct dj_text options, config;
    size_t unclassed;
    struct dj_trend_git *git;
};

/* Reads the outline. Call dj_trend_outline_finish() in every case. */
int dj_trend_outline_read(struct dj_trend_outline *outline, struct dj_error *err);
void dj_trend_outline_finish(struct dj_trend_outline *outline);

/* The state while the groups [from, to) of an outline are read. These groups are a
 * part. */
struct dj_trend_reading {
    struct dj_trend_outline *outline;
    size_t from, to;
    struct dj_trend *trend;
    struct dj_error *err;
    const struct dj_compare_metric *requested[DJ_TREND_CANDIDATES];
    size_t requested_count;
    enum dj_metric columns[DJ_TIMELINE_METRICS_MAX];
    size_t column_count;
    struct dj_trend_batch *batches;
    size_t batch_count;
    struct dj_trend_key {
        int64_t key;
        /* Index of the batch, or SIZE_MAX if the batch has not been read. */
        size_t index;
        size_t group;
        /* `by_key` has the batches sorted by key. `last_key` is the element that was
         * found last. */
    } * by_key, *last_key;
    size_t key_count;
    size_t *row_batch; /* Index of each row's batch. */
    double *values;    /* The figures: column_count values per row. */
    size_t row_count;
    size_t *rows_by_batch;    /* Indexes of rows, sorted by batch. */
    size_t *batches_by_group; /* Indexes of batches, sorted by group and then by time. */
    double *value, *of; /* Storage for the values and totals of the runs of one batch. */
};

/* Reads a part of the batches and adds its segments to `trend`. */
int dj_trend_read_batches(struct dj_trend_outline *outline, size_t from, size_t to,
                          struct dj_trend *trend, struct dj_error *err);

/* Reads a part of the figures of other tools and adds its segments to `trend`. */
int dj_trend_read_series(struct dj_trend_outline *outline, size_t from, size_t to,
                         struct dj_trend *trend, struct dj_error *err);

/* Adds a segment for each group and metric. All rows must have been read and sorted. */
int dj_trend_add_segments(struct dj_trend_reading *reading);

/* Adds a group for each figure of another tool. */
int dj_trend_find_series(struct dj_trend_outline *outline);

/* Returns the filter of the store's timeline for the query. */
struct dj_timeline_filter dj_trend_get_filter(const struct dj_trend_query *query);

/* Returns whether the query requests the build with this version, label and commit, each
 * of which may be NULL. */
bool dj_trend_requests_build(const struct dj_trend_query *query, const char *version,
                             const char *label, const char *commit);
/* Adds an empty group and returns it. */
struct dj_trend_group *dj_trend_add_group(struct dj_trend_outline *outline);

/* Finds the blessings of a part's changes. Call this function after
 * dj_trend_find_changes(). */
int dj_trend_find_blessings(struct dj_trend *trend, struct dj_store *store,
                            struct dj_error *err);

/* Finds the commits that may have caused the changes of a part. Calls git only once for
 * each pair of commits. */
int dj_trend_find_commits(struct dj_trend *trend, struct dj_trend_outline *outline,
                          struct dj_error *err);
/* Frees the results of git. NULL is allowed. */
void dj_trend_git_close(struct dj_trend_git *git);
/* Returns the reason why git did not report the commits, or NULL if there was no
 * error. */
const char *dj_trend_git_note(const struct dj_trend_git *git);

#endif
