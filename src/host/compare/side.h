/* One side of a comparison: a set of runs with their figures, read from batches of a
 * store or from files. A batch is a set of runs that were measured together. Also records
 * how the runs were measured. */
#ifndef DEJANK_COMPARE_SIDE_H
#define DEJANK_COMPARE_SIDE_H

#include "frame/findings.h"
#include "memory/strings.h"
#include "stats/center.h"
#include "store/browse.h"

/* A valid run. The side owns its texts. */
struct dj_side_run {
    struct dj_metrics metrics; /* Figures of the whole run. */
    /* Histogram of frame times, empty if unknown. The run owns it. */
    struct dj_histogram times;
    /* Findings of the run. Valid if findings_known is true. */
    bool found[DJ_FINDING_COUNT];
    bool findings_known;
    int64_t key;    /* Key in the store, or 0 for runs from files. */
    int64_t number; /* Number in the batch or in the list of files, counted from 1. */
    int64_t order_index; /* Index in the batch or group, or −1 if unknown. */
    /* Start by the host's clock in ms since 1970, or 0 if unknown. */
    int64_t started_unix_ms;
    /* Start and end by the device's clock in ns. Both are 0 if unknown. */
    struct dj_span span;
    /* Android release that wrote the dump. It defines the dialect of the dump. NULL if
     * the release is inferred from the dump. */
    const char *release;
    const char *source; /* The id of the batch, or the name of the file. */
    /* App and device of a file, or NULL if the file does not name them. NULL for runs of
     * a batch, because the batch has them. */
    const char *app, *device;
    /* Text about what disturbed the run, for example "load: …", or NULL if nothing
     * did. */
    const char *disturbed;
    /* SHA-256 of the file's bytes, or NULL if the run is not from a file. */
    const char *digest;
    size_t batch; /* Index in the side's batches, or 0 for runs from files. */
};

/* A run that does not count, or a file that cannot be used. */
struct dj_side_excluded_run {
    /* The name of the run in messages, for example "run 3 of batch 0a1b…" or
     * "run7.txt". */
    const char *what;
    const char *why;
};

/* A side of a comparison. Zero the struct before use. */
struct dj_side {
    const char *name; /* The name that the caller used for the side. */
    /* The valid runs, in the order of measurement if it is known. */
    struct dj_side_run *runs;
    size_t run_count;
    const char *store; /* Path of the store, or NULL if the runs are from files. */
    struct dj_batch_row *batches; /* The batches of the runs. */
    size_t batch_count;
    struct dj_side_excluded_run *left_out;
    size_t left_out_count;
    struct dj_strings texts; /* Owns all texts of the side. */
};

void dj_compare_side_set_name(struct dj_side *side, const char *name);

/* Adds a batch of a store. Valid runs are added as runs, the others as excluded runs.
 * Returns DJ_E_NO_DATA if no batch has that key. Call dj_compare_side_finish() in every
 * case. */
int dj_compare_side_add_batch(struct dj_side *side, struct dj_store *store, int64_t key,
                              struct dj_error *err);

/* Adds a run. Copies its texts and moves its histogram. */
void dj_compare_side_add_run(struct dj_side *side, struct dj_side_run *run);

void dj_compare_side_exclude(struct dj_side *side, const char *what, const char *why);

void dj_compare_side_finish(struct dj_side *side);

/* Computes the centre of a metric over the runs. Returns false if the metric is unknown
 * in all runs. */
bool dj_compare_side_center(const struct dj_side *side, enum dj_metric metric,
                            struct dj_center *center);

/* Limits the batches that a user's word (an id, a build or a name) may select. A text
 * that is NULL matches any batch. */
struct dj_side_filter {
    const char *project, *serial, *flow; /* `flow` is the name of the batch. */
};

/* Keys of batches in a store, newest first. The caller frees `keys`. */
struct dj_named_batches {
    int64_t *keys;
    size_t count;
};

/*
 * Finds the batches that `word` names. The first match of this list wins:
 *   1. the id of a batch;
 *   2. a build, by its label, its version, or the beginning of its commit (at least 7
 *      characters). The result is all batches of this build, which must have one
 *      project, device and flow;
 *   3. the batch that dj_store_find_batch() finds.
 * Returns DJ_E_USAGE if a build has batches of several projects, devices or flows. The
 * error lists some of these batches. Returns DJ_E_NO_DATA if nothing has that name.
 * Sets *several_devices, which may be NULL, to whether the batches differ only in the
 * device.
 */
int dj_compare_named_batches_find(struct dj_store *store, const char *word,
                                  const struct dj_side_filter *filter,
                                  bool *several_devices, struct dj_named_batches *named,
                                  struct dj_error *err);

/* Adds the batches that the word names to a side. */
int dj_compare_side_add_named(struct dj_side *side, struct dj_store *store,
                              const char *word, const struct dj_side_filter *filter,
                              bool *several_devices, struct dj_error *err);

#endif
