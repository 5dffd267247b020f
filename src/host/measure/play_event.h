/* What dj_measure_play() reports while it runs a batch, and its result. */
#ifndef DEJANK_MEASURE_PLAY_EVENT_H
#define DEJANK_MEASURE_PLAY_EVENT_H

#include "measure/batch.h"
#include "measure/collect.h"
#include "store/store.h"

enum dj_play_kind {
    /* A device is ready. `runs_planned` is the number of runs in all its batches. */
    DJ_PLAY_DEVICE,
    DJ_PLAY_BATCH,    /* A batch begins, or continues if `resumed` is true. */
    DJ_PLAY_RUN,      /* A run begins. */
    DJ_PLAY_PROGRESS, /* Progress of the run's window. */
    DJ_PLAY_RUN_END,  /* The run is in the store. */
    /* The run or its batch will be repeated for the reason in `message`. */
    DJ_PLAY_REPEAT,
    DJ_PLAY_SAYS,   /* Any other message. */
    DJ_PLAY_FAILED, /* The device is not used any more for the reason in `message`. */
    DJ_PLAY_DEVICE_END,
    DJ_PLAY_KINDS
};

/* An event. It is valid during the callback. Members that a kind does not use are 0 or
 * NULL. */
struct dj_play_event {
    enum dj_play_kind kind;
    size_t device; /* Index of the device in the plan. */
    const struct dj_flow_plan *flow;
    const struct dj_build_plan *build;
    const char *batch; /* Id of the batch. */
    const char *fingerprint;
    bool resumed;
    bool warmup;
    int64_t number, attempt; /* Number and attempt of the run. */
    /* Runs of the device, including warm-ups and repeats. */
    int64_t runs_planned, runs_done;
    enum dj_run_outcome outcome;
    const char *message;
    const struct dj_metrics *metrics;
    const struct dj_recovery *recovery;
    const struct dj_collect_progress *progress;
};

struct dj_play_context {
    /* Called from any thread, but never from two threads at the same time. */
    void (*event)(void *user, const struct dj_play_event *event);
    void *user;
    /* Ends the current runs. The batches can be resumed later. */
    struct dj_interrupt_request stop;
    struct dj_interrupt_request give_up; /* Also ends the restoring of settings. */
    const char *self;                    /* Path of the dejank executable. */
};

/* The result of all devices together. */
struct dj_play_result {
    /* `clean` is the number of runs that count, `failed` the number of attempts that do
     * not count. */
    int64_t planned, clean, failed;
    int64_t disturbed; /* Runs that count although they were anomalous. */
    size_t devices_failed;
    struct dj_error error; /* Error of the store, or of the first device that failed. */
    bool interrupted;
};

#endif
