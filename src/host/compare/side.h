/* One side of a comparison: runs with their figures, wherever they come from — batches
 * of a store, or files — and what is known of how they were made. */
#ifndef DEJANK_COMPARE_SIDE_H
#define DEJANK_COMPARE_SIDE_H

#include "frame/findings.h"
#include "memory/strings.h"
#include "stats/center.h"
#include "store/browse.h"

/* A run that counts. Texts are the side's. */
struct dj_side_run {
    struct dj_metrics metrics;    /* of the whole run */
    struct dj_histogram times;    /* its frame times; empty: unknown. Owned */
    bool found[DJ_FINDING_COUNT]; /* where findings_known */
    bool findings_known;
    int64_t key;             /* in its store; of files 0 */
    int64_t number;          /* in its batch, or in the list of files; from 1 */
    int64_t order_index;     /* in its batch or group; −1: nobody knows */
    int64_t started_unix_ms; /* by the host's clock; 0: nobody knows */
    struct dj_span span;     /* dev_ns; both 0: unknown */
    const char *release;     /* the dialect its text is read in; NULL: inferred */
    const char *source;      /* the batch's id, or the file */
    const char *disturbed;   /* what disturbed it, "load: …"; NULL: nothing noticed */
    const char *digest;      /* of the file's bytes; NULL: of no file */
    size_t batch;            /* index in the side's batches; of files: 0 */
};

/* A run that does not count, or a file that is none. */
struct dj_side_left_out {
    const char *what; /* "run 3 of batch 0a1b…", "run7.txt" */
    const char *why;
};

/* Zero it. */
struct dj_side {
    const char *name;         /* what it is called: as the caller named it */
    struct dj_side_run *runs; /* in the order they were made, as far as that is known */
    size_t run_count;
    const char *store;            /* path of the batches' store; NULL: files */
    struct dj_batch_row *batches; /* that runs come from */
    size_t batch_count;
    struct dj_side_left_out *left_out;
    size_t left_out_count;
    struct dj_strings texts; /* all that the above point to */
};

void dj_side_name(struct dj_side *side, const char *name);

/* Adds a batch of a store: its runs that count, the others named. DJ_E_NO_DATA: there is
 * none of that key. Finish the side in every case. */
int dj_side_add_batch(struct dj_side *side, struct dj_history *history, int64_t key,
                      struct dj_error *err);

/* Adds a run; its texts are copied, its histogram is moved. */
void dj_side_add_run(struct dj_side *side, struct dj_side_run *run);

void dj_side_leave_out(struct dj_side *side, const char *what, const char *why);

void dj_side_finish(struct dj_side *side);

/* A metric over the runs. False: none knows it. */
bool dj_side_center(const struct dj_side *side, enum dj_metric metric,
                    struct dj_center *center);

/* ---- what a person calls a side, in a store ---- */

/* Narrows what a word may mean. NULL: any. */
struct dj_side_filter {
    const char *project, *serial, *flow; /* flow: the batches' name */
};

/* Batches of a store, newest first; the caller frees `keys`. */
struct dj_named_batches {
    int64_t *keys;
    size_t count;
};

/*
 * Finds what `word` names: a batch's id; else a build, by label, version, or the
 * beginning of its commit (7 characters and more): all its batches of one project, device
 * and flow; else the batch that dj_history_resolve() finds. DJ_E_USAGE if the build has
 * batches of several projects, devices or flows: err names them. DJ_E_NO_DATA if nothing
 * has that name. *several_devices (may be NULL): DJ_E_USAGE is due to devices alone.
 */
int dj_named_batches_find(struct dj_history *history, const char *word,
                          const struct dj_side_filter *filter, bool *several_devices,
                          struct dj_named_batches *named, struct dj_error *err);

/* Adds them to a side. */
int dj_side_add_named(struct dj_side *side, struct dj_history *history, const char *word,
                      const struct dj_side_filter *filter, bool *several_devices,
                      struct dj_error *err);

#endif
