/* One device of a batch: connects it, plays all flows on it, and restores its settings. A
 * rig is the state of one device while a batch runs. */
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
    /* The store cannot be written any more, so all rigs stop. */
    _Atomic bool store_failed;
    struct dj_error store_error;
};

/* The store's batch of one flow and one build. */
struct dj_play_batch {
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    char fingerprint[DJ_FINGERPRINT];
    bool resumed;
    bool *clean; /* Element i is true if the store has a valid run with number i + 1. */
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
    /* Stops a run at the user's interrupt, or if the store cannot be written. */
    struct dj_interrupt_request stop;
    /* The following members belong to the current flow. */
    const struct dj_flow_plan *flow;
    struct dj_driver driver;
    bool driver_made;
    struct dj_play_batch batches[DJ_BATCH_BUILDS_MAX];
    struct dj_run_budget budgets[DJ_BATCH_BUILDS_MAX];
    int64_t disturbed;          /* Runs that count although they were anomalous. */
    struct dj_conditions first; /* Conditions before the flow's first run. */
    bool has_first;
    int64_t order_index;
    int64_t failed_in_a_row;
    enum dj_run_outcome last_outcome;
    int64_t runs_planned, runs_done;
    /* Template for events about the current or last attempt. */
    struct dj_play_event run_event;
};

/* One attempt of a run. Set the slot, initialize the rest with zero, and finish `run`. */
struct dj_attempt {
    const struct dj_order_slot *slot;
    struct dj_run run;
    char anomaly[DJ_REASON]; /* Anomaly of the conditions, or "". */
    /* Why the attempt does not count, or else its anomaly, or NULL. */
    const char *remark;
    struct dj_store_commit_result committed;
};

/* Plays all flows on one device. Reports errors as events and counts them. */
void dj_rig_play(struct dj_rig *rig);

bool dj_rig_is_stopped(const struct dj_rig *rig);

/* Waits until `ns` have passed or the rig is stopped. */
void dj_rig_sleep(const struct dj_rig *rig, int64_t ns);

/* Returns whether an error means that the device is disconnected or does not answer. */
static inline bool dj_rig_is_absent_error(int code)
{
    return code == DJ_E_GONE || code == DJ_E_TIMEOUT || code == DJ_E_PROTOCOL;
}

/* Sends an event to the caller of dj_measure_play(). */
void dj_rig_send_event(struct dj_rig *rig, struct dj_play_event event);
void dj_rig_report(struct dj_rig *rig, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds `count` to a number of the shared result. */
void dj_rig_add_count(struct dj_rig *rig, int64_t *number, int64_t count);

/* Connects the device, acquires its lease, restores settings that an earlier process left
 * changed, and applies the settings of the plan. */
int dj_rig_set_up(struct dj_rig *rig, struct dj_error *err);

/* Create and destroy the driver of the flow. The driver may use the connection, so
 * destroy it before the device is closed. */
int dj_rig_create_driver(struct dj_rig *rig, struct dj_error *err);
void dj_rig_destroy_driver(struct dj_rig *rig);

/* Waits a limited time until a disconnected device is back, and prepares it again. */
int dj_rig_recover(struct dj_rig *rig, struct dj_error *err);

/* Checks before the first run that the apps of the plan can be started. Returns
 * DJ_E_NO_DATA if one cannot. */
int dj_rig_check_apps(struct dj_rig *rig, struct dj_error *err);

/* Restores all settings, closes the device and releases its lease. */
void dj_rig_tear_down(struct dj_rig *rig);

/* Finds or creates the store's batches of the flow. `repeats` has the ids of the batches
 * that the new batches repeat, or is NULL. */
int dj_rig_begin_batches(struct dj_rig *rig, const char *const *repeats,
                         struct dj_error *err);
void dj_rig_end_batches(struct dj_rig *rig);

/* Writes an attempt to the store and sets `committed`. */
int dj_rig_store_attempt(struct dj_rig *rig, struct dj_attempt *attempt,
                         struct dj_error *err);

/* Makes one attempt of a run: installs the app, waits until the device is cool, runs,
 * and stores the result in *attempt and in the store. An error ends the batch of this
 * device. */
int dj_rig_make_attempt(struct dj_rig *rig, struct dj_attempt *attempt, int64_t number,
                        struct dj_error *err);

/* Plays the runs of the flow in order. Repeats anomalous runs, and repeats the whole
 * batch once if half of its runs were anomalous. */
int dj_rig_play_flow(struct dj_rig *rig, struct dj_error *err);

#endif
