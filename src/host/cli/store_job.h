/* The jobs of `dejank store`, and what they share. */
#ifndef DEJANK_CLI_STORE_JOB_H
#define DEJANK_CLI_STORE_JOB_H

#include "cli/store_option.h"

struct dj_store_options {
    const char *store, *older_than, *reason, *name;
    int64_t keep;
    bool yes, json, recordings, temporary;
};

/* One thing that is done with a store. */
struct dj_store_job {
    const struct dj_store_options *values;
    struct dj_history *history; /* NULL until it is opened */
    struct dj_text text;        /* for stdout */
    struct dj_error err;
    int operands;
    char **operand;
    int exit; /* where the job is done, and not all is well */
};

/* Opens the store as `job->history`, which is closed when the job has ended. */
int dj_store_open(struct dj_store_job *job, enum dj_history_mode mode);

/* What is done is in the JSON's first keys, then an array of that key (NULL: none), which
 * dj_store_close_array() ends. All of them do nothing for people. */
void dj_store_begin_json(struct dj_store_job *job, const char *what, const char *array);
void dj_store_close_array(struct dj_store_job *job);
void dj_store_end_json(struct dj_store_job *job);

/* Appends "3 runs" after `before`. */
void dj_store_put_count(struct dj_text *text, const char *before, int64_t count,
                        const char *one, const char *many);

/* `dejank store prune`. */
int dj_store_prune(struct dj_store_job *job);

/* `dejank store prune --recordings`. */
int dj_store_prune_recordings(struct dj_store_job *job);

/* The moment that --older-than means; *before_unix_ms stays as it is without the option.
 * DJ_E_USAGE if its value is not an age. */
int dj_store_age_limit(struct dj_store_job *job, int64_t *before_unix_ms);

/* `dejank store exclude` and `include`: leaving runs and batches out by hand. */
int dj_store_exclude(struct dj_store_job *job);
int dj_store_include(struct dj_store_job *job);

#endif
