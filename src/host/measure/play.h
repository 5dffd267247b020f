/* Playing a batch: every device of it at once, each on a thread of its own. */
#ifndef DEJANK_MEASURE_PLAY_H
#define DEJANK_MEASURE_PLAY_H

#include "measure/batch.h"
#include "measure/collect.h"
#include "store/store.h"

enum dj_play_kind {
    DJ_PLAY_DEVICE,   /* a device is ready; `runs_planned` of all its batches is known */
    DJ_PLAY_BATCH,    /* a batch begins, or goes on (`resumed`) */
    DJ_PLAY_RUN,      /* a run begins */
    DJ_PLAY_PROGRESS, /* of its window */
    DJ_PLAY_RUN_END,  /* it is in the store */
    DJ_PLAY_REPEAT,   /* it, or its whole batch, will be made again: `message` says why */
    DJ_PLAY_SAYS,     /* anything else worth a line */
    DJ_PLAY_FAILED,   /* the device is given up: `message` says why */
    DJ_PLAY_DEVICE_END,
    DJ_PLAY_KINDS
};

/* What happened; valid during the call. What a kind does not have is 0 or NULL. */
struct dj_play_event {
    enum dj_play_kind kind;
    size_t device; /* of the plan's */
    const struct dj_flow_plan *flow;
    const struct dj_build_plan *build;
    const char *batch; /* its id */
    const char *fingerprint;
    bool resumed;
    bool warmup;
    int64_t number, attempt;         /* of the run */
    int64_t runs_planned, runs_done; /* of the device, warm-ups and repeats included */
    enum dj_run_outcome outcome;
    const char *message;
    const struct dj_metrics *metrics;
    const struct dj_recovery *recovery;
    const struct dj_collect_progress *progress;
};

struct dj_play_world {
    /* One call at a time, from any thread. */
    void (*event)(void *user, const struct dj_play_event *event);
    void *user;
    struct dj_interrupt stop;    /* ends the runs in flight; the batches can be resumed */
    struct dj_interrupt give_up; /* ends also what is being put back */
    const char *self;            /* path of dejank */
};

/* What came of it, all devices together. */
struct dj_play_result {
    int64_t planned, clean, failed; /* runs that count; attempts that do not */
    int64_t disturbed;              /* runs that count although they were anomalous */
    size_t devices_failed;
    struct dj_error error; /* of the first device, or of the store */
    bool interrupted;
};

/*
 * Plays the plan into the store. 0 also where runs failed: see *result. An error where
 * the store could not be written, or nothing could be begun at all.
 */
int dj_play(const struct dj_batch_plan *plan, struct dj_history *history,
            const struct dj_play_world *world, struct dj_play_result *result,
            struct dj_error *err);

#endif
