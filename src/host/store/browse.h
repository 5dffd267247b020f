/* Reads a store. The functions call `callback` once per row, for example per batch. The
 * row and its texts are valid only during the call. The callback must not write to the
 * same struct dj_store. If the callback does not return 0, the function stops and returns
 * that code. Unknown texts are NULL. */
#ifndef DEJANK_STORE_BROWSE_H
#define DEJANK_STORE_BROWSE_H

#include "store/store.h"

/* Appends the SQL and the query plan of each later SELECT statement to *plans. Each
 * statement is appended once. If `plans` is NULL, stops this. */
void dj_store_explain(struct dj_store *store, struct dj_text *plans);

/* Numbers of runs, without warm-up runs. Each run is counted in exactly one of `clean`,
 * `failed` and `excluded`. */
struct dj_run_counts {
    /* Valid runs: they ended with the outcome "ok" and are not excluded. */
    int64_t clean;
    /* Clean runs that were disturbed, for example by load or heat. */
    int64_t disturbed;
    int64_t failed;   /* Runs with another outcome than "ok". */
    int64_t excluded; /* Runs that were excluded, whatever their outcome. */
    int64_t planned;  /* Number of planned runs, or 0 if unknown. */
    int64_t warmups;
};

struct dj_batch_row {
    int64_t key;
    const char *id, *name, *kind, *fingerprint;
    const char *project;
    const char *version, *commit, *label; /* Version, commit and label of the build. */
    const char *serial, *device_kind, *model, *release;
    /* Key of the device and its facts. Batches have the same device_key if both are
     * equal. */
    int64_t device_key;
    /* JSON texts: how the batch was measured, its objectives, and its order of runs. */
    const char *options, *objectives, *order;
    const char *group, *arm, *repeats;
    /* The reason why the batch is excluded, or NULL if it is not excluded. */
    const char *excluded;
    const char *dejank; /* The version of dejank that created the batch. */
    int64_t began_unix_ms;
    struct dj_run_counts runs;
};

/* Selects batches that match all members. A member that is NULL or 0 matches any
 * batch. */
struct dj_batch_filter {
    int64_t key;
    const char *project, *name, *serial, *group;
    /* Maximum number of batches to read, newest first, or 0 for no limit. */
    int64_t most;
    int64_t skip; /* Number of newest batches to leave out. */
};

/* Calls `callback` for each batch, sorted by start time and then by key, newest first. */
int dj_store_read_batches(struct dj_store *store, const struct dj_batch_filter *filter,
                          int (*callback)(void *user, const struct dj_batch_row *batch),
                          void *user, struct dj_error *err);

/* Calls `callback` for each fact of a device, sorted by name. Only facts that do not
 * change from run to run are stored. */
int dj_store_read_facts(struct dj_store *store, int64_t device_key,
                        int (*callback)(void *user, const struct dj_fact *fact),
                        void *user, struct dj_error *err);

/* Stores the key of the batch with this id in *key. Stores 0 if there is no such
 * batch. */
int dj_store_find_batch_id(struct dj_store *store, const char *id, int64_t *key,
                           struct dj_error *err);

/* Finds a batch by a name that a user entered. The name is an id, the beginning of an id
 * (at least 4 characters), the name of a batch, or the name of a project. If several
 * batches have the name or project, the newest is used. Returns DJ_E_NO_DATA if nothing
 * matches. Returns DJ_E_USAGE if several ids begin with `word`. The error lists some of
 * them. */
int dj_store_find_batch(struct dj_store *store, const char *word, int64_t *key,
                        struct dj_error *err);

struct dj_run_row {
    int64_t key, batch;
    int64_t number, attempt, order_index;
    bool warmup;
    enum dj_run_outcome outcome;
    /* If the outcome is "ok", a description of what disturbed the run, or NULL if nothing
     * did. Otherwise the reason for the outcome. */
    const char *reason;
    /* The reason why the run is excluded, or NULL if it is not excluded. */
    const char *excluded;
    int64_t started_unix_ms, duration_ns;
    struct dj_span span;
    const char *release;
    struct dj_metrics metrics; /* Figures of the whole run. */
};

/* Calls `callback` for each run of the batch in the order of measurement. */
int dj_store_read_runs(struct dj_store *store, int64_t batch,
                       int (*callback)(void *user, const struct dj_run_row *run),
                       void *user, struct dj_error *err);

/* Returns whether the run is valid, so that it counts: its outcome is "ok", and it is
 * neither a warm-up run nor excluded. */
bool dj_store_run_counts(const struct dj_run_row *run);

struct dj_window_row {
    /* `ordinal` is the index of the window in its run. The window with ordinal 0 is the
     * whole run. */
    int64_t key, run, ordinal;
    const char *name;
    struct dj_span span;
    struct dj_metrics metrics;
};

int dj_store_read_windows(struct dj_store *store, int64_t run,
                          int (*callback)(void *user, const struct dj_window_row *window),
                          void *user, struct dj_error *err);

struct dj_condition_row {
    bool after; /* True if measured after the run, false if before it. */
    struct dj_condition condition;
};

int dj_store_read_conditions(struct dj_store *store, int64_t run,
                             int (*callback)(void *user,
                                             const struct dj_condition_row *row),
                             void *user, struct dj_error *err);

/* Reads the histogram of a window. If the histogram is unknown, *histogram is empty. The
 * caller calls dj_exponential_finish(). */
int dj_store_read_histogram(struct dj_store *store, int64_t window,
                            enum dj_histogram_kind kind, struct dj_histogram *histogram,
                            struct dj_error *err);

/* Reads the whole-run histograms of all runs of a batch with one query. Calls `callback`
 * for each run that has a histogram. The callback can keep the histogram by copying the
 * struct and setting *histogram to zeros. */
int dj_store_read_run_histograms(struct dj_store *store, int64_t batch,
                                 enum dj_histogram_kind kind,
                                 int (*callback)(void *user, int64_t run,
                                                 struct dj_histogram *histogram),
                                 void *user, struct dj_error *err);

struct dj_evidence_row {
    int64_t ordinal; /* Index in the run, counted from 0. */
    const char *kind, *name;
    const char *sha256; /* SHA-256 of the original bytes, as 64 hexadecimal digits. */
    int64_t size;       /* Original size in bytes. */
    int64_t stored;     /* Size in the store in bytes. */
};

int dj_store_read_evidence_rows(struct dj_store *store, int64_t run,
                                int (*callback)(void *user,
                                                const struct dj_evidence_row *row),
                                void *user, struct dj_error *err);

/* Appends the gfxinfo texts of a run. All figures of the run are computed from these
 * texts. */
int dj_store_read_gfxinfo(struct dj_store *store, int64_t run, struct dj_text *text,
                          struct dj_error *err);

/* Appends the bytes of one evidence of a run. Returns DJ_E_INVALID if the bytes do not
 * match their hash. */
int dj_store_read_evidence(struct dj_store *store, int64_t run, int64_t ordinal,
                           struct dj_text *bytes, struct dj_error *err);

#endif
