/* The events that dj_measure_play() sends while it measures, and its result. */
#ifndef DEJANK_MEASURE_PLAY_EVENT_H
#define DEJANK_MEASURE_PLAY_EVENT_H

#include "measure/batch.h"
#include "measure/collect.h"
#include "store/store.h"

enum dj_play_kind {
    /* A device is ready. `runs_planned` is the number of runs in all batches of the
     * device. */
    DJ_PLAY_DEVICE,
    DJ_PLAY_BATCH,    /* A batch begins, or continues if `resumed` is true. */
    DJ_PLAY_RUN,      /* A run begins. */
    DJ_PLAY_PROGRESS, /* The window of a run has progressed. */
    DJ_PLAY_RUN_END,  /* A run has ended and is in the store. */
    /* A run or its batch will be repeated. `message` contains the reason. */
    DJ_PLAY_REPEAT,
    DJ_PLAY_SAYS,   /* Any other message for the user. */
    DJ_PLAY_FAILED, /* The device is not used any more. `message` contains the reason. */
    DJ_PLAY_DEVICE_END,
    DJ_PLAY_KINDS
};

/* An event. It is valid only during the callback. Members that an event of this kind does
 * not use are 0 or NULL. */
struct dj_play_event {
    enum dj_play_kind kind;
    size_t device; /* Index of the device in the plan. */
    const struct dj_flow_plan *flow;
    const struct dj_build_plan *build;
    const char *batch; /* Id of the batch. */
    const char *fingerprint;
    bool resumed;
    bool warmup;
    /* Number of the run in its batch, and number of the attempt at this run. */
    int64_t number, attempt;
    /* Number of planned and of finished runs of the device, including warm-ups and
     * repetitions. */
    int64_t runs_planned, runs_done;
    enum dj_run_outcome outcome;
    const char *message;
    const struct dj_metrics *metrics;
    const struct dj_recovery *recovery;
    const struct dj_collect_progress *progress;
};

struct dj_play_context {
    /* Receives events. Called from any thread, but never from two threads at the same
     * time. */
    void (*event)(void *user, const struct dj_play_event *event);
    void *user;
    /* Request of the user to end the current runs. The batches can be resumed later. */
    struct dj_interrupt_request stop;
    /* Request of the user to also stop restoring the devices' settings. */
    struct dj_interrupt_request give_up;
    const char *self; /* Path of the dejank executable. */
};

/* The result of dj_measure_play() for all devices together. */
struct dj_play_result {
    /* Number of planned runs, of valid runs, and of attempts that failed. */
    int64_t planned, clean, failed;
    int64_t disturbed; /* Number of valid runs that were anomalous. */
    size_t devices_failed;
    struct dj_error error; /* Error of the store, or of the first device that failed. */
    bool interrupted;
};

#endif
