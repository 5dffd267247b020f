/* The jobs of `dejank store`, and the state that they share. */
#ifndef DEJANK_CLI_STORE_JOB_H
#define DEJANK_CLI_STORE_JOB_H

#include "cli/store_option.h"
#include "report/store_upkeep.h"

struct dj_store_options {
    const char *store, *older_than, *reason, *name;
    int64_t keep;
    bool yes, json, recordings, temporary;
};

/* A job while it runs. */
struct dj_store_job {
    const struct dj_store_options *values;
    struct dj_store *history;  /* The open store. NULL until the job opens it. */
    struct dj_store_page page; /* The output on stdout. */
    struct dj_error err;
    int operands;
    char **operand;
    int exit; /* Exit code of a job that succeeded but found problems. */
};

/* Opens the store as `job->history`. The verb closes the store. Returns 0 or an error
 * code with job->err. */
int dj_store_job_open(struct dj_store_job *job, enum dj_store_mode mode);

/* Runs `dejank store prune`. Returns 0 or an error code with job->err. */
int dj_store_job_prune(struct dj_store_job *job);

/* Run `dejank store exclude` and `include`, which exclude runs and batches from figures
 * and include them again. Return 0 or an error code with job->err. */
int dj_store_exclude(struct dj_store_job *job);
int dj_store_include(struct dj_store_job *job);

#endif
