/* The results of a run of instrumentation tests. Pure. */
#ifndef DEJANK_FACTS_TEST_RESULTS_H
#define DEJANK_FACTS_TEST_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dj_test_outcome {
    DJ_TEST_NOT_FINISHED, /* it began, and its end is unknown */
    DJ_TEST_PASSED,
    DJ_TEST_FAILED,
    DJ_TEST_ERROR,
    DJ_TEST_IGNORED,
    DJ_TEST_ASSUMPTION_FAILED,
    DJ_TEST_OUTCOMES
};

struct dj_test {
    char *class_name;
    char *method; /* "null" if a whole class was ignored, or ended before it */
    char *stack;  /* NULL: none */
    enum dj_test_outcome outcome;
    bool begun;               /* its begin was reported; old runners report only ends */
    int64_t begin_ns, end_ns; /* stamps of the lines that reported it; −1: unknown */
};

struct dj_test_results {
    struct dj_test *tests; /* in the order in which they began; a test that ran twice is
                              there twice. Without -r only failed tests */
    size_t test_count;
    uint32_t count[DJ_TEST_OUTCOMES];
    int64_t expected; /* as the runner announced; −1: unknown */
    bool plain;       /* output without -r */
    bool has_code;    /* INSTRUMENTATION_CODE was reported */
    int code;         /* its value; −1 means success on Android */
    bool crashed;     /* the system reported that the process ended by itself */
    char *crash;      /* its message, "shortMsg: longMsg"; NULL: none */
    char *failure;    /* why the run did not begin or was aborted; NULL: neither */
    char *stray;      /* the first line that belongs to nothing; NULL: none */
};

/* Returns the number of tests that were reported in any way. */
uint32_t dj_facts_tests_reported_count(const struct dj_test_results *results);

/* The verdict about a run that has ended. */
enum dj_test_verdict {
    DJ_TESTS_PASSED,
    DJ_TESTS_FAILED, /* tests failed or are missing, or the output is incomplete */
    DJ_TESTS_CRASHED
};

/* Returns the verdict. Writes one sentence about the first failure into `reason` ("" if
 * all passed), truncated to `size`. */
enum dj_test_verdict dj_facts_tests_judge(const struct dj_test_results *results,
                                          char *reason, size_t size);

#endif
