/*
 * Reading a store. Rows are handed to a taker one by one; what they point to is valid
 * during the call, in which the taker must not write to the same struct dj_history. Not 0
 * from a taker ends the reading with that code. Unknown texts are NULL.
 */
#ifndef DEJANK_STORE_BROWSE_H
#define DEJANK_STORE_BROWSE_H

#include "store/store.h"

/* From now on each statement that reads is put into *plans, once, with the steps in which
 * the database goes about it, as it says itself; NULL: no more. */
void dj_history_explain(struct dj_history *history, struct dj_text *plans);

/* Runs that are no warm-up; a run is in one of the first three. */
struct dj_run_counts {
    int64_t clean;     /* finished, outcome ok: those that count */
    int64_t disturbed; /* of these: another load or heat was noticed, see `reason` */
    int64_t failed;    /* any other outcome */
    int64_t excluded;  /* by a person or a rule, with a reason, whatever their outcome */
    int64_t planned;   /* 0: unknown */
    int64_t warmups;
};

struct dj_batch_row {
    int64_t key;
    const char *id, *name, *kind, *fingerprint;
    const char *project, *version, *commit, *label; /* commit: of the build */
    const char *serial, *device_kind, *model, *release;
    int64_t device_key; /* the same: the same device with the same facts */
    const char *options, *objectives, *order; /* JSON */
    const char *group, *arm, *repeats;
    const char *excluded; /* why the whole batch is; NULL: it is not */
    const char *dejank;   /* the version that began it */
    int64_t began_unix_ms;
    struct dj_run_counts runs;
};

/* NULL or 0: any. All that are set must hold. */
struct dj_batch_filter {
    int64_t key;
    const char *project, *name, *serial, *group;
    int64_t most; /* only the newest so many */
};

/* Newest first: by when they began, then by key. */
int dj_history_each_batch(struct dj_history *history,
                          const struct dj_batch_filter *filter,
                          int (*take)(void *user, const struct dj_batch_row *batch),
                          void *user, struct dj_error *err);

/* What lasts of a device, by name. */
int dj_history_each_fact(struct dj_history *history, int64_t device_key,
                         int (*take)(void *user, const struct dj_fact *fact), void *user,
                         struct dj_error *err);

/* The key of the batch of this id; 0: there is none. */
int dj_history_find_id(struct dj_history *history, const char *id, int64_t *key,
                       struct dj_error *err);

/* What a person calls a batch: its id, the beginning of an id (4 characters and more)
 * that only one has, or a name or project, of which the newest batch is taken.
 * DJ_E_NO_DATA: there is none; DJ_E_USAGE: several ids begin so, and err names some of
 * them. */
int dj_history_resolve(struct dj_history *history, const char *word, int64_t *key,
                       struct dj_error *err);

struct dj_run_row {
    int64_t key, batch;
    int64_t number, attempt, order_index;
    bool warmup;
    enum dj_run_outcome outcome;
    const char *reason;   /* why it is not ok; of an ok run: what disturbed it */
    const char *excluded; /* why; NULL: it is not */
    int64_t started_unix_ms, duration_ns;
    struct dj_span span;
    const char *release;
    struct dj_metrics metrics; /* of the whole run */
};

/* In the order they were made. */
int dj_history_each_run(struct dj_history *history, int64_t batch,
                        int (*take)(void *user, const struct dj_run_row *run), void *user,
                        struct dj_error *err);

/* True for those that count: ok, no warm-up, not excluded. */
bool dj_run_row_counts(const struct dj_run_row *run);

struct dj_window_row {
    int64_t key, run, ordinal; /* ordinal 0: the whole run */
    const char *name;
    struct dj_span span;
    struct dj_metrics metrics;
};

int dj_history_each_window(struct dj_history *history, int64_t run,
                           int (*take)(void *user, const struct dj_window_row *window),
                           void *user, struct dj_error *err);

struct dj_condition_row {
    bool after; /* else before the run */
    struct dj_condition condition;
};

int dj_history_each_condition(struct dj_history *history, int64_t run,
                              int (*take)(void *user, const struct dj_condition_row *row),
                              void *user, struct dj_error *err);

/* A window's histogram; empty: unknown. The caller finishes it. */
int dj_history_histogram(struct dj_history *history, int64_t window,
                         enum dj_histogram_kind kind, struct dj_histogram *histogram,
                         struct dj_error *err);

/* Those of all runs of a batch that have one, each of the whole run, in one reading. The
 * taker may move a histogram out, and then zeroes it. */
int dj_history_each_run_histogram(struct dj_history *history, int64_t batch,
                                  enum dj_histogram_kind kind,
                                  int (*take)(void *user, int64_t run,
                                              struct dj_histogram *histogram),
                                  void *user, struct dj_error *err);

struct dj_evidence_row {
    int64_t ordinal; /* in the run, from 0 */
    const char *kind, *name;
    const char *sha256; /* of the bytes as they came, 64 hexadecimal digits */
    int64_t size;       /* bytes as they came */
    int64_t stored;     /* bytes it takes in the store */
};

int dj_history_each_evidence(struct dj_history *history, int64_t run,
                             int (*take)(void *user, const struct dj_evidence_row *row),
                             void *user, struct dj_error *err);

/* Appends a run's gfxinfo texts, from which its figures are computed. */
int dj_history_read_gfxinfo(struct dj_history *history, int64_t run, struct dj_text *text,
                            struct dj_error *err);

/* Appends the bytes of one piece. DJ_E_INVALID: its hash is not what it should be. */
int dj_history_read_evidence(struct dj_history *history, int64_t run, int64_t ordinal,
                             struct dj_text *bytes, struct dj_error *err);

#endif
