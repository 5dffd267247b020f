/* Maintains a store: excludes runs, exports and loads batches, checks, recomputes and
 * prunes. */
#ifndef DEJANK_STORE_UPKEEP_H
#define DEJANK_STORE_UPKEEP_H

#include "store/browse.h"

/* Excludes a run, so that it does not count. The rows stay in the store with the reason.
 * If `reason` is NULL, the run counts again. Returns DJ_E_NO_DATA if the key does not
 * exist. */
int dj_store_exclude_run(struct dj_store *store, int64_t run, const char *reason,
                         struct dj_error *err);

/* Excludes a whole batch like dj_store_exclude_run(). */
int dj_store_exclude_batch(struct dj_store *store, int64_t batch, const char *reason,
                           struct dj_error *err);

/* Excludes the batch that `name` names. If `name` is "BATCH#7", excludes all attempts of
 * run 7 of the batch instead. `operand` is what error messages call the name. Sets
 * *number to the number of the run, or to 0 for a batch. */
int dj_store_exclude_named(struct dj_store *store, const char *name, const char *operand,
                           const char *reason, int64_t *number, struct dj_error *err);

/* Counts of the rows that an export or load copied. */
struct dj_store_copy_counts {
    /* Number of batches and runs that are new in the target. */
    int64_t batches, runs;
    int64_t known_runs; /* Number of runs that the target already had. */
    /* Number of runs with a changed attempt number. A number is changed if another run in
     * the target already has it. */
    int64_t renumbered_runs;
    /* Number of new pieces of evidence in the target, and the size of this evidence in
     * the target in bytes. */
    int64_t evidence, evidence_bytes;
};

/* Writes batches to a new store in the file `path`. `batches` are keys. If `count` is 0,
 * writes all batches. If the file exists, returns DJ_E_OUTPUT and does not change the
 * file. */
int dj_store_export(struct dj_store *store, const char *path, const int64_t *batches,
                    size_t count, struct dj_store_copy_counts *moved,
                    struct dj_error *err);

/* Copies everything in the store at `path` to this store. Batches and runs are identified
 * by their ids, so loading a store twice changes nothing. The store at `path` is not
 * changed, and is first checked as by dj_store_check(). */
int dj_store_load(struct dj_store *store, const char *path,
                  struct dj_store_copy_counts *moved, struct dj_error *err);

/* Maximum number of problems that a check reports. Further problems are only counted. */
enum { DJ_STORE_PROBLEMS_MAX = 100 };

/* Counts of the rows that a check examined, and of the problems that it found. */
struct dj_store_check_result {
    int64_t batches, runs, windows, evidence;
    /* Number of runs with figures computed by an earlier version. */
    int64_t older_figures;
    int64_t problems;
};

/* Checks the structure of the store, its references, the hash of all evidence, and the
 * figures of each run by recomputing them. Returns 0 even if there are problems. Calls
 * `problem` with a sentence for each of the first DJ_STORE_PROBLEMS_MAX problems. */
int dj_store_check(struct dj_store *store,
                   void (*problem)(void *user, const char *sentence), void *user,
                   struct dj_store_check_result *checked, struct dj_error *err);

/* The result of dj_store_recompute(), which recomputes the figures of all runs from their
 * evidence and stores the new figures. */
struct dj_store_recompute_result {
    int64_t runs, changed;
};
int dj_store_recompute(struct dj_store *store, struct dj_store_recompute_result *done,
                       struct dj_error *err);

/* Selects the batches to delete. A batch must match both rules, and at least one of the
 * two rules must be set. */
struct dj_store_prune_rules {
    /* Delete only batches that began before this time. 0 for any time. */
    int64_t before_unix_ms;
    /* Number of the newest batches of each project and device that are not deleted. 0
     * deletes all batches that are old enough. */
    int64_t keep;
    bool dry_run; /* True to delete nothing and only report. */
};

struct dj_store_prune_result {
    int64_t batches, runs, evidence, evidence_bytes;
};

/* Deletes the selected batches and everything that belongs only to them. Calls `callback`
 * for each batch before it is deleted. */
int dj_store_prune(struct dj_store *store, const struct dj_store_prune_rules *rules,
                   int (*callback)(void *user, const struct dj_batch_row *batch),
                   void *user, struct dj_store_prune_result *pruned,
                   struct dj_error *err);

#endif
