/*
 * Reads a store. The functions call back once per row. The row and its texts are valid
 * during the call. The callback must not write to the same struct dj_store. A callback
 * that does not return 0 ends the reading with that code. Unknown texts are NULL.
 */
#ifndef DEJANK_STORE_BROWSE_H
#define DEJANK_STORE_BROWSE_H

#include "store/store.h"

/* From now on, appends each reading statement to *plans once, with the query plan that
 * the database reports. NULL stops this. */
void dj_store_explain(struct dj_store *store, struct dj_text *plans);

/* Counts runs that are no warm-up runs. Each run is in exactly one of clean, failed and
 * excluded. */
struct dj_run_counts {
    int64_t clean;     /* finished with outcome ok: the runs that count */
    int64_t disturbed; /* clean runs with a noticed disturbance such as load or heat */
    int64_t failed;    /* runs with any other outcome */
    int64_t excluded;  /* excluded by a person or a rule, whatever their outcome */
    int64_t planned;   /* 0: unknown */
    int64_t warmups;
};

struct dj_batch_row {
    int64_t key;
    const char *id, *name, *kind, *fingerprint;
    const char *project, *version, *commit, *label; /* commit: the build's */
    const char *serial, *device_kind, *model, *release;
    int64_t device_key;                       /* equal keys: same device, same facts */
    const char *options, *objectives, *order; /* JSON */
    const char *group, *arm, *repeats;
    const char *excluded; /* the reason the batch is excluded; NULL: it is not */
    const char *dejank;   /* the version of dejank that began the batch */
    int64_t began_unix_ms;
    struct dj_run_counts runs;
};

/* Selects batches. A batch must match all members that are set. NULL or 0 matches any. */
struct dj_batch_filter {
    int64_t key;
    const char *project, *name, *serial, *group;
    int64_t most; /* limit: only the newest batches; 0: no limit */
};

/* Calls `callback` for each batch, newest first: by start time, then by key. */
int dj_store_read_batches(struct dj_store *store, const struct dj_batch_filter *filter,
                          int (*callback)(void *user, const struct dj_batch_row *batch),
                          void *user, struct dj_error *err);

/* Calls `callback` for each lasting fact of a device, sorted by name. */
int dj_store_read_facts(struct dj_store *store, int64_t device_key,
                        int (*callback)(void *user, const struct dj_fact *fact),
                        void *user, struct dj_error *err);

/* Stores the key of the batch with this id in *key, or 0 if there is none. */
int dj_store_find_batch_id(struct dj_store *store, const char *id, int64_t *key,
                           struct dj_error *err);

/* Finds the batch that a person names: by its id, by a unique beginning of its id (at
 * least 4 characters), or by its name or project (then the newest one). Returns
 * DJ_E_NO_DATA if nothing matches. Returns DJ_E_USAGE if several ids begin with `word`,
 * and err names some of them. */
int dj_store_find_batch(struct dj_store *store, const char *word, int64_t *key,
                        struct dj_error *err);

struct dj_run_row {
    int64_t key, batch;
    int64_t number, attempt, order_index;
    bool warmup;
    enum dj_run_outcome outcome;
    const char *reason;   /* why it is not ok; if ok, what disturbed it; NULL: nothing */
    const char *excluded; /* the reason; NULL: not excluded */
    int64_t started_unix_ms, duration_ns;
    struct dj_span span;
    const char *release;
    struct dj_metrics metrics; /* of the whole run */
};

/* Calls `callback` for each run of the batch in the order of measurement. */
int dj_store_read_runs(struct dj_store *store, int64_t batch,
                       int (*callback)(void *user, const struct dj_run_row *run),
                       void *user, struct dj_error *err);

/* Returns whether the run counts: outcome ok, no warm-up, not excluded. */
bool dj_store_run_counts(const struct dj_run_row *run);

struct dj_window_row {
    int64_t key, run, ordinal; /* ordinal 0 is the whole run */
    const char *name;
    struct dj_span span;
    struct dj_metrics metrics;
};

int dj_store_read_windows(struct dj_store *store, int64_t run,
                          int (*callback)(void *user, const struct dj_window_row *window),
                          void *user, struct dj_error *err);

struct dj_condition_row {
    bool after; /* measured after the run, else before it */
    struct dj_condition condition;
};

int dj_store_read_conditions(struct dj_store *store, int64_t run,
                             int (*callback)(void *user,
                                             const struct dj_condition_row *row),
                             void *user, struct dj_error *err);

/* Reads the histogram of a window. It is empty if unknown. The caller finishes it. */
int dj_store_read_histogram(struct dj_store *store, int64_t window,
                            enum dj_histogram_kind kind, struct dj_histogram *histogram,
                            struct dj_error *err);

/* Calls `callback` with the whole-run histogram of each run of the batch that has one, in
 * one query. The callback may move the histogram away if it zeroes it. */
int dj_store_read_run_histograms(struct dj_store *store, int64_t batch,
                                 enum dj_histogram_kind kind,
                                 int (*callback)(void *user, int64_t run,
                                                 struct dj_histogram *histogram),
                                 void *user, struct dj_error *err);

struct dj_evidence_row {
    int64_t ordinal; /* in the run, from 0 */
    const char *kind, *name;
    const char *sha256; /* of the original bytes, 64 hexadecimal digits */
    int64_t size;       /* original size in bytes */
    int64_t stored;     /* size in the store in bytes */
};

int dj_store_read_evidence_rows(struct dj_store *store, int64_t run,
                                int (*callback)(void *user,
                                                const struct dj_evidence_row *row),
                                void *user, struct dj_error *err);

/* Appends the gfxinfo texts of a run. All figures of the run are computed from them. */
int dj_store_read_gfxinfo(struct dj_store *store, int64_t run, struct dj_text *text,
                          struct dj_error *err);

/* Appends the bytes of one piece of evidence. Returns DJ_E_INVALID if its hash is
 * wrong. */
int dj_store_read_evidence(struct dj_store *store, int64_t run, int64_t ordinal,
                           struct dj_text *bytes, struct dj_error *err);

#endif
