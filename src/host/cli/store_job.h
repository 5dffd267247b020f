/* The jobs of `dejank store`, and what they share. */
#ifndef DEJANK_CLI_STORE_JOB_H
#define DEJANK_CLI_STORE_JOB_H

#include "cli/store_option.h"
#include "report/store_upkeep.h"

struct dj_store_options {
    const char *store, *older_than, *reason, *name;
    int64_t keep;
    bool yes, json, recordings, temporary;
};

/* One thing that is done with a store. */
struct dj_store_job {
    const struct dj_store_options *values;
    struct dj_history *history; /* NULL until it is opened */
    struct dj_store_page page;  /* for stdout */
    struct dj_error err;
    int operands;
    char **operand;
    int exit; /* where the job is done, and not all is well */
};

/* Opens the store as `job->history`, which is closed when the job has ended. */
int dj_store_open(struct dj_store_job *job, enum dj_history_mode mode);

/* `dejank store prune`. */
int dj_store_prune(struct dj_store_job *job);

/* `dejank store exclude` and `include`: leaving runs and batches out by hand. */
int dj_store_exclude(struct dj_store_job *job);
int dj_store_include(struct dj_store_job *job);

#endif
