/* One device of a batch: connecting it, playing all flows on it, restoring it. */
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

/* The data that all rigs of a batch share. */
struct dj_play_session {
    const struct dj_batch_plan *plan;
    struct dj_store *history;
    const struct dj_play_context *context;
    pthread_mutex_t lock; /* protects the history, the events and the result */
    struct dj_play_result *result;
    _Atomic bool store_failed; /* the store cannot be written any more; all rigs stop */
    struct dj_error store_error;
};

/* The store's batch of one flow and one build. */
struct dj_play_batch {
    char id[DJ_STORE_ID_BYTES];
    int64_t key;
    char fingerprint[DJ_FINGERPRINT];
    bool resumed;
    bool *clean; /* at run number − 1: a valid run is in the store */
};

struct dj_rig {
    struct dj_play_session *session;
    const struct dj_batch_plan *plan; /* the session's */
    size_t index;                     /* index of the device in the plan */
    struct dj_device *device, *watcher;
    struct dj_device_facts facts;
    struct dj_lease lease;
    struct dj_journal journal;
    struct dj_app apps[DJ_BATCH_BUILDS_MAX];
    bool apps_open;
    bool apps_checked;
    struct dj_condition_limits limits;
    struct dj_interrupt_request
        stop; /* stops a run: the user's interrupt, or a failed store */
    /* the present flow */
    const struct dj_flow_plan *flow;
    struct dj_driver driver;
    bool driver_made;
    struct dj_play_batch batches[DJ_BATCH_BUILDS_MAX];
    struct dj_run_budget budgets[DJ_BATCH_BUILDS_MAX];
    int64_t disturbed;                /* runs that count although they were anomalous */
    char disturbed_reason[DJ_REASON]; /* anomaly of the last of them */
    struct dj_conditions first;       /* conditions before the flow's first run */
    bool has_first;
    int64_t order_index;
    int64_t failed_in_a_row;
    enum dj_run_outcome last_outcome;
    int64_t runs_planned, runs_done;
    struct dj_play_event run_event; /* template of events about the present attempt, or
                                     * the last one */
};

/* One attempt of a run. Set the slot and initialize the rest with zero. Finish its run.
 */
struct dj_attempt {
    const struct dj_order_slot *slot;
    struct dj_run run;
    char anomaly[DJ_REASON]; /* anomaly of its conditions; "": none */
    const char *remark;      /* reason why it does not count, or its anomaly; NULL:
                              * neither */
    struct dj_store_commit_result committed;
};

/* Plays all flows on one device. Errors are reported as events and counted. */
void dj_rig_play(struct dj_rig *rig);

bool dj_rig_is_stopped(const struct dj_rig *rig);

/* Waits `ns`, or until the rig is stopped. */
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

/* Adds to a number of the shared result. */
void dj_rig_add_count(struct dj_rig *rig, int64_t *number, int64_t count);

/* Connects the device, takes its lease, restores settings that an earlier process left
 * changed, and applies the settings of the plan. */
int dj_rig_set_up(struct dj_rig *rig, struct dj_error *err);

/* Creates or destroys the driver of the flow. The driver may use the connection, so
 * destroy it before the device is closed. */
int dj_rig_create_driver(struct dj_rig *rig, struct dj_error *err);
void dj_rig_destroy_driver(struct dj_rig *rig);

/* Waits a limited time until a device that disconnected is back, and repeats its
 * preparation. */
int dj_rig_recover(struct dj_rig *rig, struct dj_error *err);

/* Before the first run: returns DJ_E_NO_DATA if an app of the plan cannot be started at
 * all. */
int dj_rig_check_apps(struct dj_rig *rig, struct dj_error *err);

/* Restores all settings, closes the device and its lease. */
void dj_rig_tear_down(struct dj_rig *rig);

/* Finds or creates the store's batches of the flow. `repeats`: the ids of the batches
 * that these repeat, or NULL. */
int dj_rig_begin_batches(struct dj_rig *rig, const char *const *repeats,
                         struct dj_error *err);
void dj_rig_end_batches(struct dj_rig *rig);

/* Writes an attempt to the store and sets `committed`. */
int dj_rig_store_attempt(struct dj_rig *rig, struct dj_attempt *attempt,
                         struct dj_error *err);

/* Makes one attempt of a run: installs, waits until the device is cool, runs, and stores.
 * *attempt receives the result. An error ends the batch of this device. */
int dj_rig_make_attempt(struct dj_rig *rig, struct dj_attempt *attempt, int64_t number,
                        struct dj_error *err);

/* Plays the flow: its runs in order. Repeats each anomalous run, and repeats the whole
 * batch once if half of it was anomalous. */
int dj_rig_play_flow(struct dj_rig *rig, struct dj_error *err);

#endif
