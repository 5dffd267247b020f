/* The results of a run of instrumentation tests. Pure. */
#ifndef DEJANK_FACTS_TEST_RESULTS_H
#define DEJANK_FACTS_TEST_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
