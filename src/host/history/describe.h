/* What a batch is of, as rows: found, or put in. All within the caller's transaction. */
#ifndef DEJANK_HISTORY_DESCRIBE_H
#define DEJANK_HISTORY_DESCRIBE_H

#include "history/sql.h"

/* The keys of a batch's project, build and device. */
struct dj_described {
    int64_t project, build, device;
};

/* The key of the project of that name. */
int dj_describe_project(struct dj_history *history, const char *name, int64_t *key,
                        struct dj_error *err);

int dj_describe(struct dj_history *history, const struct dj_history_batch *batch,
                struct dj_described *keys, struct dj_error *err);

#endif
