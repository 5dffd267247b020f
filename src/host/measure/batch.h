/* The description of a batch, from options or from a plan file. A batch is a series of
 * runs on each device, in an order that is fair to both builds. Each run is committed to
 * the store before the next one begins. */
#ifndef DEJANK_MEASURE_BATCH_H
#define DEJANK_MEASURE_BATCH_H

#include "capture/permissions.h"
#include "drive/driver.h"

enum {
    DJ_BATCH_BUILDS_MAX = 2, /* A and B */
    DJ_BATCH_RUNS = 10,      /* minimum that docs/guide.md recommends */
    DJ_BATCH_WARMUPS = 1,
    DJ_BATCH_RETRIES = 2,
    DJ_BATCH_RUNS_MAX = 100000
};

/* The build of the app that is measured. */
struct dj_build_plan {
    const char *label;            /* "A", "B", or the plan's label */
    const char *version, *commit; /* NULL: unknown */
    const char *apk;              /* file to install; NULL: the app is installed already
                                   */
    /* Program of this machine that is started under the recorder for each run: argv, ends
     * with NULL. NULL: Android starts the app, or the app runs already and is not
     * stopped. */
    char *const *command;
};

/* Creates the drivers of one kind. All strings must outlive the batch. */
struct dj_driver_maker {
    const char *kind;        /* see struct dj_driver */
    const char *arguments;   /* identifies the driver among those of its kind, for the
                              * fingerprint */
    const char *const *more; /* further strings of the fingerprint, end with NULL; NULL:
                              * none */
    /* Creates the driver of one device, which all runs on that device use. Several
     * devices call this at the same time, each on its own thread, so it must not change
     * `user`. */
    int (*make)(const void *user, struct dj_device *device, struct dj_driver *driver,
                struct dj_error *err);
    void (*unmake)(struct dj_driver *driver); /* NULL: there is nothing to free */
    bool rotates; /* the driver rotates the screen, so the rotation settings are noted
                   * first */
    const void *user;
};

/* The driver that only waits. */
extern const struct dj_driver_maker dj_driver_idle;

/* What each run of a flow does. */
struct dj_flow_plan {
    const char *name; /* name of the batch in the store: "idle", "scroll-list" */
    const struct dj_driver_maker *maker;
    int64_t duration_ns; /* length of the window; the maximum if the driver ends it */
    int64_t runs;        /* counted runs of each build; 0: use the batch's number */
};

/* Which part of the system trace of each run's window is kept. */
enum dj_trace_selection {
    DJ_TRACE_NONE,
    DJ_TRACE_ALL,
    DJ_TRACE_JANKY /* only the time around janky frames */
};

/* Returns "all" or "janky", or NULL for DJ_TRACE_NONE. */
const char *dj_measure_trace_selection_name(enum dj_trace_selection wish);

/* Reads "all" or "janky". Returns false for any other word. */
bool dj_measure_trace_selection_find(const char *word, enum dj_trace_selection *wish);

/* How to capture. Zero is the default of each field but `what`. See struct
 * dj_capture_plan. */
struct dj_trace_plan {
    enum dj_trace_selection what;
    int64_t before_ns, after_ns; /* for DJ_TRACE_JANKY */
    int64_t buffer_bytes, size_bytes;
    const char *const *categories;
    size_t category_count;
    bool level_required;
    enum dj_capture_level level;
};

/* All flows on all devices with all builds: each combination is one batch in the store.
 * Everything pointed to must outlive the batch. Strings that were not given are NULL. */
struct dj_batch_plan {
    const char *project;  /* NULL: use the package */
    const char *source;   /* path of the plan file; NULL: options */
    const char *package;  /* process name */
    const char *activity; /* "CLASS", ".CLASS" or "PACKAGE/CLASS"; NULL: the launcher
                           * activity */
    const char *const *devices; /* selectors; none is "adb:", none occurs twice */
    size_t device_count;
    const struct dj_flow_plan *flows;
    size_t flow_count;
    struct dj_build_plan builds[DJ_BATCH_BUILDS_MAX];
    size_t build_count;
    int64_t runs, warmups;
    int64_t retries;      /* maximum for one anomalous run */
    int64_t settle_ns;    /* wait from the app's first frame to the window */
    int64_t cool_down_ns; /* maximum wait for a device to cool down */
    uint64_t seed;        /* for the order of A and B */
    double refresh_hz;    /* refresh rate to set on the display; 0: do not set it */
    double busy_pct;      /* other load above this before a run makes the run anomalous */
    bool attach;          /* the app runs already; do not start or stop it */
    bool aggregate_only;  /* counters and histograms only: two readings per run */
    bool profile;         /* also read the simple per-stage dump */
    struct dj_trace_plan trace; /* stored as evidence of each run */
    bool resume;                /* continue the newest batch with the same fingerprint */
    int64_t extended;   /* total runs of each build in existing batches (needs resume);
                         * not part of the fingerprint; 0: unchanged */
    const char *record; /* folder to which the requests and answers of the one device are
                         * written, as a replay; NULL: none */
    const char *objectives; /* JSON of the plan's objectives, for the store; NULL: none */
};

/* Returns the number of runs of each build that a flow has in the end. */
static inline int64_t dj_batch_flow_runs(const struct dj_batch_plan *plan,
                                         const struct dj_flow_plan *flow)
{
    int64_t runs = flow->runs > 0 ? flow->runs : plan->runs;
    return plan->extended > runs ? plan->extended : runs;
}

/* Returns a plan with the default of each field that has one. */
struct dj_batch_plan dj_measure_batch_plan_default(void);

enum { DJ_FINGERPRINT = 17 }; /* bytes, including NUL */

/* Computes sixteen hex digits from the contents of a file. Different files rarely have
 * the same digits, but an attacker can make such files. Returns DJ_E_IO if the file
 * cannot be read. */
int dj_fingerprint_file(const char *path, char digits[DJ_FINGERPRINT],
                        struct dj_error *err);

/* Computes sixteen hex digits that identify what a batch measures: the same plan or
 * arguments on the same device give the same digits. The contents of an APK count.
 * --resume, the store, the file's name and other devices do not. Returns DJ_E_IO if the
 * APK cannot be read. */
int dj_batch_fingerprint(const struct dj_batch_plan *plan,
                         const struct dj_flow_plan *flow, const char *device,
                         char digits[DJ_FINGERPRINT], struct dj_error *err);

#endif
