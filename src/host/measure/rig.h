/* One device of a batch, played to its end. Private to measure: play.c starts these. */
#ifndef DEJANK_MEASURE_RIG_H
#define DEJANK_MEASURE_RIG_H

#include <pthread.h>
#include <stdatomic.h>

#include "measure/app.h"
#include "measure/conditions.h"
#include "measure/journal.h"
#include "measure/lease.h"
#include "measure/order.h"
#include "measure/play.h"
#include "measure/run.h"
#include "measure/run_budget.h"

/* What all rigs share. */
struct dj_playhouse {
    const struct dj_batch_plan *plan;
    struct dj_history *history;
    const struct dj_play_world *world;
    pthread_mutex_t lock; /* of the history, of events, of the result */
    struct dj_play_result *result;
    _Atomic bool store_failed; /* nothing can be kept any more: all end */
    struct dj_error store_error;
};

/* A batch of the store that is being played: of one flow and one build. */
struct dj_play_batch {
    char id[DJ_HISTORY_ID];
    int64_t key;
    char fingerprint[DJ_FINGERPRINT];
    bool resumed;
    bool *clean; /* by run number − 1: it is in the store already */
};

struct dj_rig {
    struct dj_playhouse *stage;
    const struct dj_batch_plan *plan; /* of the stage */
    size_t index;                     /* of the plan's devices */
    struct dj_device *device, *watcher;
    struct dj_device_facts facts;
    struct dj_lease lease;
    struct dj_journal journal;
    struct dj_app apps[DJ_BATCH_BUILDS_MAX];
    bool apps_open;
    bool apps_checked;
    struct dj_condition_limits limits;
    struct dj_interrupt stop; /* of the run: a person's, or the store's failure */
    /* of the flow being played */
    const struct dj_flow_plan *flow;
    struct dj_driver driver;
    bool driver_made;
    struct dj_play_batch batches[DJ_BATCH_BUILDS_MAX];
    struct dj_run_budget budgets[DJ_BATCH_BUILDS_MAX];
    int64_t disturbed;              /* runs that count although they were anomalous */
    char disturbed_says[DJ_REASON]; /* how the last of them was */
    struct dj_conditions first;     /* of its first run */
    bool has_first;
    int64_t order_index;
    int64_t failed_in_a_row;
    enum dj_run_outcome last_outcome;
    int64_t runs_planned, runs_done;
    struct dj_play_event run_event; /* of the attempt being made, or made last */
};

/* One attempt of a run. Zero it but for the slot; finish its run. */
struct dj_attempt {
    const struct dj_order_slot *slot;
    struct dj_run run;
    char anomaly[DJ_REASON]; /* of its conditions; "" */
    const char *remark;      /* why it does not count, or its anomaly; NULL: neither */
    struct dj_history_committed committed;
};

/* Plays all flows on one device; what went wrong is told as an event, and counted. */
void dj_rig_play(struct dj_rig *rig);

/* ---- parts of it ---- */

bool dj_rig_stopped(const struct dj_rig *rig);

/* Waits, at most until it is stopped. */
void dj_rig_sleep(const struct dj_rig *rig, int64_t ns);

/* Such an error says that the device is away, or as good as that. */
static inline bool dj_rig_is_absence(int code)
{
    return code == DJ_E_GONE || code == DJ_E_TIMEOUT || code == DJ_E_PROTOCOL;
}

/* Tells everybody who looks. */
void dj_rig_tell(struct dj_rig *rig, struct dj_play_event event);
void dj_rig_say(struct dj_rig *rig, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds to a number of the result that all rigs share. */
void dj_rig_add(struct dj_rig *rig, int64_t *number, int64_t count);

/* Connects, leases it, puts back what an earlier process left, sets what is to be set. */
int dj_rig_set_up(struct dj_rig *rig, struct dj_error *err);

/* The flow's driver. It may hold on to the device: it is unmade before that is closed. */
int dj_rig_make_driver(struct dj_rig *rig, struct dj_error *err);
void dj_rig_unmake_driver(struct dj_rig *rig);

/* The device went away: waits for it, some time, and sets up what it lost. */
int dj_rig_recover(struct dj_rig *rig, struct dj_error *err);

/* Before the first run: DJ_E_NO_DATA if an app of the plan cannot come up at all. */
int dj_rig_check_apps(struct dj_rig *rig, struct dj_error *err);

/* Puts everything back and gives the device away. */
void dj_rig_tear_down(struct dj_rig *rig);

/* Finds or begins the store's batches of the flow; `repeats`: the ids of those it
 * repeats, or NULL. */
int dj_rig_begin(struct dj_rig *rig, const char *const *repeats, struct dj_error *err);
void dj_rig_end_batches(struct dj_rig *rig);

/* Puts an attempt into the store, and fills in `committed`. */
int dj_rig_keep(struct dj_rig *rig, struct dj_attempt *attempt, struct dj_error *err);

/* One attempt of a run: installing, cooling down, running, the store. *attempt is as it
 * came out; an error is the end of this device's batch. */
int dj_rig_attempt(struct dj_rig *rig, struct dj_attempt *attempt, int64_t number,
                   struct dj_error *err);

/* Plays the flow: its runs in their order, each again where it was anomalous, the whole
 * once more where half of it was. */
int dj_rig_play_flow(struct dj_rig *rig, struct dj_error *err);

#endif
