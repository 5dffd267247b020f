/*
 * A batch as it was asked for, by options or by a plan's file, and playing it: runs on
 * each device, in an order that is fair to both builds, each one committed to the store
 * before the next begins.
 */
#ifndef DEJANK_MEASURE_BATCH_H
#define DEJANK_MEASURE_BATCH_H

#include "capture/levels.h"
#include "drive/driver.h"

enum {
    DJ_BATCH_BUILDS_MAX = 2, /* A and B */
    DJ_BATCH_RUNS = 10,      /* what the guide advises at least */
    DJ_BATCH_WARMUPS = 1,
    DJ_BATCH_RETRIES = 2,
    DJ_BATCH_RUNS_MAX = 100000
};

/* What is measured: one build of the app. */
struct dj_build_plan {
    const char *label;            /* "A", "B", or as the plan says */
    const char *version, *commit; /* NULL: not told */
    const char *apk;              /* file to install; NULL: the app is there already */
    /* A program of this machine, started under the recorder for each run: NULL-ended
     * argv. NULL: Android starts the app; or it runs already, and is left running. */
    char *const *command;
};

/* Makes the drivers of one kind. All strings outlive the batch. */
struct dj_driver_maker {
    const char *kind;        /* as in struct dj_driver */
    const char *arguments;   /* what makes two of a kind the same, for the fingerprint */
    const char *const *more; /* … and these besides, NULL-ended; NULL: none */
    /* One driver for one device, used for all its runs. Called on the device's thread,
     * for several devices at once: it may not change `user`. */
    int (*make)(const void *user, struct dj_device *device, struct dj_driver *driver,
                struct dj_error *err);
    void (*unmake)(struct dj_driver *driver); /* NULL: nothing to free */
    bool rotates; /* it turns the screen: the settings for that are noted before */
    const void *user;
};

/* The driver that does nothing but let time pass. */
extern const struct dj_driver_maker dj_driver_idle;

/* What is done in each run. */
struct dj_flow_plan {
    const char *name; /* of the batch in the store: "idle", "scroll-list" */
    const struct dj_driver_maker *maker;
    int64_t duration_ns; /* of the window; where the driver ends it, its maximum */
    int64_t runs;        /* counted ones, of each build; 0: as the batch says */
};

/* What is captured of the system in each run's window. */
enum dj_trace_wish {
    DJ_TRACE_NONE,
    DJ_TRACE_ALL,
    DJ_TRACE_JANKY /* what was around janky frames */
};

/* "all", "janky"; NULL: none. */
const char *dj_trace_word(enum dj_trace_wish wish);

/* "all" or "janky". False: `word` is neither. */
bool dj_trace_wish_find(const char *word, enum dj_trace_wish *wish);

/* How; zero is the default of all but `what`. As struct dj_capture_plan has them. */
struct dj_trace_plan {
    enum dj_trace_wish what;
    int64_t before_ns, after_ns; /* of DJ_TRACE_JANKY */
    int64_t buffer_bytes, size_bytes;
    const char *const *categories;
    size_t category_count;
    bool level_asked;
    enum dj_capture_level level;
};

/*
 * All flows on all devices with all builds: each of these is one batch of the store. All
 * that is pointed to outlives the batch; strings that nobody told are NULL.
 */
struct dj_batch_plan {
    const char *project;  /* NULL: the package */
    const char *source;   /* file of the plan; NULL: options */
    const char *package;  /* process name */
    const char *activity; /* "CLASS", ".CLASS" or "PACKAGE/CLASS"; NULL: the launcher's */
    const char *const *devices; /* selectors, none of them "adb:", none twice */
    size_t device_count;
    const struct dj_flow_plan *flows;
    size_t flow_count;
    struct dj_build_plan builds[DJ_BATCH_BUILDS_MAX];
    size_t build_count;
    int64_t runs, warmups;
    int64_t retries;      /* of one run that was anomalous */
    int64_t settle_ns;    /* from the app's first frame to the window */
    int64_t cool_down_ns; /* longest wait for a device to cool down */
    uint64_t seed;        /* of the order of A and B */
    double refresh_hz;    /* the display is held at it; 0: left as it is */
    double busy_pct;      /* other load before a run: beyond it the run is anomalous */
    bool attach;          /* the app runs already: it is neither started nor stopped */
    bool aggregate_only;  /* counters and histograms only: two readings a run */
    bool profile;         /* the simple per-stage dump, too */
    struct dj_trace_plan trace; /* kept as evidence of each run */
    bool resume;                /* go on with the newest batch of the same fingerprint */
    int64_t extended;   /* so many runs of each build instead, in batches that are there
                           already (with resume); not of the fingerprint. 0: no */
    const char *record; /* folder that keeps what the device is asked and answers, as a
                           replay; of one device only. NULL: none */
    const char *objectives; /* JSON as the plan has them, to be stored; NULL: none */
};

/* How many runs of each build a flow is to have in the end. */
static inline int64_t dj_flow_runs(const struct dj_batch_plan *plan,
                                   const struct dj_flow_plan *flow)
{
    int64_t runs = flow->runs > 0 ? flow->runs : plan->runs;
    return plan->extended > runs ? plan->extended : runs;
}

/* Defaults for all that has one. */
struct dj_batch_plan dj_batch_plan_default(void);

enum { DJ_FINGERPRINT = 17 }; /* bytes, NUL included */

/* Sixteen hex digits of a file's contents: few that tell two apart, not against an
 * attacker. DJ_E_IO. */
int dj_fingerprint_file(const char *path, char digits[DJ_FINGERPRINT],
                        struct dj_error *err);

/* Sixteen hex digits of what a batch measures: same plan or arguments, on the same
 * device, same digits. Not of it: --resume, the store, the file's name, other devices.
 * The contents of an APK are. DJ_E_IO where it cannot be read. */
int dj_batch_fingerprint(const struct dj_batch_plan *plan,
                         const struct dj_flow_plan *flow, const char *device,
                         char digits[DJ_FINGERPRINT], struct dj_error *err);

#endif
