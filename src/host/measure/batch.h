/* Describes what to measure. The description comes from command-line options or from a
 * plan file. A run is one measurement: the app is started and its frames are collected
 * for a window of time. A batch is a series of runs of one build, one flow and one
 * device. If two builds are compared, their runs alternate. Each run is committed to the
 * store before the next run begins. */
#ifndef DEJANK_MEASURE_BATCH_H
#define DEJANK_MEASURE_BATCH_H

#include "capture/permissions.h"
#include "capture/stack_options.h"
#include "drive/driver.h"

enum {
    DJ_BATCH_BUILDS_MAX = 2, /* Maximum number of builds in a batch: A and B. */
    /* Default number of runs. It is the minimum that docs/guide.md recommends. */
    DJ_BATCH_RUNS = 10,
    DJ_BATCH_WARMUPS = 1,
    DJ_BATCH_RETRIES = 2,
    DJ_BATCH_RUNS_MAX = 100000
};

/* The build of the app that is measured. */
struct dj_build_plan {
    const char *label; /* Name of the build: "A", "B", or the label in the plan file. */
    /* Version and commit of the build, or NULL if unknown. */
    const char *version, *commit;
    const char *apk; /* APK file to install, or NULL if the app is already installed. */
    /* Program that is started under the recorder for each run, as an argv that ends with
     * NULL. If NULL, either Android starts the app, or the app already runs and is not
     * stopped. */
    char *const *command;
};

/* Creates drivers of one kind. A driver operates the app during a run, for example by
 * scrolling. All strings must outlive the batch. */
struct dj_driver_maker {
    const char *kind; /* Kind of the driver, as in struct dj_driver. */
    /* Arguments of the driver, which are part of the fingerprint. */
    const char *arguments;
    /* Additional strings for the fingerprint, as an array that ends with NULL. May be
     * NULL. */
    const char *const *more;
    /* Creates the driver for one device. All runs on the device use this driver. The
     * threads of several devices may call this function at the same time, so it must not
     * change `user`. */
    int (*make)(const void *user, struct dj_device *device, struct dj_driver *driver,
                struct dj_error *err);
    void (*unmake)(struct dj_driver *driver); /* Frees the driver. May be NULL. */
    /* True if the driver rotates the screen. The original rotation settings must then be
     * added to the journal before the driver is created. */
    bool rotates;
    const void *user;
};

/* A driver that does nothing during the run. */
extern const struct dj_driver_maker dj_driver_idle;

/* A flow: what the driver does in each run, and for how long. */
struct dj_flow_plan {
    /* Name of the batch in the store, for example "idle" or "scroll-list". */
    const char *name;
    const struct dj_driver_maker *maker;
    /* Length of the window in ns. If the driver ends the window, this is the maximum
     * length. */
    int64_t duration_ns;
    /* Number of runs of each build, without warm-ups, or 0 for the number in the batch
     * plan. */
    int64_t runs;
};

/* Which part of a run's system trace is stored. */
enum dj_trace_selection {
    DJ_TRACE_NONE,
    DJ_TRACE_ALL,
    DJ_TRACE_JANKY /* Only the time around janky frames is stored. */
};

/* Returns "all" or "janky", or NULL for DJ_TRACE_NONE. */
const char *dj_measure_trace_selection_name(enum dj_trace_selection selection);

/* Finds the selection with the name "all" or "janky". Returns false for any other name.
 */
bool dj_measure_trace_selection_find(const char *word,
                                     enum dj_trace_selection *selection);

/* How to capture the system trace of a run. If a member is 0, the default of struct
 * dj_capture_plan applies. */
struct dj_trace_plan {
    enum dj_trace_selection what;
    /* Time before and after each janky frame that is stored. Used only for
     * DJ_TRACE_JANKY. */
    int64_t before_ns, after_ns;
    int64_t buffer_bytes, size_bytes;
    const char *const *categories;
    size_t category_count;
    bool level_required;
    enum dj_capture_level level;
    struct dj_capture_stacks stacks; /* Call stacks to sample on this machine. */
};

/* Flows, devices and builds to measure. Each combination of the three becomes one batch
 * in the store. Everything that the plan points to must exist as long as the batch. A
 * string that the user did not set is NULL. */
struct dj_batch_plan {
    const char *project; /* Name of the project, or NULL to use the package name. */
    /* Path of the plan file, or NULL if the plan comes from options. */
    const char *source;
    const char *package; /* Name of the app's process. */
    /* Activity to start, as "CLASS", ".CLASS" or "PACKAGE/CLASS", or NULL for the
     * launcher activity. */
    const char *activity;
    /* Selectors of the devices, without duplicates. "adb:" is not allowed. */
    const char *const *devices;
    size_t device_count;
    const struct dj_flow_plan *flows;
    size_t flow_count;
    struct dj_build_plan builds[DJ_BATCH_BUILDS_MAX];
    size_t build_count;
    int64_t runs, warmups;
    int64_t retries; /* Maximum number of repetitions of one anomalous run. */
    /* Time to wait after the app's first frame, before the window begins. */
    int64_t settle_ns;
    int64_t cool_down_ns; /* Maximum time to wait until a warm device has cooled down. */
    uint64_t seed;        /* Seed for the order of A and B. */
    /* Refresh rate to set on the display, or 0 to leave it unchanged. */
    double refresh_hz;
    /* Maximum load by other programs before a run, in percent. If the load is higher, the
     * run is anomalous. */
    double busy_pct;
    /* True if the app already runs and dejank neither starts nor stops it. */
    bool attach;
    /* True if only counters and histograms are read, at the start and at the end of a
     * window. */
    bool aggregate_only;
    /* Source of the frames: "gfxinfo", "surface" or "auto", as in struct
     * dj_collect_options. NULL means "auto". */
    const char *frame_source;
    /* True if the simple dump is also read. It lists the duration of each stage of a
     * frame. */
    bool profile;
    /* System trace that is captured in each run and stored with it. */
    struct dj_trace_plan trace;
    bool resume; /* True to continue the newest batch with the same fingerprint. */
    /* If not 0, existing batches are continued until each build has this total number of
     * runs. Needs `resume`. Not part of the fingerprint. */
    int64_t extended;
    /* Folder in which all requests to the device and its replies are recorded, or NULL.
     */
    const char *record;
    const char *objectives; /* The plan's objectives as JSON for the store, or NULL. */
};

/* Returns the total number of runs of each build in a flow, without warm-ups. */
static inline int64_t dj_batch_flow_runs(const struct dj_batch_plan *plan,
                                         const struct dj_flow_plan *flow)
{
    int64_t runs = flow->runs > 0 ? flow->runs : plan->runs;
    return plan->extended > runs ? plan->extended : runs;
}

/* Returns a plan in which all members have their default values. */
struct dj_batch_plan dj_measure_batch_plan_default(void);

/* Size of a fingerprint as text in bytes, including the NUL. */
enum { DJ_FINGERPRINT = 17 };

/* Computes a fingerprint of sixteen hex digits from the contents of a file. Two different
 * files rarely have the same fingerprint, except if someone constructs such files on
 * purpose. Returns DJ_E_IO if the file cannot be read. */
int dj_fingerprint_file(const char *path, char digits[DJ_FINGERPRINT],
                        struct dj_error *err);

/* Computes a fingerprint of sixteen hex digits that identifies what a batch measures. It
 * is equal if a plan or the same options are used again on the same device. The contents
 * of an APK change the fingerprint. The option --resume, the store, the name of the plan
 * file and other devices do not. Returns DJ_E_IO if the APK cannot be read. */
int dj_batch_fingerprint(const struct dj_batch_plan *plan,
                         const struct dj_flow_plan *flow, const char *device,
                         char digits[DJ_FINGERPRINT], struct dj_error *err);

#endif
