/* The batches of a store on their way to segments. */
#ifndef DEJANK_TREND_READING_H
#define DEJANK_TREND_READING_H

#include "base/map.h"
#include "trend/trend.h"

enum { DJ_TREND_CANDIDATES = DJ_TREND_METRICS_MAX + DJ_METRIC_COUNT };

/* A batch as the store reports it. The trend owns its texts. */
struct dj_trend_batch {
    struct dj_trend_point point;
    size_t group;
    size_t first, runs; /* its rows */
};

/* Comparable batches, which give one segment per metric, or a series of another tool. */
struct dj_trend_group {
    struct dj_trend_segment head;
    struct dj_device_facts facts;
    int64_t series;      /* key of the series; 0: batches */
    bool out;            /* not of the requested class */
    size_t weight;       /* in points: how much memory it needs */
    size_t first, count; /* its places; while its part is read: its batches */
};

/* The groups in the order of their segments, and the group of each batch, without their
 * figures. It stays in memory while a trend is read. Everything else belongs to one
 * part. */
struct dj_trend_outline {
    struct dj_store *store;
    const struct dj_trend_query *query;
    struct dj_error *err;
    struct dj_strings names; /* texts of heads */
    struct dj_trend_group *groups;
    size_t group_count;
    struct dj_trend_place {
        int64_t key;
        size_t group;
    } * places; /* one per batch, sorted by group */
    size_t place_count;
    struct dj_map by_hash; /* groups of batches, by hash of what identifies them */
    struct dj_text options, config; /* of the last batch */
    size_t unclassed;
    struct dj_trend_git *git;
};

/* Finish it in every case. */
int dj_trend_outline_read(struct dj_trend_outline *outline, struct dj_error *err);
void dj_trend_outline_finish(struct dj_trend_outline *outline);

/* Groups [from, to) of an outline on their way to segments. */
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
        size_t index; /* of the batch; SIZE_MAX: deleted meanwhile */
        size_t group;
    } * by_key, *last_key; /* batches by rising key; the one found last */
    size_t key_count;
    size_t *row_batch; /* index of each row's batch */
    double *values;    /* column_count values per row */
    size_t row_count;
    size_t *sorted;     /* rows sorted by batch */
    size_t *of_group;   /* batches sorted by group, in their order */
    double *value, *of; /* storage for one batch */
};

/* Read the segments of a part: of its batches, or of other tools' figures. */
int dj_trend_read_batches(struct dj_trend_outline *outline, size_t from, size_t to,
                          struct dj_trend *trend, struct dj_error *err);
int dj_trend_read_series(struct dj_trend_outline *outline, size_t from, size_t to,
                         struct dj_trend *trend, struct dj_error *err);

/* Adds a segment for each group and metric. The rows must be read and sorted. */
int dj_trend_add_segments(struct dj_trend_reading *reading);

/* Adds the groups of the store's series. */
int dj_trend_find_series(struct dj_trend_outline *outline);
/* Returns the filter of the store's timeline for the query. */
struct dj_timeline_filter dj_trend_get_filter(const struct dj_trend_query *query);
/* Adds a group of zeros. */
struct dj_trend_group *dj_trend_add_group(struct dj_trend_outline *outline);

/* Finds the blessings of a part's changes. Call it after dj_trend_find_changes(). */
int dj_trend_find_blessings(struct dj_trend *trend, struct dj_store *store,
                            struct dj_error *err);

/* Finds the commits between which the changes of a part lie. Asks git each question only
 * once. */
int dj_trend_find_commits(struct dj_trend *trend, struct dj_trend_outline *outline,
                          struct dj_error *err);
void dj_trend_git_close(struct dj_trend_git *git); /* NULL is allowed */
/* Returns why git did not report the commits, or NULL. */
const char *dj_trend_git_note(const struct dj_trend_git *git);

#endif
