/* What dj_measure_play() reports while it plays a batch, and what it returns in the end.
 */
#ifndef DEJANK_MEASURE_PLAY_EVENT_H
#define DEJANK_MEASURE_PLAY_EVENT_H

#include "measure/batch.h"
#include "measure/collect.h"
#include "store/store.h"

enum dj_play_kind {
    DJ_PLAY_DEVICE,   /* a device is ready; `runs_planned` is the number for all its
                       * batches */
    DJ_PLAY_BATCH,    /* a batch begins or continues (`resumed`) */
    DJ_PLAY_RUN,      /* a run begins */
    DJ_PLAY_PROGRESS, /* progress of the run's window */
    DJ_PLAY_RUN_END,  /* the run is in the store */
    DJ_PLAY_REPEAT,   /* the run or its batch will be repeated; `message` says why */
    DJ_PLAY_SAYS,     /* any other message */
    DJ_PLAY_FAILED,   /* the device is given up; `message` says why */
    DJ_PLAY_DEVICE_END,
    DJ_PLAY_KINDS
};

/* An event. It is valid during the call. Fields that a kind does not have are 0 or NULL.
 */
struct dj_play_event {
    enum dj_play_kind kind;
    size_t device; /* index in the plan */
    const struct dj_flow_plan *flow;
    const struct dj_build_plan *build;
    const char *batch; /* its id */
    const char *fingerprint;
    bool resumed;
    bool warmup;
    int64_t number, attempt;         /* of the run */
    int64_t runs_planned, runs_done; /* of the device, including warm-ups and repeats */
    enum dj_run_outcome outcome;
    const char *message;
    const struct dj_metrics *metrics;
    const struct dj_recovery *recovery;
    const struct dj_collect_progress *progress;
};

struct dj_play_context {
    /* Called from any thread, one call at a time. */
    void (*event)(void *user, const struct dj_play_event *event);
    void *user;
    struct dj_interrupt_request
        stop; /* ends the runs in progress; the batches can be resumed
               */
    struct dj_interrupt_request give_up; /* also ends the restoring of settings */
    const char *self;                    /* path of the dejank executable */
};

/* The result of all devices together. */
struct dj_play_result {
    int64_t planned, clean, failed; /* `clean`: runs that count; `failed`: attempts that
                                     * do not */
    int64_t disturbed;              /* runs that count although they were anomalous */
    size_t devices_failed;
    struct dj_error error; /* of the first device that failed, or of the store */
    bool interrupted;
};

#endif
