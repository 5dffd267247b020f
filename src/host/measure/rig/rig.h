/* A rig is the state of one device during a batch. It connects the device, plays all
 * flows of the plan on it, and restores its settings. */
#ifndef DEJANK_MEASURE_RIG_RIG_H
#define DEJANK_MEASURE_RIG_RIG_H

#include <pthread.h>
#include <stdatomic.h>

#include "measure/app/app.h"
#include "measure/journal.h"
#include "measure/lease.h"
#include "measure/play_event.h"
#include "measure/run/budget.h"
#include "measure/run/conditions.h"
#include "measure/run/order.h"
#include "measure/run/run.h"

/* Data that all rigs of a batch share. */
struct dj_play_session {
    const struct dj_batch_plan *plan;
    struct dj_store *store;
    const struct dj_play_context *context;
    pthread_mutex_t lock; /* Protects the store, the events and the result. */
    struct dj_play_result *result;
    /* True if the store cannot be written any more. All rigs then stop. */
    _Atomic bool store_failed;
    struct dj_error store_error;
};

/* The batch of the current flow and of one build, as a row of the store. */
struct dj_play_batch {
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    char fingerprint[DJ_FINGERPRINT];
    bool resumed;
    /* For each run, true if the store has a valid run with this number. The first run has
     * the index 0 and the number 1. Owned by this struct. */
    bool *clean;
};

struct dj_rig {
    struct dj_play_session *session;
    const struct dj_batch_plan *plan; /* The plan of the session. */
    size_t index;                     /* Index of the device in the plan. */
    struct dj_device *device, *watcher;
    struct dj_device_facts facts;
    struct dj_lease lease;
    struct dj_journal journal;
    struct dj_app apps[DJ_BATCH_BUILDS_MAX];
    bool apps_open;
    bool apps_checked;
    struct dj_condition_limits limits;
    /* Stops the current run, because the user requests it or the store cannot be written.
     */
    struct dj_interrupt_request stop;
    /* The following members belong to the current flow. */
    const struct dj_flow_plan *flow;
    struct dj_driver driver;
    bool driver_made;
    struct dj_play_batch batches[DJ_BATCH_BUILDS_MAX];
    struct dj_run_budget budgets[DJ_BATCH_BUILDS_MAX];
    int64_t disturbed; /* Number of valid runs that were anomalous. */
    /* Conditions before the flow's first run. Valid if has_first is set. */
    struct dj_conditions first;
    bool has_first;
    int64_t order_index;
    int64_t failed_in_a_row;
    /* Where the frames are read from now on. It becomes "surface" after a run of an app
     * that turned out not to be in gfxinfo. */
    const char *frame_source;
    bool surface_reported; /* True if the user knows that SurfaceFlinger is the source. */
    enum dj_run_outcome last_outcome;
    int64_t runs_planned, runs_done;
    /* Values that all events about the current attempt have in common. */
    struct dj_play_event run_event;
};

/* One attempt at a run. A run is repeated if an attempt is anomalous. Set `slot`,
 * initialize the rest with zero, and finish `run`. */
struct dj_attempt {
    const struct dj_order_slot *slot;
    struct dj_run run;
    char anomaly[DJ_REASON]; /* Anomaly of the conditions, or "" if there is none. */
    /* Reason why the attempt failed. If it did not fail, its anomaly, or NULL if there is
     * none. */
    const char *remark;
    struct dj_store_commit_result committed;
};

/* Plays all flows of the plan on one device. Reports errors as events, and adds them to
 * the result of the session. */
void dj_rig_play(struct dj_rig *rig);

bool dj_rig_is_stopped(const struct dj_rig *rig);

/* Waits for `ns` nanoseconds, or until the rig is stopped. */
void dj_rig_sleep(const struct dj_rig *rig, int64_t ns);

/* Returns true if the error code means that the device is disconnected or does not
 * answer. */
static inline bool dj_rig_is_absent_error(int code)
{
    return code == DJ_E_GONE || code == DJ_E_TIMEOUT || code == DJ_E_PROTOCOL;
}

/* Sends an event to the caller of dj_measure_play(). */
void dj_rig_send_event(struct dj_rig *rig, struct dj_play_event event);
void dj_rig_report(struct dj_rig *rig, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds `count` to *number, which is a member of the session's result. */
void dj_rig_add_count(struct dj_rig *rig, int64_t *number, int64_t count);

/* Connects the device, acquires its lease, restores settings that an earlier dejank
 * process has left changed, and applies the settings of the plan. */
int dj_rig_set_up(struct dj_rig *rig, struct dj_error *err);

/* Creates the driver of the flow. The driver may use the device's connection, so it must
 * be destroyed before the device is closed. */
int dj_rig_create_driver(struct dj_rig *rig, struct dj_error *err);

/* Destroys the driver of the flow. */
void dj_rig_destroy_driver(struct dj_rig *rig);

/* Waits a limited time until a disconnected device is connected again, and applies the
 * settings of the plan again. */
int dj_rig_recover(struct dj_rig *rig, struct dj_error *err);

/* Checks that the apps of the plan can be started. Does nothing after a successful check.
 * Returns DJ_E_NO_DATA if an app cannot be started. */
int dj_rig_check_apps(struct dj_rig *rig, struct dj_error *err);

/* Restores all settings, closes the device and releases its lease. */
void dj_rig_tear_down(struct dj_rig *rig);

/* Finds or creates the batches of the flow in the store. If the new batches repeat
 * earlier batches, `repeats` contains the ids of the earlier ones. Otherwise it is NULL.
 */
int dj_rig_begin_batches(struct dj_rig *rig, const char *const *repeats,
                         struct dj_error *err);
void dj_rig_end_batches(struct dj_rig *rig);

/* Writes an attempt to the store and sets attempt->committed. */
int dj_rig_store_attempt(struct dj_rig *rig, struct dj_attempt *attempt,
                         struct dj_error *err);

/* Makes one attempt at a run: installs the app, waits until the device is cool, plays the
 * run, and stores the result in *attempt and in the store. After an error, the device's
 * batch cannot continue. */
int dj_rig_make_attempt(struct dj_rig *rig, struct dj_attempt *attempt, int64_t number,
                        struct dj_error *err);

/* Plays the runs of the flow in order and repeats anomalous runs. If half of the runs of
 * a build were anomalous, repeats the whole batch once. */
int dj_rig_play_flow(struct dj_rig *rig, struct dj_error *err);

#endif
