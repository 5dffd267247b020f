/*
 * The driver of instrumentation tests (UI Automator, Espresso). Runs `am instrument -w
 * -r`, reads its output while the tests run, and reports each finished test as a window
 * "CLASS#METHOD" on the device's clock.
 *
 * The begin and end of a test are stamped when their lines arrive on the host, and
 * converted to the device's clock. That clock is read before and after, which removes its
 * drift over long runs. A stamp is early by at most the uncertainty of the clock. It is
 * also late by the transfer time of a line, so log->uncertainty_ns is twice the
 * uncertainty, because both are half a round trip. If the transfer stalls (a busy host,
 * radio), a stamp is later than that. (Stamps from the device's shell would be no better:
 * they have steps of ten milliseconds, are late after long stacks, and take CPU time from
 * the app.)
 *
 * When the last test has ended, Android stops the tested package, and all frames are lost
 * that were not read by then. So the driver calls log->ended at the end of each test, and
 * makes AndroidX's runner wait one second before the first and after each test (`-e
 * delay_msec`, unless the arguments contain it). The pauses are in no window. Tests of
 * their own package, which UI Automator allows, do not stop the measured app.
 */
#ifndef DEJANK_DRIVE_INSTRUMENT_H
#define DEJANK_DRIVE_INSTRUMENT_H

#include "drive/driver.h"
#include "drive/instrument_stream.h"

enum { DJ_INSTRUMENT_ARGUMENTS = 35 }; /* the maximum for the runner */

/* What to run. All strings must outlive the driver. */
struct dj_instrument_request {
    const char *instrumentation; /* "PACKAGE" of the tests, "PACKAGE/RUNNER", or the
                                    tested package if only one instrumentation tests it */
    const char *test; /* "CLASS", "CLASS#METHOD", several with commas; NULL: all */
    const char *const *arguments; /* more arguments for the runner: name, value, name,
                                     value…, NULL. NULL: none */
    /* Receives the results of each run that started, with stamps on the clock of the
     * device, on the thread of the device. The results are valid until it returns. NULL:
     * not needed. */
    void (*done)(void *user, const struct dj_device *device,
                 const struct dj_test_results *results);
    void *user;
};

/*
 * Creates a driver for all runs on one device. `request` is a struct
 * dj_instrument_request, which several devices may share. The driver starts the app, and
 * ends the window.
 *
 * prepare() finds the instrumentation. DJ_E_NOT_FOUND: the message lists those on the
 * device. DJ_E_USAGE: several have that name. DJ_E_UNSUPPORTED: the device has no `pm`.
 * drive() sets the outcome DJ_RUN_OK, DJ_RUN_INSTRUMENTATION_FAILED or
 * DJ_RUN_APP_CRASHED, with the first failure as the reason. After an error the log
 * contains the windows so far. After an interrupt it stops the tested package, which
 * takes up to 5 s.
 */
int dj_drive_instrument_create(const void *request, struct dj_device *device,
                               struct dj_driver *driver, struct dj_error *err);
void dj_drive_instrument_destroy(struct dj_driver *driver);

/* ---- parts of the driver ---- */

struct dj_instrumentation {
    char component[300]; /* "PACKAGE/RUNNER", as `am instrument` takes it */
    char target[160];    /* the tested package; "": unknown */
};

/* Finds `wanted` in the output of `pm list instrumentation`. Errors as for prepare(). */
int dj_instrument_find(const char *list, size_t length, const char *wanted,
                       struct dj_instrumentation *found, struct dj_error *err);

/* The device's clock compared with the host's: two samples, of which the second may be
 * missing. */
struct dj_instrument_clock {
    struct dj_instrument_clock_sample {
        int64_t host_ns, dev_ns;
        int64_t uncertainty_ns; /* −1: no sample */
    } before, after;
};

/* Converts a host time to the clock of the device. With one sample, it uses the offset of
 * that. */
int64_t dj_instrument_clock_to_device(const struct dj_instrument_clock *map,
                                      int64_t host_ns);

/* Returns the largest error of such a time. −1: there is no sample. */
int64_t dj_instrument_clock_uncertainty_ns(const struct dj_instrument_clock *map);

/* Adds the windows of all tests that ran. Their stamps are on the clock of the device. A
 * test that did not end ends at `ended_ns`. Repeated names get " (2)" and so on. Returns
 * false if memory ran out. */
bool dj_instrument_add_windows(struct dj_drive_log *log,
                               const struct dj_test_results *results, int64_t ended_ns);

#endif
