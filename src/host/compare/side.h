/* One side of a comparison: runs with their figures, from batches of a store or from
 * files, and what is known of how they were measured. */
#ifndef DEJANK_COMPARE_SIDE_H
#define DEJANK_COMPARE_SIDE_H

#include "frame/findings.h"
#include "memory/strings.h"
#include "stats/center.h"
#include "store/browse.h"

/* A run that counts. The side owns its texts. */
struct dj_side_run {
    struct dj_metrics metrics;    /* of the whole run */
    struct dj_histogram times;    /* frame times; empty: unknown. Owned */
    bool found[DJ_FINDING_COUNT]; /* valid if findings_known */
    bool findings_known;
    int64_t key;             /* in its store; of files 0 */
    int64_t number;          /* in its batch, or in the list of files; from 1 */
    int64_t order_index;     /* in its batch or group; −1: unknown */
    int64_t started_unix_ms; /* host clock; 0: unknown */
    struct dj_span span;     /* device clock, ns; both 0: unknown */
    const char *release;     /* the dialect of its text; NULL: inferred */
    const char *source;      /* the batch's id, or the file */
    const char *disturbed;   /* what disturbed it, "load: …"; NULL: nothing noticed */
    const char *digest;      /* hash of the file's bytes; NULL: no file */
    size_t batch;            /* index in the side's batches; of files: 0 */
};

/* A run that does not count, or an unusable file. */
struct dj_side_excluded_run {
    const char *what; /* "run 3 of batch 0a1b…", "run7.txt" */
    const char *why;
};

/* Initialise it with zeros. */
struct dj_side {
    const char *name;         /* as the caller named it */
    struct dj_side_run *runs; /* in the order of measurement, if known */
    size_t run_count;
    const char *store;            /* path of the batches' store; NULL: files */
    struct dj_batch_row *batches; /* the batches of the runs */
    size_t batch_count;
    struct dj_side_excluded_run *left_out;
    size_t left_out_count;
    struct dj_strings texts; /* owns all texts of the above */
};

void dj_compare_side_set_name(struct dj_side *side, const char *name);

/* Adds a batch of a store: its runs that count, and the names of the others. Returns
 * DJ_E_NO_DATA if there is no such key. Finish the side in every case. */
int dj_compare_side_add_batch(struct dj_side *side, struct dj_store *store, int64_t key,
                              struct dj_error *err);

/* Adds a run. Copies its texts and moves its histogram. */
void dj_compare_side_add_run(struct dj_side *side, struct dj_side_run *run);

void dj_compare_side_exclude(struct dj_side *side, const char *what, const char *why);

void dj_compare_side_finish(struct dj_side *side);

/* Computes the centre of a metric over the runs. Returns false if no run knows it. */
bool dj_compare_side_center(const struct dj_side *side, enum dj_metric metric,
                            struct dj_center *center);

/* ---- batches named by a word ---- */

/* Narrows what a word may name. NULL: any. */
struct dj_side_filter {
    const char *project, *serial, *flow; /* flow: the batches' name */
};

/* Keys of batches of a store, newest first. The caller frees `keys`. */
struct dj_named_batches {
    int64_t *keys;
    size_t count;
};

/*
 * Finds what `word` names. It may be a batch's id. Else it may be a build, by label,
 * version, or the beginning of its commit (at least 7 characters). The result is then all
 * batches of that build with one project, device and flow. Else it is the batch that
 * dj_store_find_batch() finds. Returns DJ_E_USAGE if the build has batches of several
 * projects, devices or flows, and err names them. Returns DJ_E_NO_DATA if nothing has
 * that name. Sets *several_devices, which may be NULL, if only the devices cause the
 * DJ_E_USAGE.
 */
int dj_compare_named_batches_find(struct dj_store *store, const char *word,
                                  const struct dj_side_filter *filter,
                                  bool *several_devices, struct dj_named_batches *named,
                                  struct dj_error *err);

/* Adds the named batches to a side. */
int dj_compare_side_add_named(struct dj_side *side, struct dj_store *store,
                              const char *word, const struct dj_side_filter *filter,
                              bool *several_devices, struct dj_error *err);

#endif
