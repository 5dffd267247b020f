/* Keeping a store: exclusion, handing batches over, and whether all is as it should be.
 */
#ifndef DEJANK_STORE_UPKEEP_H
#define DEJANK_STORE_UPKEEP_H

#include "store/browse.h"

/* Leaves a run, or a whole batch, out of what counts; it stays, with the reason. reason
 * NULL: it counts again. DJ_E_NO_DATA: there is no such key. */
int dj_history_exclude_run(struct dj_history *history, int64_t run, const char *reason,
                           struct dj_error *err);
int dj_history_exclude_batch(struct dj_history *history, int64_t batch,
                             const char *reason, struct dj_error *err);

/* The same for "BATCH", or for all attempts of run 7 of a batch: "BATCH#7". `operand` is
 * the name in error messages. *number: of the run; 0: the batch is meant. */
int dj_history_exclude_named(struct dj_history *history, const char *name,
                             const char *operand, const char *reason, int64_t *number,
                             struct dj_error *err);

/* What moved. */
struct dj_history_moved {
    int64_t batches, runs;   /* new in the target */
    int64_t known_runs;      /* were there already */
    int64_t renumbered_runs; /* got another attempt: theirs was taken by another run */
    int64_t evidence, evidence_bytes; /* new pieces; bytes they take there */
};

/* Writes batches (keys; count 0: all) into a new store at `path`, one file without
 * companions. Where the path exists: DJ_E_OUTPUT, and nothing is touched. */
int dj_history_export(struct dj_history *history, const char *path,
                      const int64_t *batches, size_t count,
                      struct dj_history_moved *moved, struct dj_error *err);

/* Puts all of the store at `path` in, by the ids of batches and runs: twice is once. The
 * file is checked before (as dj_history_check() does) and not changed. */
int dj_history_load(struct dj_history *history, const char *path,
                    struct dj_history_moved *moved, struct dj_error *err);

enum { DJ_HISTORY_PROBLEMS = 100 }; /* that a check tells; all are counted */

/* What a check found: each as one sentence, and how much was looked at. */
struct dj_history_checked {
    int64_t batches, runs, windows, evidence;
    int64_t older_figures; /* runs whose figures an earlier version computed */
    int64_t problems;
};

/* The file's structure, references, each evidence's hash, and each run's figures computed
 * anew. 0 also where there are problems; the first of them are told. */
int dj_history_check(struct dj_history *history,
                     void (*problem)(void *user, const char *sentence), void *user,
                     struct dj_history_checked *checked, struct dj_error *err);

/* Computes every run's figures anew from its evidence, and keeps them. */
struct dj_history_recomputed {
    int64_t runs, changed;
};
int dj_history_recompute(struct dj_history *history, struct dj_history_recomputed *done,
                         struct dj_error *err);

/* Which batches go: those that both rules let go. */
struct dj_history_prune_rules {
    int64_t before_unix_ms; /* began before that; 0: whenever */
    int64_t keep;           /* the newest so many of each project and device stay; 0: none
                               does. One of the two must be set. */
    bool dry_run;           /* tell only */
};

struct dj_history_pruned {
    int64_t batches, runs, evidence, evidence_bytes;
};

/* Deletes batches with all that is only theirs; each is told before. */
int dj_history_prune(struct dj_history *history,
                     const struct dj_history_prune_rules *rules,
                     int (*take)(void *user, const struct dj_batch_row *batch),
                     void *user, struct dj_history_pruned *pruned, struct dj_error *err);

#endif
