/*
 * Writes instrumentation tests as JUnit XML for CI systems, with a suite per run and a
 * case per test. The time of a case comes from the time stamps in the test output. A test
 * with a failed assumption is a skipped case. A test that never ended, or in which the
 * app crashed, is a case with an error. If a run failed but no test has the failure, a
 * case "(run)" reports it.
 */
#ifndef DEJANK_REPORT_JUNIT_H
#define DEJANK_REPORT_JUNIT_H

#include "base/text.h"
#include "facts/test_results.h"

struct dj_batch;

struct dj_junit_counts {
    uint64_t tests, failures, errors, skipped;
};

/* Zero the struct before use. */
struct dj_junit {
    struct dj_text suites; /* Owned by this struct. */
    struct dj_junit_counts counts;
};

struct dj_junit_run {
    const char *name;     /* Name of the suite: the name of the batch and of the run. */
    const char *device;   /* The host name of the suite in the XML, or NULL. */
    int64_t started_unix; /* Start of the run in seconds since 1970, or −1. */
    const struct dj_test_results *results;
};

/* Appends the suite of a run. */
void dj_report_add_junit_run(struct dj_junit *junit, const struct dj_junit_run *run);

/* Appends the attributes of a suite of another kind: the numbers of its cases. */
void dj_junit_write_counts(struct dj_text *text, const struct dj_junit_counts *counts);

/* Completes the element of a suite of another kind: ends its start tag, and appends
 * *cases and the end tag. Adds *counts to the total. Finishes *cases. */
void dj_junit_end_suite(struct dj_junit *junit, const struct dj_junit_counts *counts,
                        struct dj_text *cases);

/* Appends the document with all suites. */
void dj_report_write_junit(struct dj_text *text, const struct dj_junit *junit);

/* Frees the suites and zeroes *junit. */
void dj_report_finish_junit(struct dj_junit *junit);

/* Appends a suite for a batch with a case for each run number. A run passes if one of its
 * attempts counts, is skipped if the user excluded it, and else fails with the outcome of
 * its last attempt. Warm-up runs have no case. */
void dj_report_add_junit_batch(struct dj_junit *junit, const struct dj_batch *batch);

#endif
