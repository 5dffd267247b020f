/* The state of the reader of instrumentation streams, and its functions for tests
 * (instrument_tests.c) and for the output without -r (instrument_plain.c). */
#ifndef DEJANK_DRIVE_INSTRUMENT_STREAM_PRIVATE_H
#define DEJANK_DRIVE_INSTRUMENT_STREAM_PRIVATE_H

#include "base/str.h"
#include "base/text.h"
#include "facts/test_results.h"

enum dj_instrument_value_source { DJ_OF_STATUS, DJ_OF_RESULT };

enum dj_instrument_value {
    DJ_VALUE_CLASS,
    DJ_VALUE_TEST,
    DJ_VALUE_CURRENT,
    DJ_VALUE_NUMTESTS,
    DJ_VALUE_STACK,
    DJ_VALUE_ERROR,
    DJ_VALUE_SHORT,
    DJ_VALUE_LONG,
    DJ_VALUE_SUMMARY,
    DJ_VALUES
};

struct dj_instrument_stream {
    struct dj_test_results results;
    struct dj_text line;             /* received part of the current line */
    struct dj_text value[DJ_VALUES]; /* values since the last code */
    enum dj_instrument_value open; /* the value to which a line without a keyword belongs;
                           DJ_VALUES: one that is ignored */
    bool within;                   /* such a line belongs to a value */
    bool statuses;                 /* a line was read that only -r prints */
    int64_t at_ns;
    bool no_memory, too_many;

    /* Output without -r. */
    bool in_stack;       /* the current line belongs to the stack of the last test */
    uint32_t dots;       /* number of passed tests, printed one by one */
    int64_t summary_run; /* from the last lines; −1: unknown */
    int64_t summary_failures, summary_errors;
};

/* Ends a status with this code: begins, ends or changes a test if the status describes
 * one. */
void dj_instrument_end_status(struct dj_instrument_stream *stream, int64_t code);
/* Appends a test. NULL: that failed, and the stream contains the reason. */
struct dj_test *dj_instrument_add_test(struct dj_instrument_stream *stream,
                                       struct dj_str class_name, struct dj_str method);
/* Ends the values of INSTRUMENTATION_RESULT. */
void dj_instrument_end_result(struct dj_instrument_stream *stream);

/* Reads a line that belongs to no value. */
void dj_instrument_read_plain_line(struct dj_instrument_stream *stream,
                                   struct dj_str line);
void dj_instrument_end_plain_report(struct dj_instrument_stream *stream);

/* Copies the text to *to if that is NULL. */
void dj_instrument_set_first(struct dj_instrument_stream *stream, char **to,
                             struct dj_str words);

/* Sets the stack of the test to the value of that name, if there is one. */
void dj_instrument_set_stack(struct dj_instrument_stream *stream, struct dj_test *test);

#endif
