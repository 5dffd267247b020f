/* The description of a batch, from options or from a plan file. A batch is a series of
 * runs of each build on each device. The order of the runs treats both builds equally.
 * Each run is committed to the store before the next one begins. */
#ifndef DEJANK_MEASURE_BATCH_H
#define DEJANK_MEASURE_BATCH_H

#include "capture/permissions.h"
#include "drive/driver.h"

enum {
    DJ_BATCH_BUILDS_MAX = 2, /* Builds A and B. */
    DJ_BATCH_RUNS = 10,      /* The minimum that docs/guide.md recommends. */
    DJ_BATCH_WARMUPS = 1,
    DJ_BATCH_RETRIES = 2,
    DJ_BATCH_RUNS_MAX = 100000
};

/* The build of the app that is measured. */
struct dj_build_plan {
    const char *label;            /* "A", "B", or the label in the plan file. */
    const char *version, *commit; /* NULL if unknown. */
    const char *apk; /* APK file to install, or NULL if the app is already installed. */
    /* Program that is started under the recorder for each run, as an argv that ends with
     * NULL. If it is NULL, Android starts the app, or the app already runs and is not
     * stopped. */
    char *const *command;
};

/* Creates the drivers of one kind. All strings must outlive the batch. */
struct dj_driver_maker {
    const char *kind; /* See struct dj_driver. */
    /* Arguments of the driver, which are part of the fingerprint. */
    const char *arguments;
    /* More strings for the fingerprint, as an array that ends with NULL, or NULL. */
    const char *const *more;
    /* Creates the driver of one device. All runs on that device use the driver. Threads
     * of several devices may call this function at the same time, so it must not change
     * `user`. */
    int (*make)(const void *user, struct dj_device *device, struct dj_driver *driver,
                struct dj_error *err);
    void (*unmake)(struct dj_driver *driver); /* Frees the driver. May be NULL. */
    /* True if the driver rotates the screen, so that the rotation settings must be noted
     * first. */
    bool rotates;
    const void *user;
};

/* A driver that does nothing but wait. */
extern const struct dj_driver_maker dj_driver_idle;

/* What each run of a flow does. */
struct dj_flow_plan {
    /* Name of the batch in the store, for example "idle" or "scroll-list". */
    const char *name;
    const struct dj_driver_maker *maker;
    /* Length of the window, or its maximum length if the driver ends the window. */
    int64_t duration_ns;
    int64_t runs; /* Counted runs of each build, or 0 for the number in the batch plan. */
};

/* Which part of the system trace of each run's window is stored. */
enum dj_trace_selection {
    DJ_TRACE_NONE,
    DJ_TRACE_ALL,
    DJ_TRACE_JANKY /* Only the time around janky frames. */
};

/* Returns "all" or "janky", or NULL for DJ_TRACE_NONE. */
const char *dj_measure_trace_selection_name(enum dj_trace_selection selection);

/* Reads "all" or "janky". Returns false for any other word. */
bool dj_measure_trace_selection_find(const char *word,
                                     enum dj_trace_selection *selection);

/* How to capture traces. Members that are 0 have the default of struct
 * dj_capture_plan. */
struct dj_trace_plan {
    enum dj_trace_selection what;
    /* Time around a janky frame that is kept. Only for DJ_TRACE_JANKY. */
    int64_t before_ns, after_ns;
    int64_t buffer_bytes, size_bytes;
    const char *const *categories;
    size_t category_count;
    bool level_required;
    enum dj_capture_level level;
};

/* Flows, devices and builds to measure. Each combination becomes one batch in the store.
 * Everything that the plan points to must outlive the batch. Strings that the user did
 * not give are NULL. */
struct dj_batch_plan {
    const char *project; /* Name of the project, or NULL to use the package name. */
    /* Path of the plan file, or NULL if the plan comes from options. */
    const char *source;
    const char *package; /* Name of the app's process. */
    /* "CLASS", ".CLASS" or "PACKAGE/CLASS", or NULL for the launcher activity. */
    const char *activity;
    const char *const *devices; /* Device selectors, each once. "adb:" is not allowed. */
    size_t device_count;
    const struct dj_flow_plan *flows;
    size_t flow_count;
    struct dj_build_plan builds[DJ_BATCH_BUILDS_MAX];
    size_t build_count;
    int64_t runs, warmups;
    int64_t retries;      /* Maximum retries of one anomalous run. */
    int64_t settle_ns;    /* Time between the app's first frame and the window. */
    int64_t cool_down_ns; /* Maximum time to wait until a device has cooled down. */
    uint64_t seed;        /* Seed for the order of A and B. */
    /* Refresh rate to set on the display, or 0 to leave it unchanged. */
    double refresh_hz;
    /* A run is anomalous if the load by other programs before it is above this
     * percentage. */
    double busy_pct;
    bool attach;         /* The app already runs and is neither started nor stopped. */
    bool aggregate_only; /* Only reads counters and histograms, twice per run. */
    bool profile;        /* Also reads the simple per-stage dump. */
    struct dj_trace_plan trace; /* Trace that is stored as evidence of each run. */
    bool resume; /* Continues the newest batch with the same fingerprint. */
    /* Total number of runs of each build to which existing batches are extended, or 0.
     * Needs `resume`. Not part of the fingerprint. */
    int64_t extended;
    /* Folder for a recording of all requests to the device and its replies, or NULL. */
    const char *record;
    const char *objectives; /* The plan's objectives as JSON for the store, or NULL. */
};

/* Returns the total number of runs of each build in a flow. */
static inline int64_t dj_batch_flow_runs(const struct dj_batch_plan *plan,
                                         const struct dj_flow_plan *flow)
{
    int64_t runs = flow->runs > 0 ? flow->runs : plan->runs;
    return plan->extended > runs ? plan->extended : runs;
}

/* Returns a plan in which each member that has a default is set to it. */
struct dj_batch_plan dj_measure_batch_plan_default(void);

enum { DJ_FINGERPRINT = 17 }; /* Bytes, including NUL. */

/* Computes sixteen hex digits from the contents of a file. Different files rarely have
 * the same digits, but an attacker can make such files. Returns DJ_E_IO if the file
 * cannot be read. */
int dj_fingerprint_file(const char *path, char digits[DJ_FINGERPRINT],
                        struct dj_error *err);

/* Computes sixteen hex digits that identify what a batch measures. The same plan or
 * arguments on the same device give the same digits. The contents of an APK are included.
 * --resume, the store, the file's name and other devices are not. Returns DJ_E_IO if the
 * APK cannot be read. */
int dj_batch_fingerprint(const struct dj_batch_plan *plan,
                         const struct dj_flow_plan *flow, const char *device,
                         char digits[DJ_FINGERPRINT], struct dj_error *err);

#endif
