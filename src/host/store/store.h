/*
 * store: keeps projects, builds, devices, batches, runs, their figures, and the raw
 * evidence of each figure. It does not interpret figures (compare, gate, trend) or
 * measure runs (measure).
 *
 * A store is one SQLite file or a PostgreSQL schema (docs/format/store.md). Any number of
 * processes may read and write it at once. A struct dj_store belongs to one thread at a
 * time. Each function that writes uses one transaction. If the process ends at any
 * moment, even by a kill, the store contains all of it or nothing. Only
 * dj_store_prune() deletes data.
 *
 * Errors: DJ_E_INVALID: no store, or a damaged one. DJ_E_VERSION: made by a newer dejank.
 * DJ_E_NO_DATA: not found. DJ_E_OUTPUT: not writable (place, rights, disk, or another
 * writer that does not end). DJ_E_USAGE: invalid arguments.
 *
 * Texts are UTF-8 and may contain any characters, because they reach SQL only as
 * parameters. A NULL text is unknown.
 *
 * This header opens stores and inserts runs. browse.h reads. metrics/window.h defines the
 * figures. upkeep.h excludes, exports, loads, checks, prunes and recomputes.
 */
#ifndef DEJANK_STORE_STORE_H
#define DEJANK_STORE_STORE_H

#include "base/text.h"
#include "facts/device.h"
#include "facts/run_outcome.h"
#include "metrics/window.h"

struct dj_store;

enum dj_store_mode {
    DJ_STORE_READ,   /* must exist; nothing is changed or migrated */
    DJ_STORE_WRITE,  /* must exist */
    DJ_STORE_CREATE, /* is created if missing, with its folders (mode 0700) */
    DJ_STORE_UNNAMED /* a new store in a file of that folder that loses its name at
                          once: it vanishes when it is closed or when the process ends */
};

/* Appends the default location: $XDG_DATA_HOME/dejank/history.db, or the same below
 * ~/.local/share. Returns DJ_E_USAGE if the home folder is unknown. */
int dj_store_default_path(struct dj_text *path, struct dj_error *err);

/*
 * Opens the store at `path` (NULL: the default location). Migrates an older schema,
 * except with DJ_STORE_READ, which reads it unchanged. On success the caller closes
 * *store.
 */
int dj_store_open(const char *path, enum dj_store_mode mode, struct dj_store **store,
                  struct dj_error *err);
void dj_store_close(struct dj_store *store); /* NULL is allowed */
const char *dj_store_path(const struct dj_store *store);

/* Loads libpq. Only a store on a PostgreSQL server needs it. Returns DJ_E_UNSUPPORTED if
 * libpq is not installed. */
int dj_store_load_libpq(struct dj_error *err);

/* ---- devices, builds and conditions ---- */

/* The lasting properties of a device. Temperature and the like are conditions of runs.
 * The same device with other facts (after a system update) is another row and starts
 * another history. */
struct dj_store_device {
    const char *serial;          /* as its selector names it: "emulator-5554", "local:" */
    const char *kind;            /* "adb", "local", "replay", "import" */
    const char *model;           /* for people */
    const char *release;         /* of its system: "14" */
    const struct dj_fact *facts; /* in any order; names are unique */
    size_t fact_count;
};

struct dj_store_build {
    const char *version; /* "1.8.2" */
    const char *commit;
    const char *label; /* distinguishes builds, such as A and B */
};

/* A number or a text that was measured around a run. */
struct dj_condition {
    const char *name; /* "battery", "temperature-skin", "governor" */
    double value;     /* NaN: see `text`, or unknown */
    const char *text; /* NULL: none */
    const char *unit; /* "%", "°C", "Hz"; NULL: none */
};

/* ---- batches ---- */

struct dj_store_batch {
    const char *project; /* the package, or the name of the command */
    struct dj_store_build build;
    struct dj_store_device device;
    const char *name;        /* for people; need not be unique */
    const char *kind;        /* "run", "import" */
    const char *fingerprint; /* of plan or arguments; --resume looks for it */
    int64_t planned;         /* runs without warm-up runs; 0: unknown */
    const char *options;     /* JSON: how it is measured */
    const char *objectives;  /* JSON: objectives and priorities */
    const char *group;   /* id shared by batches measured interleaved; order_index then
                            counts across all of them */
    const char *arm;     /* "A", "B": which batch of the group */
    const char *order;   /* JSON: how the order was chosen: rule and seed */
    const char *repeats; /* id of the anomalous batch that this one repeats */
};

enum { DJ_STORE_ID_BYTES = 17 }; /* bytes of an id with its NUL */

/* Makes an id of 16 characters (0-9 and a-z, 80 random bits). Also used for `group`. */
int dj_store_create_id(char id[DJ_STORE_ID_BYTES], struct dj_error *err);

/* Begins a batch. Stores its id in `id` and its key in *key. */
int dj_store_begin_batch(struct dj_store *store, const struct dj_store_batch *batch,
                         char id[DJ_STORE_ID_BYTES], int64_t *key, struct dj_error *err);

/* Finds the newest batch with this fingerprint that is not excluded, to resume it. arm
 * NULL: any arm. Stores its id and key. *key is 0 if there is none. */
int dj_store_find_resumable(struct dj_store *store, const char *fingerprint,
                            const char *arm, char id[DJ_STORE_ID_BYTES], int64_t *key,
                            struct dj_error *err);

/* ---- runs ---- */

/* The kinds of evidence that dejank uses. A run may have any others ("screenshot"). */
#define DJ_EVIDENCE_GFXINFO "gfxinfo" /* gfxinfo text: the source of all figures */
#define DJ_EVIDENCE_STREAM "stream"   /* the bytes of a struct dj_drive_log */
#define DJ_EVIDENCE_TRACE "trace"     /* a system trace of the run's window (Perfetto) */

/* Original bytes. The store compresses them and keeps one copy, however many runs share
 * it. */
struct dj_store_evidence {
    const char *kind; /* "gfxinfo", "stream", "logcat" */
    const char *name; /* a file name for it; NULL: none */
    const void *bytes;
    size_t size; /* at most DJ_EVIDENCE_BYTES_MAX */
};

enum { DJ_EVIDENCE_BYTES_MAX = 512 << 20 };

struct dj_store_window {
    const char *name;
    struct dj_span span; /* device clock, ns */
};

struct dj_store_run {
    int64_t number;  /* in the batch, from 1; warm-up runs have their own numbers */
    int64_t attempt; /* from 1; 0: the next free one */
    int64_t
        order_index; /* position in the measurement order of the batch or group, from 0 */
    bool warmup;
    enum dj_run_outcome outcome;
    const char *reason;      /* why it is not DJ_RUN_OK; NULL: none */
    int64_t started_unix_ms; /* the host's wall clock */
    int64_t duration_ns;     /* whole duration, host monotonic clock */
    struct dj_span span;     /* the whole run, device clock in ns; both 0: unknown */
    const char *release;     /* the dialect of its text; NULL: inferred */
    const struct dj_store_window
        *windows; /* the driver's windows, without the whole run */
    size_t window_count;
    const struct dj_condition *before, *after;
    size_t before_count, after_count;
    const struct dj_store_evidence *evidence;
    size_t evidence_count;
};

/* What dj_store_commit_run() returns. */
struct dj_store_commit_result {
    int64_t key;               /* the run's key */
    int64_t attempt;           /* the attempt it got */
    struct dj_metrics metrics; /* of the whole run */
};

/*
 * Inserts one run with evidence and figures. The run is on disk when this returns 0. Each
 * run gets the window "" (ordinal 0), which is the whole run, followed by run->windows.
 * Returns DJ_E_USAGE if that attempt exists. `committed` may be NULL.
 */
int dj_store_commit_run(struct dj_store *store, int64_t batch,
                        const struct dj_store_run *run,
                        struct dj_store_commit_result *committed, struct dj_error *err);

/* Begins a batch with its first run in one transaction. On failure the store has neither.
 * Parameters as in dj_store_begin_batch() and dj_store_commit_run(). */
int dj_store_begin_batch_with_run(struct dj_store *store,
                                  const struct dj_store_batch *batch,
                                  const struct dj_store_run *run,
                                  char id[DJ_STORE_ID_BYTES], int64_t *key,
                                  struct dj_error *err);

#endif
