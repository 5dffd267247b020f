/*
 * JUnit XML of instrumentation tests, as CI systems read it: a suite per run, a case per
 * test, its time by the stamps of its stream. An assumption that failed is a case
 * skipped; a test that never ended, or in which the app crashed, is one in error; where
 * no test can carry what went wrong, a case "(run)" does.
 */
#ifndef DEJANK_REPORT_JUNIT_H
#define DEJANK_REPORT_JUNIT_H

#include "base/text.h"
#include "facts/test_results.h"

struct dj_batch;

struct dj_junit_counts {
    uint64_t tests, failures, errors, skipped;
};

/* All zero is one without suites. */
struct dj_junit {
    struct dj_text suites; /* owned */
    struct dj_junit_counts counts;
};

struct dj_junit_run {
    const char *name;     /* of the suite: the batch's, the run's */
    const char *device;   /* its host name there; NULL: none */
    int64_t started_unix; /* seconds of the wall clock as the run began; −1: unknown */
    const struct dj_instrument_results *results;
};

/* Appends a run's suite. */
void dj_junit_add(struct dj_junit *junit, const struct dj_junit_run *run);

/* For other suites: the attributes that say how many cases there are; then the end of
 * such an element, which counts them and finishes *cases. */
void dj_junit_put_counts(struct dj_text *text, const struct dj_junit_counts *counts);
void dj_junit_end_suite(struct dj_junit *junit, const struct dj_junit_counts *counts,
                        struct dj_text *cases);

/* Appends the document of all suites. */
void dj_junit_write(struct dj_text *text, const struct dj_junit *junit);

void dj_junit_finish(struct dj_junit *junit);

/* Appends it. A run is the attempts of one number: it passes where one of them counts,
 * is skipped where it is left out by hand, and else fails by its last attempt's outcome.
 * Warm-ups are none. */
void dj_junit_add_batch(struct dj_junit *junit, const struct dj_batch *batch);

#endif
