/*
 * store: keeps projects, builds, devices, batches, runs, their figures, and the raw
 * evidence of each figure. A flow is a user action, such as scrolling a list. A run is
 * one measurement of a flow. A batch is a set of runs that were measured together. This
 * module does not measure runs (measure) or interpret figures (compare, gate, trend).
 *
 * A store is one SQLite file or a PostgreSQL schema (docs/format/store.md). Any number of
 * processes may read and write it at the same time. A struct dj_store may be used by one
 * thread at a time. Each function that writes uses one transaction. Whenever the process
 * ends, even if it is killed, the store contains all changes of the transaction or none.
 * Only dj_store_prune() deletes data.
 *
 * Errors:
 *   DJ_E_INVALID  The store is damaged, or the file is not a store.
 *   DJ_E_VERSION  A newer dejank wrote the store.
 *   DJ_E_NO_DATA  Something was not found.
 *   DJ_E_OUTPUT   The store cannot be written: the path is wrong, permissions or disk
 *                 space are missing, or another writer does not finish.
 *   DJ_E_USAGE    An argument is invalid.
 *
 * Texts are UTF-8 and may contain any characters, because they are passed to SQL only as
 * parameters. A text is NULL if it is unknown.
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
    /* Opens a store for reading. The store must exist. It is not changed or migrated. */
    DJ_STORE_READ,
    DJ_STORE_WRITE, /* Opens a store for reading and writing. The store must exist. */
    /* The store and its folders (mode 0700) are created if they are missing. */
    DJ_STORE_CREATE,
    /* A new store in a new file at this path. The path is removed at once, so the file is
     * deleted when the store is closed or the process ends. */
    DJ_STORE_UNNAMED
};

/* Appends the default path of the store: $XDG_DATA_HOME/dejank/history.db, or
 * ~/.local/share/dejank/history.db. Returns DJ_E_USAGE if the home folder is unknown. */
int dj_store_default_path(struct dj_text *path, struct dj_error *err);

/* Opens the store at `path`, or at the default path if `path` is NULL. Migrates an older
 * schema, except with DJ_STORE_READ, which does not change the store. On success the
 * caller closes *store. */
int dj_store_open(const char *path, enum dj_store_mode mode, struct dj_store **store,
                  struct dj_error *err);
/* Closes the store and frees it. NULL is allowed. */
void dj_store_close(struct dj_store *store);
const char *dj_store_path(const struct dj_store *store);

/* Loads libpq, which is needed only for stores on a PostgreSQL server. Returns
 * DJ_E_UNSUPPORTED if libpq is not installed. */
int dj_store_load_libpq(struct dj_error *err);

/* The properties of a device that do not change from run to run. (Temperature and the
 * like are conditions of a run.) If a device gets other facts, for example by a system
 * update, it is stored as another device with a history of its own. */
struct dj_store_device {
    const char *serial; /* The selector of the device: "emulator-5554" or "local:". */
    /* How the device was reached: "adb", "local", "replay" or "import". */
    const char *kind;
    const char *model;           /* Name of the model for people. */
    const char *release;         /* Release of the operating system: "14". */
    const struct dj_fact *facts; /* Facts in any order. Their names are unique. */
    size_t fact_count;
};

struct dj_store_build {
    const char *version; /* Version such as "1.8.2". */
    const char *commit;
    const char *label; /* A name such as "A" or "B" that distinguishes builds. */
};

/* A condition of a run: a number or a text that was measured before or after the run. */
struct dj_condition {
    const char *name; /* Name such as "battery", "temperature-skin" or "governor". */
    double value;     /* The number, or NaN if the condition is a text or unknown. */
    const char *text; /* The text, or NULL if the condition is a number. */
    /* Unit of the number: "%", "°C" or "Hz", or NULL if there is no unit. */
    const char *unit;
};

struct dj_store_batch {
    const char *project; /* The package of the app, or the name of the command. */
    struct dj_store_build build;
    struct dj_store_device device;
    const char *name; /* A name for people. It need not be unique. */
    const char *kind; /* Origin of the batch: "run" or "import". */
    /* A hash of the plan or the arguments, by which --resume finds the batch. */
    const char *fingerprint;
    /* Number of planned runs without warm-up runs, or 0 if unknown. */
    int64_t planned;
    const char *options;    /* How the batch is measured, as JSON text. */
    const char *objectives; /* Objectives and priorities, as JSON. */
    /* An id shared by batches that are measured interleaved. The order_index of a run is
     * then its position in the order of all runs of these batches. */
    const char *group;
    const char *arm;   /* Name of the batch within the group: "A" or "B". */
    const char *order; /* Rule and seed of the order of runs, as JSON. */
    /* Id of the anomalous batch that this batch repeats, or NULL if it repeats none. */
    const char *repeats;
};

enum { DJ_STORE_ID_BYTES = 17 }; /* Size of an id with its NUL. */

/* Creates a random id of 16 characters (0-9 and a-z, 80 bits). Also used for `group`. */
int dj_store_create_id(char id[DJ_STORE_ID_BYTES], struct dj_error *err);

/* Inserts a batch without runs. Stores its id in `id` and its key in *key. */
int dj_store_begin_batch(struct dj_store *store, const struct dj_store_batch *batch,
                         char id[DJ_STORE_ID_BYTES], int64_t *key, struct dj_error *err);

/* Finds the newest batch with this fingerprint that is not excluded, so that it can be
 * resumed. If `arm` is NULL, any arm matches. Stores the id and key of the batch. *key is
 * 0 if there is no such batch. */
int dj_store_find_resumable(struct dj_store *store, const char *fingerprint,
                            const char *arm, char id[DJ_STORE_ID_BYTES], int64_t *key,
                            struct dj_error *err);

/* The kinds of evidence that dejank uses. A run may have evidence of other kinds, for
 * example "screenshot". */
/* Name of the evidence from which all figures are computed: the text of gfxinfo. */
#define DJ_EVIDENCE_GFXINFO "gfxinfo"
#define DJ_EVIDENCE_STREAM "stream" /* The bytes of a struct dj_drive_log. */
#define DJ_EVIDENCE_TRACE "trace"   /* A system trace of the run (Perfetto). */

/* Evidence: original bytes from a run. The store compresses these bytes. If several runs
 * have the same bytes, the store keeps one copy. */
struct dj_store_evidence {
    const char *kind; /* Kind such as "gfxinfo", "stream" or "logcat". */
    const char *name; /* A file name for the evidence, or NULL if there is none. */
    const void *bytes;
    size_t size; /* Number of bytes, at most DJ_EVIDENCE_BYTES_MAX. */
};

enum { DJ_EVIDENCE_BYTES_MAX = 512 << 20 };

struct dj_store_window {
    const char *name;
    struct dj_span span; /* Start and end by the device's clock in ns. */
};

struct dj_store_run {
    /* Number in the batch, counted from 1. Warm-up runs are numbered separately. */
    int64_t number;
    int64_t attempt; /* Attempt, counted from 1, or 0 to use the next free one. */
    /* Position in the measurement order of the batch or group, counted from 0. */
    int64_t order_index;
    bool warmup;
    enum dj_run_outcome outcome;
    const char *reason;      /* The reason if the outcome is not DJ_RUN_OK, or NULL. */
    int64_t started_unix_ms; /* Start of the run by the host's wall clock. */
    /* Duration of the whole run by the host's monotonic clock. */
    int64_t duration_ns;
    /* Start and end of the whole run by the device's clock in ns. Both are 0 if
     * unknown. */
    struct dj_span span;
    /* Android release that wrote the gfxinfo text. It defines the dialect of the text.
     * NULL if the release is inferred from the text. */
    const char *release;
    /* The windows that the driver marked, without the whole run. */
    const struct dj_store_window *windows;
    size_t window_count;
    const struct dj_condition *before, *after;
    size_t before_count, after_count;
    const struct dj_store_evidence *evidence;
    size_t evidence_count;
};

/* The result of dj_store_commit_run(). */
struct dj_store_commit_result {
    int64_t key;               /* Key of the run. */
    int64_t attempt;           /* The attempt number that the run got. */
    struct dj_metrics metrics; /* Figures of the whole run. */
};

/* Inserts a run with its evidence and figures. When the function returns 0, the run is on
 * disk. Each run gets a window "" with ordinal 0, which is the whole run, followed by
 * run->windows. Returns DJ_E_USAGE if the attempt exists. `committed` may be NULL. */
int dj_store_commit_run(struct dj_store *store, int64_t batch,
                        const struct dj_store_run *run,
                        struct dj_store_commit_result *committed, struct dj_error *err);

/* Inserts a batch and its first run in one transaction, so that a failure leaves neither
 * in the store. The parameters are those of dj_store_begin_batch() and
 * dj_store_commit_run(). */
int dj_store_begin_batch_with_run(struct dj_store *store,
                                  const struct dj_store_batch *batch,
                                  const struct dj_store_run *run,
                                  char id[DJ_STORE_ID_BYTES], int64_t *key,
                                  struct dj_error *err);

#endif
