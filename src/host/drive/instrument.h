/*
 * The driver of instrumentation tests (UI Automator, Espresso). It runs `am instrument -w
 * -r`, reads the output while the tests run, and reports each finished test as a window
 * "CLASS#METHOD" on the clock of the device.
 *
 * A test begins and ends when the corresponding lines arrive on the host. These times are
 * converted to the clock of the device, which is read before and after the tests, so that
 * its drift is removed. A converted time is early by at most the uncertainty of the
 * clock. It is late by at most this uncertainty and the transfer time of a line. Both are
 * half a round trip, so log->uncertainty_ns is twice the uncertainty of the clock. If the
 * transfer stalls, for example on a busy host, a time may be later than that. Times from
 * the shell of the device would be no better: they have steps of 10 ms, are late after
 * long stacks, and printing them takes CPU time from the app.
 *
 * After the last test, Android stops the tested package, and all frames that have not
 * been read are lost. So the driver calls log->ended at the end of each test. It also
 * makes the runner of AndroidX wait one second before the first test and after each test
 * (`-e delay_msec`, unless the arguments contain it). These pauses are in no window.
 * Tests that run in a package of their own, which UI Automator allows, do not stop the
 * measured app.
 */
#ifndef DEJANK_DRIVE_INSTRUMENT_H
#define DEJANK_DRIVE_INSTRUMENT_H

#include "drive/driver.h"
#include "drive/instrument_stream.h"

enum { DJ_INSTRUMENT_ARGUMENTS = 35 }; /* Maximum number of arguments for the runner. */

/* The tests to run. All strings must live longer than the driver. */
struct dj_instrument_request {
    /* Name "PACKAGE" of the tests, or "PACKAGE/RUNNER". The tested package is allowed
     * too, if only one instrumentation tests it. */
    const char *instrumentation;
    /* Tests to run: "CLASS" or "CLASS#METHOD", or several of them separated by commas.
     * NULL for all tests. */
    const char *test;
    /* More arguments for the runner (name, value, name, value, …, NULL), or NULL for
     * none. */
    const char *const *arguments;
    /* Receives the results of each run that started, or is NULL. Called on the thread of
     * the device. The times in the results are on the clock of the device. The results
     * are valid until the function returns. */
    void (*done)(void *user, const struct dj_device *device,
                 const struct dj_test_results *results);
    void *user;
};

/*
 * Creates a driver for all runs on one device. `request` points to a struct
 * dj_instrument_request, which several devices may share. The driver starts the app. The
 * window ends with the driver.
 *
 * prepare() finds the instrumentation. It returns DJ_E_NOT_FOUND if there is none with
 * this name (the message lists those on the device), DJ_E_USAGE if several have this
 * name, and DJ_E_UNSUPPORTED if the device has no `pm`. drive() sets the outcome
 * DJ_RUN_OK, DJ_RUN_INSTRUMENTATION_FAILED or DJ_RUN_APP_CRASHED, with the first failure
 * as the reason. After an error, the log contains the windows so far. After an interrupt,
 * drive() stops the tested package, which takes up to 5 s.
 */
int dj_drive_instrument_create(const void *request, struct dj_device *device,
                               struct dj_driver *driver, struct dj_error *err);
void dj_drive_instrument_destroy(struct dj_driver *driver);

struct dj_instrumentation {
    /* Name of the instrumentation, as in `am instrument PACKAGE/RUNNER`. */
    char component[300];
    char target[160]; /* The tested package, or "" if unknown. */
};

/* Finds `wanted` in the output of `pm list instrumentation`. Returns the errors of
 * prepare(), which are described at dj_drive_instrument_create(). */
int dj_instrument_find(const char *list, size_t length, const char *wanted,
                       struct dj_instrumentation *found, struct dj_error *err);

/* Two samples of the clock of the device together with the clock of the host, before and
 * after the tests. Either sample may be missing. */
struct dj_instrument_clock {
    struct dj_instrument_clock_sample {
        int64_t host_ns, dev_ns;
        /* Largest error of dev_ns, or −1 if there is no sample. */
        int64_t uncertainty_ns;
    } before, after;
};

/* Converts a host time to the clock of the device. Interpolates between the two samples.
 * If there is only one sample, uses the offset of this sample. */
int64_t dj_instrument_clock_to_device(const struct dj_instrument_clock *map,
                                      int64_t host_ns);

/* Returns the largest possible error of a converted time in ns, or −1 if there is no
 * sample. */
int64_t dj_instrument_clock_uncertainty_ns(const struct dj_instrument_clock *map);

/* Adds a window for each test that ran. The times of the tests are on the clock of the
 * device. A test without an end ends at `ended_ns`. If a test ran several times, its
 * further windows get the names "… (2)", "… (3)" and so on. Returns false if memory ran
 * out. */
bool dj_instrument_add_windows(struct dj_drive_log *log,
                               const struct dj_test_results *results, int64_t ended_ns);

#endif
