/* A store's batches while they become segments. Private to the trend*.c files. */
#ifndef DEJANK_TREND_TREND_READING_H
#define DEJANK_TREND_TREND_READING_H

#include "base/map.h"
#include "trend/trend.h"

enum { DJ_TREND_CANDIDATES = DJ_TREND_METRICS + DJ_METRIC_COUNT };

/* A batch as it came; texts are the trend's. */
struct dj_trend_batch {
    struct dj_trend_point point;
    size_t group;
    size_t first, runs; /* of its rows */
};

/* Batches that may be compared, a segment of every metric; or a series of another tool.
 */
struct dj_trend_group {
    struct dj_trend_segment head;
    struct dj_device_facts facts;
    int64_t series;      /* its key; 0: batches */
    bool out;            /* not of the class */
    size_t weight;       /* points: what it takes to hold it */
    size_t first, count; /* of its batches: of the places, and while its part is read of
                            those that came */
};

/* What a store has of what is asked for: its groups in the order of segments, and which
 * batches are of which. This is held for as long as a trend is read; the rest is of a
 * part. */
struct dj_trend_outline {
    struct dj_history *history;
    const struct dj_trend_query *query;
    struct dj_error *err;
    struct dj_strings names; /* of heads */
    struct dj_trend_group *groups;
    size_t group_count;
    struct dj_trend_place {
        int64_t key;
        size_t group;
    } * places; /* of batches: by group */
    size_t place_count;
    struct dj_map by_hash;          /* groups of batches, by what makes them */
    struct dj_text options, config; /* of the batch that came last */
    size_t unclassed;
    struct dj_trend_git *git;
};

/* Finish it in every case. */
int dj_trend_outline_read(struct dj_trend_outline *outline, struct dj_error *err);
void dj_trend_outline_finish(struct dj_trend_outline *outline);

/* Groups [from, to) of an outline while they become segments. */
struct dj_trend_reading {
    struct dj_trend_outline *outline;
    size_t from, to;
    struct dj_trend *trend;
    struct dj_error *err;
    const struct dj_compared *asked[DJ_TREND_CANDIDATES];
    size_t asked_count;
    enum dj_metric columns[DJ_TIMELINE_METRICS];
    size_t column_count;
    struct dj_trend_batch *batches;
    size_t batch_count;
    struct dj_trend_key {
        int64_t key;
        size_t index; /* of the batch; SIZE_MAX: it is gone */
        size_t group;
    } * by_key, *last_key; /* of batches, rising; the one that was found last */
    size_t key_count;
    size_t *row_batch; /* the index of each row's batch */
    double *values;    /* column_count of each row */
    size_t row_count;
    size_t *sorted;     /* rows by batch */
    size_t *of_group;   /* batches by group, in their order */
    double *value, *of; /* room for one batch */
};

/* Segments of a part: of its batches; of figures of other tools. */
int dj_trend_read_batches(struct dj_trend_outline *outline, size_t from, size_t to,
                          struct dj_trend *trend, struct dj_error *err);
int dj_trend_read_series(struct dj_trend_outline *outline, size_t from, size_t to,
                         struct dj_trend *trend, struct dj_error *err);

/* Of what was read, and sorted: a segment of every group and metric. */
int dj_trend_add_segments(struct dj_trend_reading *reading);

/* The groups of series that a store has. */
int dj_trend_find_series(struct dj_trend_outline *outline);
/* What of a store's timeline is asked for. */
struct dj_timeline_filter dj_trend_filter(const struct dj_trend_query *query);
/* A further group, zeroed. */
struct dj_trend_group *dj_trend_add_group(struct dj_trend_outline *outline);

/* Finds the blessings of a part's changes. Call it after dj_trend_find_changes(). */
int dj_trend_bless(struct dj_trend *trend, struct dj_history *history,
                   struct dj_error *err);

/* Between which commits the changes of a part lie. What git was asked once it is not
 * asked again. */
int dj_trend_bisect(struct dj_trend *trend, struct dj_trend_outline *outline,
                    struct dj_error *err);
void dj_trend_git_close(struct dj_trend_git *git); /* NULL is fine */
/* Why git did not tell the commits; NULL. */
const char *dj_trend_git_note(const struct dj_trend_git *git);

#endif
