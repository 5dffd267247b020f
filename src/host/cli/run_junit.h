/* `dejank run --junit FILE`: the tests of all runs, those of several devices at once. */
#ifndef DEJANK_CLI_RUN_JUNIT_H
#define DEJANK_CLI_RUN_JUNIT_H

#include <pthread.h>

#include "device/device.h"
#include "report/junit.h"

enum { DJ_RUN_JUNIT_DEVICES = 256 }; /* whose runs are counted each for itself */

struct dj_run_junit {
    pthread_mutex_t lock;
    struct dj_junit junit;
    struct {
        char name[128];
        int runs;
    } devices[DJ_RUN_JUNIT_DEVICES];
    size_t device_count;
};

void dj_run_junit_init(struct dj_run_junit *all);
void dj_run_junit_finish(struct dj_run_junit *all);

/* A run's results, as a suite "DEVICE, run N" (warm-ups and repetitions are counted,
 * too). `all` is a struct dj_run_junit; made to be a struct dj_instrument_request's
 * `done`. Any thread. */
void dj_run_junit_take(void *all, const struct dj_device *device,
                       const struct dj_instrument_results *results);

/* Writes the file. DJ_E_OUTPUT. */
int dj_run_junit_write(const struct dj_run_junit *all, const char *path,
                       struct dj_error *err);

#endif
