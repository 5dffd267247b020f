/* A store's batches while they become segments. Private to the trend*.c files. */
#ifndef DEJANK_JUDGE_TREND_READING_H
#define DEJANK_JUDGE_TREND_READING_H

#include "judge/trend_parts.h"

enum { DJ_TREND_CANDIDATES = DJ_TREND_METRICS + DJ_METRIC_COUNT };

/* A batch as it came; texts are the trend's. */
struct dj_trend_batch {
    struct dj_trend_point point;
    size_t group;
    size_t first, runs; /* of its rows */
};

/* Batches that may be compared: a segment of every metric. */
struct dj_trend_group {
    struct dj_trend_segment head;
    struct dj_device_facts facts;
    int64_t device_key;
    bool out;            /* not of the class */
    size_t first, count; /* of its batches in the order by groups */
};

struct dj_trend_run {
    size_t batch; /* index; SIZE_MAX: not of ours */
    size_t place; /* of its values */
};

struct dj_trend_reading {
    struct dj_history *history;
    const struct dj_trend_query *query;
    struct dj_trend *trend;
    struct dj_error *err;
    const struct dj_compared *asked[DJ_TREND_CANDIDATES];
    size_t asked_count;
    enum dj_metric columns[DJ_TIMELINE_METRICS];
    size_t column_count;
    struct dj_trend_group *groups;
    size_t group_count, group_capacity, last_group;
    struct dj_trend_batch *batches;
    size_t batch_count, batch_capacity;
    struct {
        int64_t key;
        size_t index;
    } * by_key; /* of batches, rising */
    struct dj_trend_run *rows;
    double *values; /* column_count of each row */
    size_t row_count, row_capacity;
    size_t *sorted;     /* rows by batch */
    size_t *of_group;   /* batches by group, in their order */
    double *value, *of; /* room for one batch */
};

/* Which metrics are asked for, and the columns of the store that they stand on. */
void dj_trend_ask_for(struct dj_trend_reading *reading);

/* The group that a batch is of, made where it is not there yet. */
int dj_trend_find_group(struct dj_trend_reading *reading,
                        const struct dj_timeline_batch *batch, size_t *index);

/* Leaves out the groups whose device is not of the class asked for. No other statement
 * may run: after all batches are read. */
int dj_trend_judge_devices(struct dj_trend_reading *reading);

#endif
