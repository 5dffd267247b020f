/*
 * Reads the output of `am instrument -r` while tests run:
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
 * A line without such a keyword continues the value before it. Output without -r can be
 * read too, but it contains only counts and the names of failed tests. Pure: the caller
 * passes the times at which bytes arrive.
 */
#ifndef DEJANK_DRIVE_INSTRUMENT_STREAM_H
#define DEJANK_DRIVE_INSTRUMENT_STREAM_H

#include "base/error.h"
#include "base/text.h"
#include "facts/test_results.h"

enum {
    DJ_INSTRUMENT_TESTS_MAX = 20000,
    DJ_INSTRUMENT_LINE_MAX = 64 * 1024,  /* Maximum number of stored bytes of a line. */
    DJ_INSTRUMENT_STACK_MAX = 64 * 1024, /* Maximum number of stored bytes of a stack. */
    /* Maximum number of stored bytes of the name of a class or test, and of a message. */
    DJ_INSTRUMENT_NAME_MAX = 1024
};

struct dj_instrument_stream;

/* Creates a stream. Returns NULL if memory ran out. */
struct dj_instrument_stream *dj_drive_instrument_stream_create(void);
void dj_drive_instrument_stream_destroy(
    struct dj_instrument_stream *stream); /* Frees the stream. NULL is allowed. */

/* Reads the next bytes. `at_ns` is the time of their arrival on any clock, or −1 if
 * unknown. This time is stored in tests that begin or end with these bytes. Returns
 * DJ_E_LIMIT after more than DJ_INSTRUMENT_TESTS_MAX tests, or DJ_E_NO_MEMORY. After an
 * error, all later calls return this error. */
int dj_drive_instrument_stream_feed(struct dj_instrument_stream *stream,
                                    const char *bytes, size_t size, int64_t at_ns,
                                    struct dj_error *err);

/* Ends the stream. If the last line has no newline, reads this line. */
int dj_drive_instrument_stream_end(struct dj_instrument_stream *stream, int64_t at_ns,
                                   struct dj_error *err);

/* Returns the results so far. They belong to the stream and are valid until the next
 * call. */
const struct dj_test_results *
dj_drive_instrument_stream_results(const struct dj_instrument_stream *stream);

#endif
