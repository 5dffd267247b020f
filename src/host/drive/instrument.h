/*
 * The driver of instrumentation tests (UI Automator, Espresso): starts them with
 * `am instrument -w -r`, reads what they say while they run, and tells each test that was
 * carried out as a window, "CLASS#METHOD", of the device's clock.
 *
 * A test's begin and end are stamped as their lines arrive here, and set over to the
 * device's clock, which is asked before and after, so that its drift over long runs is
 * out of it. A stamp is never early by more than the clock's uncertainty; it is late by a
 * line's way besides, for which log->uncertainty_ns counts as much again: half a round
 * trip is in both. Where the way stalls (a busy host, radio) a stamp comes later than
 * that. (Stamps made by the device's shell would be no better: it knows ten milliseconds,
 * falls behind long stacks, and takes CPU time from what is measured.)
 *
 * When the last test has ended, Android stops the package they were made for, and what it
 * drew is lost but for what was read by then. So the driver tells log->ended of the end
 * of each test, and has AndroidX's runner wait a second before the first and after each
 * (`-e delay_msec`, but where the arguments say otherwise): the pauses are in no window.
 * Tests made for a package of their own, as those of UI Automator can be, leave the
 * measured app alone.
 */
#ifndef DEJANK_DRIVE_INSTRUMENT_H
#define DEJANK_DRIVE_INSTRUMENT_H

#include "drive/driver.h"
#include "drive/instrument_stream.h"

enum { DJ_INSTRUMENT_ARGUMENTS = 35 }; /* of the runner, at most */

/* What to run. All strings outlive the driver. */
struct dj_instrument_request {
    const char *instrumentation; /* "PACKAGE" of the tests, "PACKAGE/RUNNER"; or the
                                    package they are made for, where only one is */
    const char *test; /* "CLASS", "CLASS#METHOD", several with commas; NULL: all */
    const char *const *arguments; /* of the runner besides: name, value, name, value…,
                                     NULL. NULL: none */
    /* Told the results of each run that was begun, with stamps on the device's clock, on
     * the device's thread; valid until it returns. NULL: nobody. */
    void (*done)(void *user, const struct dj_device *device,
                 const struct dj_instrument_results *results);
    void *user;
};

/*
 * A driver for one device, to be used for all its runs; `request` is a struct
 * dj_instrument_request, which may serve several devices at once. It starts the app
 * itself, and ends the window.
 *
 * prepare() looks the instrumentation up: DJ_E_NOT_FOUND (the message lists those there
 * are), DJ_E_USAGE where several have that name, DJ_E_UNSUPPORTED on a device without
 * `pm`. drive() leaves DJ_RUN_OK, DJ_RUN_INSTRUMENTATION_FAILED or DJ_RUN_APP_CRASHED
 * with what went wrong first; after an error the windows are there as far as it came.
 * After an interrupt it stops the package that the tests were made for, up to 5 s.
 */
int dj_instrument_make(const void *request, struct dj_device *device,
                       struct dj_driver *driver, struct dj_error *err);
void dj_instrument_unmake(struct dj_driver *driver);

/* ---- its parts ---- */

struct dj_instrumentation {
    char component[300]; /* "PACKAGE/RUNNER", as `am instrument` takes it */
    char target[160];    /* the package it is made for; "": not told */
};

/* Finds `wanted` in what `pm list instrumentation` printed. Errors as prepare()'s. */
int dj_instrument_find(const char *list, size_t length, const char *wanted,
                       struct dj_instrumentation *found, struct dj_error *err);

/* The device's clock against the host's: two looks at it, the second maybe missing. */
struct dj_clock_map {
    struct dj_clock_look {
        int64_t host_ns, dev_ns;
        int64_t uncertainty_ns; /* −1: no look */
    } before, after;
};

/* dev_ns of a host_ns; by one look's offset alone where there is but one. */
int64_t dj_clock_map_to_device(const struct dj_clock_map *map, int64_t host_ns);

/* How far such a stamp of an arrival may lie off; −1: no look succeeded. */
int64_t dj_clock_map_uncertainty_ns(const struct dj_clock_map *map);

/* Makes the windows of all tests that were carried out, whose stamps are the device's;
 * what did not end ends at `ended_ns`. A name that comes again has " (2)" behind it.
 * False: no memory. */
bool dj_instrument_windows(struct dj_drive_log *log,
                           const struct dj_instrument_results *results, int64_t ended_ns);

#endif
