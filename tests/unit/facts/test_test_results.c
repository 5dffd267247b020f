#include "facts/test_results.h"

#include <criterion/criterion.h>
#include <string.h>

/* The results of real streams are tested in tests/unit/drive/test_instrument_stream.c. */
static struct dj_test tests[3];
static struct dj_test_results results;

static void set_up(void)
{
    for (size_t i = 0; i < 3; i++) {
        tests[i] = (struct dj_test){.class_name = "ListTest", .outcome = DJ_TEST_PASSED};
    }
    tests[0].method = "one";
    tests[1].method = "two";
    tests[2].method = "three";
    results = (struct dj_test_results){
        .tests = tests, .test_count = 3, .expected = 3, .has_code = true, .code = -1};
}

TestSuite(test_results, .init = set_up);

static void set(size_t test, enum dj_test_outcome outcome)
{
    tests[test].outcome = outcome;
}

static void expect(enum dj_test_verdict verdict, const char *expected)
{
    char reason[240];
    memset(results.count, 0, sizeof(results.count));
    for (size_t i = 0; i < results.test_count; i++) {
        results.count[tests[i].outcome]++;
    }
    cr_expect_eq(dj_facts_tests_judge(&results, reason, sizeof(reason)), verdict);
    cr_expect_str_eq(reason, expected);
}

Test(test_results, all_passed)
{
    expect(DJ_TESTS_PASSED, "");
    cr_expect_eq(dj_facts_tests_reported_count(&results), 3);
    set(1, DJ_TEST_IGNORED);
    expect(DJ_TESTS_PASSED, "");
    cr_expect_eq(dj_facts_tests_reported_count(&results), 3);
}

Test(test_results, the_first_failure_is_named)
{
    set(1, DJ_TEST_ERROR);
    set(2, DJ_TEST_FAILED);
    tests[1].stack = "java.lang.IllegalState: no\n\tat a.b(C.java:1)";
    expect(DJ_TESTS_FAILED,
           "ListTest#two failed (and 1 more): java.lang.IllegalState: no");
}

Test(test_results, a_crash_comes_before_failures)
{
    set(0, DJ_TEST_FAILED);
    set(2, DJ_TEST_NOT_FINISHED);
    results.crashed = true;
    results.crash = "Process crashed.";
    expect(DJ_TESTS_CRASHED, "the app crashed in ListTest#three: Process crashed.");
    set(2, DJ_TEST_PASSED);
    expect(DJ_TESTS_CRASHED, "the app crashed: Process crashed.");
}

Test(test_results, missing_tests_and_incomplete_output)
{
    results.expected = 5;
    expect(DJ_TESTS_FAILED, "only 3 of 5 tests reported a result");
    set(2, DJ_TEST_NOT_FINISHED);
    expect(DJ_TESTS_FAILED, "ListTest#three began but did not finish");
    set(2, DJ_TEST_PASSED);
    results.has_code = false;
    expect(DJ_TESTS_FAILED, "the output of the tests is incomplete: it ends after 3 "
                            "tests, without INSTRUMENTATION_CODE");
    results.test_count = 0;
    results.expected = -1;
    expect(DJ_TESTS_FAILED, "am instrument reported no tests");
}

Test(test_results, tests_that_measured_nothing)
{
    results.test_count = 1;
    results.expected = 1;
    set(0, DJ_TEST_ASSUMPTION_FAILED);
    expect(DJ_TESTS_FAILED,
           "no test ran to its end: 0 ignored, 1 with a failed assumption");
    results.test_count = 0;
    results.expected = 0;
    expect(DJ_TESTS_FAILED, "no test ran: no test has the requested name");
    results.expected = -1;
    results.code = 0;
    expect(DJ_TESTS_FAILED, "am instrument ended with code 0 instead of -1");
}

Test(test_results, a_long_reason_is_truncated)
{
    char reason[8];
    set(0, DJ_TEST_FAILED);
    results.count[DJ_TEST_FAILED] = 1;
    dj_facts_tests_judge(&results, reason, sizeof(reason));
    cr_expect_str_eq(reason, "ListTes");
}
