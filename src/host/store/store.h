/*
 * history: the store — projects, builds, devices, batches, runs, their figures, and the
 * raw evidence beside every number. Not what the figures mean (judge), nor when runs are
 * made (measure).
 *
 * One SQLite file (docs/format/store.md). Any number of processes may read and write it
 * at once; a struct dj_history belongs to one thread at a time. Every function that
 * writes does so in one transaction: after any end of the process, a kill too, the store
 * has all of it or nothing. Nothing is deleted but by dj_history_prune().
 *
 * Errors: DJ_E_INVALID no store, or damaged; DJ_E_VERSION of a newer dejank; DJ_E_NO_DATA
 * not there; DJ_E_OUTPUT it cannot be written (place, rights, disk, another writer that
 * does not end); DJ_E_USAGE what was given makes no sense.
 *
 * Texts are UTF-8 and may hold anything: they reach SQL as parameters only. NULL texts
 * are unknown.
 *
 * This header: opening, and putting runs in. Reading: browse.h. Figures: metrics.h.
 * Exclusion, export, load, check, prune, recompute: upkeep.h.
 */
#ifndef DEJANK_STORE_STORE_H
#define DEJANK_STORE_STORE_H

#include "base/text.h"
#include "facts/device.h"
#include "facts/run_outcome.h"
#include "metrics/window.h"

struct dj_history;

enum dj_history_mode {
    DJ_HISTORY_READ,   /* it must be there; nothing is changed, also no migration done */
    DJ_HISTORY_WRITE,  /* it must be there */
    DJ_HISTORY_CREATE, /* made where it is not there, with its folders (mode 0700) */
    DJ_HISTORY_UNNAMED /* a new one in a file of that folder that loses its name at once:
                          it vanishes when it is closed, or when the process ends */
};

/* Appends where the store is when nobody says: $XDG_DATA_HOME/dejank/history.db, or
 * below ~/.local/share. DJ_E_USAGE: no home folder is known. */
int dj_history_default_path(struct dj_text *path, struct dj_error *err);

/*
 * Opens the store at `path` (NULL: the default). An older schema is brought up to date
 * (not with DJ_HISTORY_READ, which reads it as it is). On success
 * the caller closes *history.
 */
int dj_history_open(const char *path, enum dj_history_mode mode,
                    struct dj_history **history, struct dj_error *err);
void dj_history_close(struct dj_history *history); /* NULL is fine */
const char *dj_history_path(const struct dj_history *history);

/* Whether a store on a server of PostgreSQL could be opened here: DJ_E_UNSUPPORTED where
 * libpq is not installed. */
int dj_history_postgres_ready(struct dj_error *err);

/* ---- what a batch is of ---- */

/* What lasts of a device: temperature and the like are conditions of runs. The same
 * device with other facts (a system update) is another row, and another history. */
struct dj_history_device {
    const char *serial;          /* as its selector names it: "emulator-5554", "local:" */
    const char *kind;            /* "adb", "local", "replay", "import" */
    const char *model;           /* for people */
    const char *release;         /* of its system: "14" */
    const struct dj_fact *facts; /* in any order; names once each */
    size_t fact_count;
};

struct dj_history_build {
    const char *version; /* "1.8.2" */
    const char *commit;
    const char *label; /* whatever tells A from B */
};

/* A number or a text, measured beside the frames. */
struct dj_condition {
    const char *name; /* "battery", "temperature-skin", "governor" */
    double value;     /* NaN: `text` says it, or it is unknown */
    const char *text; /* NULL: none */
    const char *unit; /* "%", "°C", "Hz"; NULL: none */
};

/* ---- batches ---- */

struct dj_history_batch {
    const char *project; /* the package, or the command's name */
    struct dj_history_build build;
    struct dj_history_device device;
    const char *name;        /* for people; need not be unique */
    const char *kind;        /* "run", "import" */
    const char *fingerprint; /* of plan or arguments: what --resume looks for */
    int64_t planned;         /* runs, warm-up not counted; 0 unknown */
    const char *options;     /* JSON: how it is measured */
    const char *objectives;  /* JSON: what it is to reach, and priorities */
    const char *group;       /* batches measured interleaved have the same; their runs'
                                order_index counts in all of them together */
    const char *arm;         /* "A", "B": which of the group */
    const char *order;       /* JSON: how the order was drawn: rule and seed */
    const char *repeats; /* id of the batch that this one repeats, as it was anomalous */
};

enum { DJ_HISTORY_ID = 17 }; /* bytes of an id with its NUL */

/* Makes an id: 16 characters out of 0-9 and a-z, 80 random bits. For `group`. */
int dj_history_new_id(char id[DJ_HISTORY_ID], struct dj_error *err);

/* Begins a batch. Its id goes into `id`, its key in this store into *batch. */
int dj_history_begin(struct dj_history *history, const struct dj_history_batch *batch,
                     char id[DJ_HISTORY_ID], int64_t *key, struct dj_error *err);

/* The newest batch of this fingerprint (arm NULL: whatever its arm) that is not excluded:
 * its id and key, to go on with. 0 and *key 0: there is none. */
int dj_history_find(struct dj_history *history, const char *fingerprint, const char *arm,
                    char id[DJ_HISTORY_ID], int64_t *key, struct dj_error *err);

/* ---- runs ---- */

/* The kinds that mean something here; there may be any others ("screenshot"). */
#define DJ_EVIDENCE_GFXINFO "gfxinfo" /* gfxinfo text: all figures come from it */
#define DJ_EVIDENCE_STREAM "stream"   /* struct dj_drive_log's */
#define DJ_EVIDENCE_TRACE "trace"     /* of the system, in the run's window: Perfetto's */

/* Bytes as they came, kept compressed, and only once however many runs have them. */
struct dj_history_evidence {
    const char *kind; /* "gfxinfo", "stream", "logcat" */
    const char *name; /* a file name for it; NULL: none */
    const void *bytes;
    size_t size; /* at most DJ_EVIDENCE_MOST */
};

enum { DJ_EVIDENCE_MOST = 512 << 20 };

struct dj_history_window {
    const char *name;
    struct dj_span span; /* dev_ns */
};

struct dj_history_run {
    int64_t number;      /* within the batch, from 1; warm-up runs have their own count */
    int64_t attempt;     /* from 1; 0: the next free one */
    int64_t order_index; /* in which order the runs of the batch, or of its group, were
                            made, from 0 */
    bool warmup;
    enum dj_run_outcome outcome;
    const char *reason;      /* why it is not DJ_RUN_OK; NULL: none */
    int64_t started_unix_ms; /* the host's wall clock */
    int64_t duration_ns;     /* of all of it, by the host's monotonic clock */
    struct dj_span span;     /* the whole run's window, dev_ns; both 0: unknown */
    const char *release;     /* the dialect its text is read in; NULL: inferred */
    const struct dj_history_window *windows; /* those the driver told, beside the whole */
    size_t window_count;
    const struct dj_condition *before, *after;
    size_t before_count, after_count;
    const struct dj_history_evidence *evidence;
    size_t evidence_count;
};

/* What commit tells. */
struct dj_history_committed {
    int64_t key;               /* of the run */
    int64_t attempt;           /* it got */
    struct dj_metrics metrics; /* of the whole run */
};

/*
 * Puts one run in, evidence and figures and all: it is on the disk when this returns 0.
 * Every run gets the window "" (ordinal 0), which is the whole of it, and after it those
 * of run->windows. DJ_E_USAGE where that attempt is there already. `committed` may be
 * NULL.
 */
int dj_history_commit(struct dj_history *history, int64_t batch,
                      const struct dj_history_run *run,
                      struct dj_history_committed *committed, struct dj_error *err);

/* Begins a batch with its first run, in one transaction: where this fails, the store has
 * neither. As dj_history_begin() and dj_history_commit(). */
int dj_history_begin_with_run(struct dj_history *history,
                              const struct dj_history_batch *batch,
                              const struct dj_history_run *run, char id[DJ_HISTORY_ID],
                              int64_t *key, struct dj_error *err);

#endif
