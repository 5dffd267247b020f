/* Maintains a store: excludes runs, exports and loads batches, checks, recomputes and
 * prunes. */
#ifndef DEJANK_STORE_UPKEEP_H
#define DEJANK_STORE_UPKEEP_H

#include "store/browse.h"

/* Exclude a run, or a whole batch, from what counts. The rows stay, with the reason.
 * reason NULL: it counts again. Return DJ_E_NO_DATA if there is no such key. */
int dj_store_exclude_run(struct dj_store *store, int64_t run, const char *reason,
                         struct dj_error *err);
int dj_store_exclude_batch(struct dj_store *store, int64_t batch, const char *reason,
                           struct dj_error *err);

/* The same for "BATCH", or for all attempts of run 7 of a batch: "BATCH#7". `operand` is
 * the name in error messages. *number: of the run; 0: the batch is meant. */
int dj_store_exclude_named(struct dj_store *store, const char *name, const char *operand,
                           const char *reason, int64_t *number, struct dj_error *err);

/* Counts what an export or load copied. */
struct dj_store_copy_counts {
    int64_t batches, runs; /* new in the target */
    int64_t known_runs;    /* existed already */
    int64_t
        renumbered_runs; /* got another attempt number, because another run has theirs */
    int64_t evidence, evidence_bytes; /* new pieces, and their bytes in the target */
};

/* Writes batches (keys; count 0: all) into a new store at `path`, which is a single file.
 * Returns DJ_E_OUTPUT if the path exists, and does not touch it. */
int dj_store_export(struct dj_store *store, const char *path, const int64_t *batches,
                    size_t count, struct dj_store_copy_counts *moved,
                    struct dj_error *err);

/* Copies everything in the store at `path` into this store. Batches and runs are
 * identified by their ids, so loading twice changes nothing. The file is checked first
 * (like dj_store_check()) and not changed. */
int dj_store_load(struct dj_store *store, const char *path,
                  struct dj_store_copy_counts *moved, struct dj_error *err);

enum {
    DJ_STORE_PROBLEMS_MAX = 100
}; /* most problems that a check reports; it counts all */

/* Counts what a check examined and found. */
struct dj_store_check_result {
    int64_t batches, runs, windows, evidence;
    int64_t older_figures; /* runs with figures of an earlier version */
    int64_t problems;
};

/* Checks the file's structure, its references, the hash of each piece of evidence, and
 * each run's figures by recomputing them. Returns 0 also if there are problems. Calls
 * `problem` with a sentence for each of the first DJ_STORE_PROBLEMS_MAX. */
int dj_store_check(struct dj_store *store,
                   void (*problem)(void *user, const char *sentence), void *user,
                   struct dj_store_check_result *checked, struct dj_error *err);

/* Recomputes the figures of all runs from their evidence and stores them. */
struct dj_store_recompute_result {
    int64_t runs, changed;
};
int dj_store_recompute(struct dj_store *store, struct dj_store_recompute_result *done,
                       struct dj_error *err);

/* Selects the batches to delete. A batch must match both rules. */
struct dj_store_prune_rules {
    int64_t before_unix_ms; /* began before this time; 0: any time */
    int64_t keep; /* how many of the newest batches of each project and device stay; 0:
                     none. One of the two rules must be set. */
    bool dry_run; /* only report */
};

struct dj_store_prune_result {
    int64_t batches, runs, evidence, evidence_bytes;
};

/* Deletes batches with everything that belongs only to them. Calls `callback` for each
 * batch before. */
int dj_store_prune(struct dj_store *store, const struct dj_store_prune_rules *rules,
                   int (*callback)(void *user, const struct dj_batch_row *batch),
                   void *user, struct dj_store_prune_result *pruned,
                   struct dj_error *err);

#endif
