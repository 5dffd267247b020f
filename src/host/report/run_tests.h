/* The instrumentation tests of runs, collected while they are measured. */
#ifndef DEJANK_REPORT_RUN_TESTS_H
#define DEJANK_REPORT_RUN_TESTS_H

#include <pthread.h>

#include "drive/instrument.h"
#include "report/junit.h"

enum { DJ_TEST_DEVICES = 256 }; /* Devices with numbered runs. */

/* Zero the struct and set the lock to PTHREAD_MUTEX_INITIALIZER. Finish `junit` after
 * use. */
struct dj_run_tests {
    pthread_mutex_t lock;
    struct dj_junit junit;
    struct {
        char name[128];
        int runs;
    } devices[DJ_TEST_DEVICES];
    size_t device_count;
};

/*
 * Adds the results of a run as a suite "DEVICE, run N". Warm-ups and repeated runs count
 * as runs, too. This is a callback of struct dj_instrument_request, and `all` is the
 * struct dj_run_tests. Any thread may call it.
 */
void dj_report_run_tests_add(void *all, const struct dj_device *device,
                             const struct dj_test_results *results);

#endif
