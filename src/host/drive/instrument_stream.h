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

#include "base/error.h"
#include "base/text.h"
#include "facts/test_results.h"

enum {
    DJ_INSTRUMENT_TESTS_MAX = 20000,
    DJ_INSTRUMENT_LINE_MAX = 64 * 1024,  /* bytes kept of a line */
    DJ_INSTRUMENT_STACK_MAX = 64 * 1024, /* …and of a stack; the rest is not kept */
    DJ_INSTRUMENT_NAME_MAX = 1024        /* …of a class, a test, a message */
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

/* What is known by now; valid until the next call, the stream owns it. */
const struct dj_instrument_results *
dj_instrument_stream_results(const struct dj_instrument_stream *stream);

#endif
