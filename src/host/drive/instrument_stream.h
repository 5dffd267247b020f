/*
 * What `am instrument -r` says of a run of tests, read as it comes:
 *
 *     INSTRUMENTATION_STATUS: class=com.example.ListTest
 *     INSTRUMENTATION_STATUS: numtests=2
 *     INSTRUMENTATION_STATUS: test=flings
 *     INSTRUMENTATION_STATUS_CODE: 1
 *     …
 *     INSTRUMENTATION_STATUS: stack=java.lang.AssertionError
 *             at org.junit.Assert.fail(Assert.java:86)
 *     INSTRUMENTATION_STATUS_CODE: -2
 *     INSTRUMENTATION_RESULT: shortMsg=Process crashed.
 *     INSTRUMENTATION_CODE: 0
 *
 * A line without such a word goes on with the value before it. The form without -r is
 * read as far as it tells anything: counts, and the names of tests that failed.
 * Pure: no clock, no I/O; the stamps are its user's.
 */
#ifndef DEJANK_DRIVE_INSTRUMENT_STREAM_H
#define DEJANK_DRIVE_INSTRUMENT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum {
    DJ_INSTRUMENT_TESTS_MAX = 20000,
    DJ_INSTRUMENT_LINE_MAX = 64 * 1024,  /* bytes kept of a line */
    DJ_INSTRUMENT_STACK_MAX = 64 * 1024, /* …and of a stack; the rest is not kept */
    DJ_INSTRUMENT_NAME_MAX = 1024        /* …of a class, a test, a message */
};

enum dj_test_outcome {
    DJ_TEST_NOT_FINISHED, /* it began, and nothing was said of its end */
    DJ_TEST_PASSED,
    DJ_TEST_FAILED,
    DJ_TEST_ERROR,
    DJ_TEST_IGNORED,
    DJ_TEST_ASSUMPTION_FAILED,
    DJ_TEST_OUTCOMES
};

struct dj_test {
    char *class_name;
    char *method; /* "null" where all of a class was ignored, or broke off before it */
    char *stack;  /* NULL where nothing was said */
    enum dj_test_outcome outcome;
    bool begun;               /* its begin was told; old runners told only ends */
    int64_t begin_ns, end_ns; /* stamps of the bytes that said so; −1: never said, or
                                 bytes without a stamp */
};

struct dj_instrument_results {
    struct dj_test *tests; /* in the order in which they began; a test that ran twice is
                              there twice. Without -r only those that failed */
    size_t test_count;
    uint32_t count[DJ_TEST_OUTCOMES];
    int64_t expected; /* as the runner announced; −1: it did not */
    bool plain;       /* the form without -r */
    bool has_code;    /* the closing INSTRUMENTATION_CODE came… */
    int code;         /* …and was this; −1 is what Android calls fine */
    bool crashed;     /* the system said that the process ended on its own */
    char *crash;      /* its words, "shortMsg: longMsg"; NULL: none */
    char *failure; /* the run did not begin, or was aborted: the words; NULL: neither */
    char *stray;   /* the first line that belongs to nothing; NULL: none */
};

struct dj_instrument_stream;

/* NULL: out of memory. */
struct dj_instrument_stream *dj_instrument_stream_create(void);
void dj_instrument_stream_destroy(struct dj_instrument_stream *stream); /* NULL is fine */

/* Reads on. `at_ns` is any clock's, and goes into the tests that these bytes begin and
 * end; −1: nobody knows when they came. DJ_E_LIMIT past DJ_INSTRUMENT_TESTS_MAX,
 * DJ_E_NO_MEMORY; all later calls then fail alike. */
int dj_instrument_stream_feed(struct dj_instrument_stream *stream, const char *bytes,
                              size_t size, int64_t at_ns, struct dj_error *err);

/* No more comes: reads a last line without an end. */
int dj_instrument_stream_end(struct dj_instrument_stream *stream, int64_t at_ns,
                             struct dj_error *err);

/* Sets every stamp that is known over to another clock. */
void dj_instrument_stream_map_stamps(struct dj_instrument_stream *stream,
                                     int64_t (*map)(const void *user, int64_t at_ns),
                                     const void *user);

/* What is known by now; valid until the next call, the stream owns it. */
const struct dj_instrument_results *
dj_instrument_stream_results(const struct dj_instrument_stream *stream);

/* Tests that were carried out to an end: neither ignored nor unfinished. */
uint32_t dj_instrument_run_count(const struct dj_instrument_results *results);
/* All tests of which anything was said. */
uint32_t dj_instrument_seen_count(const struct dj_instrument_results *results);

/* What an ended run comes to. */
enum dj_instrument_verdict {
    DJ_INSTRUMENT_PASSED,
    DJ_INSTRUMENT_FAILED, /* tests failed or are missing; or the stream broke off */
    DJ_INSTRUMENT_CRASHED
};

/* The verdict, and into `reason` one sentence that names the first that went wrong (""
 * for passed), cut to `size`. */
enum dj_instrument_verdict
dj_instrument_judge(const struct dj_instrument_results *results, char *reason,
                    size_t size);

#endif
