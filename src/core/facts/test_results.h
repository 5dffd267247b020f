/* The results of a run of Android instrumentation tests. No I/O. */
#ifndef DEJANK_FACTS_TEST_RESULTS_H
#define DEJANK_FACTS_TEST_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dj_test_outcome {
    DJ_TEST_NOT_FINISHED, /* The test began, and its end was not reported. */
    DJ_TEST_PASSED,
    DJ_TEST_FAILED,
    DJ_TEST_ERROR,
    DJ_TEST_IGNORED,
    DJ_TEST_ASSUMPTION_FAILED,
    DJ_TEST_OUTCOMES
};

struct dj_test {
    char *class_name;
    /* Name of the test method. "null" if a whole class was ignored, or failed before its
     * first test. */
    char *method;
    char *stack; /* Stack trace, or NULL if there is none. */
    enum dj_test_outcome outcome;
    /* Whether the begin of the test was reported. Old test runners report only the
     * end. */
    bool begun;
    /* Times of the lines that reported begin and end, or −1 if unknown. */
    int64_t begin_ns, end_ns;
};

struct dj_test_results {
    /* The tests in the order in which they began. A test that ran twice is two elements.
     * Output without the option -r lists only failed tests. */
    struct dj_test *tests;
    size_t test_count;
    uint32_t count[DJ_TEST_OUTCOMES];
    /* Number of tests that the test runner announced, or −1 if unknown. */
    int64_t expected;
    bool plain;    /* Whether the output was made without the option -r. */
    bool has_code; /* The output has a line with INSTRUMENTATION_CODE. */
    /* The value of INSTRUMENTATION_CODE. On Android, −1 means success. */
    int code;
    bool crashed; /* The system reported that the process of the tests crashed. */
    /* Message of the crash, "shortMsg: longMsg", or NULL if there is none. */
    char *crash;
    /* Reason why the run did not begin or was aborted, or NULL if neither happened. */
    char *failure;
    /* The first line of the output that could not be interpreted, or NULL if there is
     * none. */
    char *stray;
};

/* Returns the number of tests with any outcome. */
uint32_t dj_facts_tests_reported_count(const struct dj_test_results *results);

/* The result of a run that has ended. */
enum dj_test_verdict {
    DJ_TESTS_PASSED,
    DJ_TESTS_FAILED, /* Tests failed or are missing, or the output is incomplete. */
    DJ_TESTS_CRASHED
};

/* Returns the verdict about a run. Writes one sentence about the first failure into
 * `reason`, or "" if all tests passed. Truncates the sentence to `size` bytes. */
enum dj_test_verdict dj_facts_tests_judge(const struct dj_test_results *results,
                                          char *reason, size_t size);

#endif
