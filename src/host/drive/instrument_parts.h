/* The parts of the reader of instrumentation streams, among themselves: lines
 * (instrument_stream.c), tests (instrument_tests.c), the form without -r
 * (instrument_plain.c). */
#ifndef DEJANK_DRIVE_INSTRUMENT_PARTS_H
#define DEJANK_DRIVE_INSTRUMENT_PARTS_H

#include "base/str.h"
#include "base/text.h"
#include "facts/test_results.h"

enum dj_value_source { DJ_OF_STATUS, DJ_OF_RESULT };

enum dj_value {
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
    struct dj_instrument_results results;
    struct dj_text line;             /* as far as it came */
    struct dj_text value[DJ_VALUES]; /* since the last code */
    enum dj_value open; /* in which a line without a word goes on; DJ_VALUES: in one that
                           nobody wants */
    bool within;        /* such a line goes on with a value at all */
    bool statuses;      /* a line that only -r prints was seen */
    int64_t at_ns;
    bool no_memory, too_many;

    /* The form without -r. */
    bool in_stack;       /* of the newest test */
    uint32_t dots;       /* passed tests, as they are printed one by one */
    int64_t summary_run; /* from the last lines; −1: they did not come */
    int64_t summary_failures, summary_errors;
};

/* A status with this code is complete: begins, ends or amends a test where it is one's.
 */
void dj_instrument_test_status(struct dj_instrument_stream *stream, int64_t code);
/* Appends a test; NULL where that failed, and the stream says why. */
struct dj_test *dj_instrument_add_test(struct dj_instrument_stream *stream,
                                       struct dj_str class_name, struct dj_str method);
/* All values of INSTRUMENTATION_RESULT are there. */
void dj_instrument_close_result(struct dj_instrument_stream *stream);

/* A line outside of every value. */
void dj_instrument_plain_line(struct dj_instrument_stream *stream, struct dj_str line);
void dj_instrument_plain_end(struct dj_instrument_stream *stream);

/* Keeps a copy of the words in *to, if they are the first. */
void dj_instrument_keep(struct dj_instrument_stream *stream, char **to,
                        struct dj_str words);

/* Sets the test's stack to the value of that name, if there is one. */
void dj_instrument_set_stack(struct dj_instrument_stream *stream, struct dj_test *test);

#endif
