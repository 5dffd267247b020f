/* The state of the reader of instrumentation streams, and functions that its source files
 * share: tests.c for tests, and plain_report.c for output without -r. */
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
    /* The part of the current line that has been received. */
    struct dj_text line;
    /* The values that were read since the last status code. */
    struct dj_text value[DJ_VALUES];
    /* The value to which a line without a keyword belongs. For DJ_VALUES, the value is
     * unknown and such lines are ignored. */
    enum dj_instrument_value open;
    /* True if a line without a keyword belongs to `open`. */
    bool within;
    bool statuses; /* True after a line that only the option -r produces. */
    int64_t at_ns;
    bool no_memory, too_many;

    /* The following fields are for output without -r. */
    bool in_stack; /* True if the current line belongs to the stack of the last test. */
    uint32_t dots; /* Number of dots so far. Each dot is a passed test. */
    /* The counts of the last line. summary_run is −1 if there is no such line. */
    int64_t summary_run;
    int64_t summary_failures, summary_errors;
};

/* Ends a status. If the values of the status describe a test, begins, ends or changes
 * this test, depending on the code. */
void dj_instrument_end_status(struct dj_instrument_stream *stream, int64_t code);
/* Appends a test. Returns NULL if there are too many tests or memory ran out. Then
 * stream->too_many or stream->no_memory is set. */
struct dj_test *dj_instrument_add_test(struct dj_instrument_stream *stream,
                                       struct dj_str class_name, struct dj_str method);
/* Uses the values of INSTRUMENTATION_RESULT. Must be called when these values are
 * complete. */
void dj_instrument_end_result(struct dj_instrument_stream *stream);

/* Reads a line that belongs to no value. */
void dj_instrument_read_plain_line(struct dj_instrument_stream *stream,
                                   struct dj_str line);
void dj_instrument_end_plain_report(struct dj_instrument_stream *stream);

/* Copies the text to *to. Does nothing if *to already has a text. */
void dj_instrument_set_first(struct dj_instrument_stream *stream, char **to,
                             struct dj_str words);

/* Copies the value "stack" to the test. Does nothing if that value is empty. */
void dj_instrument_set_stack(struct dj_instrument_stream *stream, struct dj_test *test);

#endif
