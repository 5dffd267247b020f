#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive/instrument_stream.h"

static struct dj_instrument_stream *stream;
static const struct dj_test_results *results;
static char reason[400];

static void start(void)
{
    stream = dj_drive_instrument_stream_create();
    results = dj_drive_instrument_stream_results(stream);
}

static void finish(void)
{
    dj_drive_instrument_stream_destroy(stream);
    stream = NULL;
}

TestSuite(instrument_stream, .init = start, .fini = finish);
TestSuite(instrument_corpus);

/* Passes the text to the stream in pieces of `piece` bytes. Each piece arrives one
 * nanosecond after the one before. */
static void feed_pieces(const char *text, size_t length, size_t piece)
{
    struct dj_error err = {0};
    for (size_t at = 0; at < length; at += piece) {
        size_t size = length - at < piece ? length - at : piece;
        cr_assert_eq(
            dj_drive_instrument_stream_feed(stream, text + at, size, (int64_t)at, &err),
            0, "%s", err.message);
    }
}

static enum dj_test_verdict end(void)
{
    struct dj_error err = {0};
    cr_assert_eq(dj_drive_instrument_stream_end(stream, 1000000, &err), 0, "%s",
                 err.message);
    return dj_facts_tests_judge(results, reason, sizeof(reason));
}

static enum dj_test_verdict feed(const char *text)
{
    feed_pieces(text, strlen(text), strlen(text));
    return end();
}

#define STATUS(key, value) "INSTRUMENTATION_STATUS: " key "=" value "\n"
#define TEST(name, current, count, code)                                                 \
    STATUS("class", "com.example.ListTest")                                              \
    STATUS("current", current)                                                           \
    STATUS("id", "AndroidJUnitRunner")                                                   \
    STATUS("numtests", count)                                                            \
    STATUS("stream", "")                                                                 \
    STATUS("test", name) "INSTRUMENTATION_STATUS_CODE: " code "\n"
#define CLOSED                                                                           \
    "INSTRUMENTATION_RESULT: stream=\n\nTime: 0.1\n\nOK (1 "                             \
    "test)\n\n\nINSTRUMENTATION_CODE: -1\n"

static void expect_counts(uint32_t passed, uint32_t failed, uint32_t ignored,
                          uint32_t assumptions, uint32_t unfinished)
{
    cr_expect_eq(results->count[DJ_TEST_PASSED], passed, "passed %u",
                 results->count[DJ_TEST_PASSED]);
    cr_expect_eq(results->count[DJ_TEST_FAILED], failed, "failed %u",
                 results->count[DJ_TEST_FAILED]);
    cr_expect_eq(results->count[DJ_TEST_IGNORED], ignored);
    cr_expect_eq(results->count[DJ_TEST_ASSUMPTION_FAILED], assumptions);
    cr_expect_eq(results->count[DJ_TEST_NOT_FINISHED], unfinished, "unfinished %u",
                 results->count[DJ_TEST_NOT_FINISHED]);
}

static void expect_reason(const char *part)
{
    cr_expect(strstr(reason, part) != NULL, "%s", reason);
}

Test(instrument_stream, a_passed_test_is_read)
{
    cr_expect_eq(feed(TEST("flings", "1", "1", "1") TEST("flings", "1", "1", "0") CLOSED),
                 DJ_TESTS_PASSED, "%s", reason);
    expect_counts(1, 0, 0, 0, 0);
    cr_expect_eq(results->expected, 1);
    cr_expect_eq(results->test_count, 1);
    cr_expect_str_eq(results->tests[0].class_name, "com.example.ListTest");
    cr_expect_str_eq(results->tests[0].method, "flings");
    cr_expect_null(results->tests[0].stack);
    cr_expect(results->has_code && results->code == -1 && !results->plain);
    cr_expect_str_eq(reason, "");
}

Test(instrument_stream, times_are_those_of_the_bytes_that_report_a_test)
{
    struct dj_error err = {0};
    const char *begin = TEST("flings", "1", "1", "1");
    const char *over = TEST("flings", "1", "1", "0");
    dj_drive_instrument_stream_feed(stream, begin, strlen(begin) - 1, 100, &err);
    cr_expect_eq(results->test_count, 0, "the line has not ended");
    dj_drive_instrument_stream_feed(stream, "\n", 1, 110, &err);
    cr_assert_eq(results->test_count, 1);
    cr_expect_eq(results->tests[0].begin_ns, 110);
    cr_expect_eq(results->tests[0].end_ns, -1);
    dj_drive_instrument_stream_feed(stream, over, strlen(over), 250, &err);
    cr_expect_eq(results->tests[0].end_ns, 250);
    cr_expect_eq(results->tests[0].begin_ns, 110);
}

Test(instrument_stream, a_stack_may_have_several_lines)
{
    cr_expect_eq(
        feed(TEST("flings", "1", "1", "1") STATUS("class", "com.example.ListTest") STATUS(
            "stack",
            "java.lang.AssertionError: not\n\nhere") "\tat "
                                                     "a.b(C.java:1)"
                                                     "\n" STATUS("test",
                                                                 "flings") "I"
                                                                           "N"
                                                                           "S"
                                                                           "T"
                                                                           "R"
                                                                           "U"
                                                                           "M"
                                                                           "E"
                                                                           "N"
                                                                           "T"
                                                                           "A"
                                                                           "T"
                                                                           "I"
                                                                           "O"
                                                                           "N"
                                                                           "_"
                                                                           "S"
                                                                           "T"
                                                                           "A"
                                                                           "T"
                                                                           "U"
                                                                           "S"
                                                                           "_"
                                                                           "C"
                                                                           "O"
                                                                           "D"
                                                                           "E"
                                                                           ":"
                                                                           " "
                                                                           "-"
                                                                           "2"
                                                                           "\n" CLOSED),
        DJ_TESTS_FAILED);
    cr_assert_eq(results->test_count, 1);
    cr_expect_str_eq(results->tests[0].stack,
                     "java.lang.AssertionError: not\n\nhere\n\tat a.b(C.java:1)");
    cr_expect_str_eq(reason,
                     "com.example.ListTest#flings failed: java.lang.AssertionError: not");
}

Test(instrument_stream, every_status_code_sets_its_outcome)
{
    feed(TEST("a", "1", "6", "1") TEST("a", "1", "6", "0") TEST("b", "2", "6", "1")
             TEST("b", "2", "6", "-1") TEST("c", "3", "6", "1") TEST("c", "3", "6", "-2")
                 TEST("d", "4", "6", "1") TEST("d", "4", "6", "-3")
                     TEST("e", "5", "6", "1") TEST("e", "5", "6", "-4")
                         TEST("f", "6", "6", "1"));
    expect_counts(1, 1, 1, 1, 1);
    cr_expect_eq(results->count[DJ_TEST_ERROR], 1);
    cr_expect_eq(dj_facts_tests_reported_count(results), 6);
    expect_reason("ListTest#b failed (and 1 more)");
}

Test(instrument_stream, a_test_that_never_ends_is_named)
{
    cr_expect_eq(feed(TEST("a", "1", "2", "1") TEST("a", "1", "2", "0")
                          TEST("hangs", "2", "2", "1")),
                 DJ_TESTS_FAILED);
    expect_counts(1, 0, 0, 0, 1);
    expect_reason("com.example.ListTest#hangs began but did not finish");
    expect_reason("the output of the tests is incomplete");
}

Test(instrument_stream, tests_may_overlap)
{
    feed(TEST("a", "1", "2", "1") TEST("b", "2", "2", "1") TEST("b", "2", "2", "0")
             CLOSED);
    expect_counts(1, 0, 0, 0, 1);
    cr_expect_str_eq(results->tests[0].method, "a");
    cr_expect_eq(results->tests[0].outcome, DJ_TEST_NOT_FINISHED);
    expect_reason("ListTest#a began but did not finish");
}

Test(instrument_stream, an_earlier_test_may_end_last)
{
    feed(TEST("a", "1", "2", "1") TEST("b", "2", "2", "1") TEST("a", "1", "2", "0")
             TEST("b", "2", "2", "0") CLOSED);
    expect_counts(2, 0, 0, 0, 0);
    cr_expect_eq(results->test_count, 2);
}

Test(instrument_stream, a_test_may_run_twice)
{
    cr_expect_eq(feed(TEST("a", "1", "2", "1") TEST("a", "1", "2", "0")
                          TEST("a", "2", "2", "1") TEST("a", "2", "2", "0") CLOSED),
                 DJ_TESTS_PASSED, "%s", reason);
    cr_expect_eq(results->test_count, 2);
    expect_counts(2, 0, 0, 0, 0);
}

Test(instrument_stream, a_parameter_is_a_part_of_the_name)
{
    feed(TEST("flings[0]", "1", "2", "1") TEST("flings[0]", "1", "2", "0")
             TEST("flings[two\nlines]", "2", "2", "1")
                 TEST("flings[two\nlines]", "2", "2", "0") CLOSED);
    expect_counts(2, 0, 0, 0, 0);
    cr_assert_eq(results->test_count, 2);
    cr_expect_str_eq(results->tests[0].method, "flings[0]");
    cr_expect_str_eq(results->tests[1].method, "flings[two\nlines]");
}

Test(instrument_stream, all_line_endings_are_accepted)
{
    feed("INSTRUMENTATION_STATUS: class=a.B\r\r\nINSTRUMENTATION_STATUS: test=c\r\n"
         "INSTRUMENTATION_STATUS_CODE: 1\r\r\nINSTRUMENTATION_STATUS: class=a.B\r\r\n"
         "INSTRUMENTATION_STATUS: stack=e\r\r\n\tat x\r\r\nINSTRUMENTATION_STATUS: "
         "test=c\r\r\nINSTRUMENTATION_STATUS_CODE: -2\r\r\nINSTRUMENTATION_CODE: -1\r");
    expect_counts(0, 1, 0, 0, 0);
    cr_expect_str_eq(results->tests[0].class_name, "a.B");
    cr_expect_str_eq(results->tests[0].stack, "e\n\tat x");
    cr_expect(results->has_code);
}

Test(instrument_stream, warnings_after_a_name_are_ignored)
{
    cr_expect_eq(
        feed("WARNING: linker: libdvm.so has text relocations.\n" STATUS(
            "class",
            "a.B") "WARNING: linker: again\n" STATUS("test",
                                                     "c") "* daemon started successfully "
                                                          "*\nINSTRUMENTATION_STATUS_"
                                                          "CODE: 1\n"
                                                          "WARNING: linker: "
                                                          "between\n" STATUS("class",
                                                                             "a.B")
                                                              STATUS(
                                                                  "test",
                                                                  "c") "INSTRUMENTATION_"
                                                                       "STATUS_CODE: "
                                                                       "0WARNING: glued "
                                                                       "to it\n" CLOSED),
        DJ_TESTS_PASSED, "%s", reason);
    expect_counts(1, 0, 0, 0, 0);
    cr_expect_str_eq(results->tests[0].class_name, "a.B");
    cr_expect_str_eq(results->tests[0].method, "c");
    cr_expect_str_eq(results->stray, "WARNING: linker: libdvm.so has text relocations.");
}

Test(instrument_stream, numbers_and_progress_add_no_tests)
{
    feed(STATUS("frametime_p90", "12.5") "INSTRUMENTATION_STATUS_CODE: 2\n" STATUS(
        "gfx-avg-jank", "3") "INSTRUMENTATION_STATUS_CODE: 0\n" TEST("a", "1", "1", "1")
             STATUS("class", "com.example.ListTest") STATUS("test", "a")
                 STATUS("iteration", "1") "INSTRUMENTATION_STATUS_CODE: 2\n" TEST(
                     "a", "1", "1", "0") CLOSED);
    expect_counts(1, 0, 0, 0, 0);
    cr_expect_eq(results->test_count, 1);
}

Test(instrument_stream, values_end_with_their_status)
{
    feed(TEST("a", "1", "1", "1") STATUS("test", "b") "INSTRUMENTATION_STATUS_CODE: 0\n");
    expect_counts(0, 0, 0, 0, 1);
}

Test(instrument_stream, a_crash_belongs_to_the_test_that_ran)
{
    cr_expect_eq(
        feed(TEST(
            "a", "1", "2",
            "1") "INSTRUMENTATION_RESULT: shortMsg=java.lang.NullPointerException\n"
                 "INSTRUMENTATION_RESULT: longMsg=java.lang.NullPointerException: of\n"
                 "two lines\nINSTRUMENTATION_CODE: 0\n"),
        DJ_TESTS_CRASHED);
    expect_counts(0, 0, 0, 0, 1);
    cr_expect_str_eq(reason, "the app crashed in com.example.ListTest#a: "
                             "java.lang.NullPointerException: of two lines");
    cr_expect(results->has_code && results->code == 0);
}

Test(instrument_stream, a_crash_before_any_test_is_a_crash_of_the_run)
{
    cr_expect_eq(feed("INSTRUMENTATION_RESULT: shortMsg=Process crashed.\n"
                      "INSTRUMENTATION_CODE: 0\n"),
                 DJ_TESTS_CRASHED);
    cr_expect_str_eq(reason, "the app crashed: Process crashed.");
}

Test(instrument_stream, a_runner_that_cannot_begin_reports_why)
{
    static const char reported[] =
        "INSTRUMENTATION_STATUS: stack=java.lang.RuntimeException: "
        "no such listener\n        at android.app.A.b(A.java:1)\n"
        "INSTRUMENTATION_STATUS: stream=\nProcess crashed before "
        "executing the test(s):\njava.lang.RuntimeException: no "
        "such listener\n\nINSTRUMENTATION_STATUS_CODE: -2\n";
    char crashed[1000];
    snprintf(crashed, sizeof(crashed), "%s%s", reported,
             "INSTRUMENTATION_RESULT: shortMsg=Process crashed.\n"
             "INSTRUMENTATION_CODE: 0\n");
    cr_expect_eq(feed(crashed), DJ_TESTS_CRASHED);
    cr_expect_str_eq(reason, "the app crashed: Process crashed. "
                             "java.lang.RuntimeException: no such listener");
    finish();
    start();
    cr_expect_eq(feed(reported), DJ_TESTS_FAILED);
    expect_reason("java.lang.RuntimeException: no such listener");
}

Test(instrument_stream, a_crash_needs_no_closing_code)
{
    cr_expect_eq(feed(TEST("a", "1", "1",
                           "1") "INSTRUMENTATION_RESULT: shortMsg=Native crash\n"
                                "INSTRUMENTATION_RESULT: longMsg=Segmentation fault"),
                 DJ_TESTS_CRASHED);
    expect_reason("Native crash: Segmentation fault");
    cr_expect_not(results->has_code);
}

Test(instrument_stream, a_crash_after_the_end_changes_the_test)
{
    cr_expect_eq(feed(TEST("a", "1", "1", "1") TEST("a", "1", "1", "0") TEST(
                     "a", "1", "1", "-2") "INSTRUMENTATION_RESULT: shortMsg=Process "
                                          "crashed.\nINSTRUMENTATION_CODE: 0\n"),
                 DJ_TESTS_CRASHED);
    cr_expect_eq(results->test_count, 1);
    expect_counts(0, 1, 0, 0, 0);
    expect_reason("ListTest#a");
}

Test(instrument_stream, an_unknown_instrumentation_is_a_failure)
{
    cr_expect_eq(
        feed(STATUS("Error",
                    "Unable to find instrumentation info for: ComponentInfo{a.test/b.C}")
                 STATUS("id",
                        "ActivityManagerService") "INSTRUMENTATION_STATUS_CODE: -1\n"
                                                  "android.util.AndroidException: "
                                                  "INSTRUMENTATION_FAILED: a.test/b.C\n"
                                                  "\tat com.android.commands.am\n"),
        DJ_TESTS_FAILED);
    cr_expect_eq(results->test_count, 0);
    cr_expect_str_eq(
        reason, "Unable to find instrumentation info for: ComponentInfo{a.test/b.C}");
}

Test(instrument_stream, a_failure_may_have_no_reason)
{
    cr_expect_eq(feed("INSTRUMENTATION_FAILED: a.test/b.C\r\n"), DJ_TESTS_FAILED);
    cr_expect_str_eq(reason, "a.test/b.C could not be started");
}

Test(instrument_stream, a_system_crash_is_a_failure)
{
    cr_expect_eq(feed(TEST("a", "1", "3", "1") "INSTRUMENTATION_ABORTED: System has "
                                               "crashed.\n"),
                 DJ_TESTS_FAILED);
    cr_expect_str_eq(
        reason, "the run was aborted in com.example.ListTest#a: System has crashed.");
}

Test(instrument_stream, an_abort_may_have_no_reason)
{
    cr_expect_eq(feed("INSTRUMENTATION_ABORTED: \r\n"), DJ_TESTS_FAILED);
    cr_expect_str_eq(reason, "the tests were aborted");
}

Test(instrument_stream, newer_releases_wrap_the_message)
{
    cr_expect_eq(feed("onError: commandError=false message=INSTRUMENTATION_ABORTED: "
                      "System has crashed.\nINSTRUMENTATION_ABORTED: System has "
                      "crashed.\n"),
                 DJ_TESTS_FAILED);
    cr_expect_str_eq(reason, "System has crashed.");
}

Test(instrument_stream, a_runner_that_aborts_is_a_failure)
{
    feed("INSTRUMENTATION_RESULT: stream=\n\nTest run aborted due to unexpected "
         "exception: no\nmore\nINSTRUMENTATION_CODE: -1\n");
    cr_expect_str_eq(reason, "Test run aborted due to unexpected exception: no");
}

Test(instrument_stream, fewer_tests_than_announced_are_a_failure)
{
    cr_expect_eq(feed(TEST("a", "1", "3", "1") TEST("a", "1", "3", "0") CLOSED),
                 DJ_TESTS_FAILED);
    cr_expect_str_eq(reason, "only 1 of 3 tests reported a result");
}

Test(instrument_stream, a_missing_closing_code_is_a_failure)
{
    cr_expect_eq(feed(TEST("a", "1", "1", "1") TEST("a", "1", "1", "0")),
                 DJ_TESTS_FAILED);
    expect_reason("ends after 1 test, without INSTRUMENTATION_CODE");
}

Test(instrument_stream, an_error_as_closing_code_is_a_failure)
{
    cr_expect_eq(feed(TEST("a", "1", "1", "1")
                          TEST("a", "1", "1", "0") "INSTRUMENTATION_CODE: 0\n"),
                 DJ_TESTS_FAILED);
    cr_expect_str_eq(reason, "am instrument ended with code 0 instead of -1");
}

Test(instrument_stream, a_run_without_tests_is_a_failure)
{
    cr_expect_eq(feed("INSTRUMENTATION_RESULT: stream=\n\nTime: 0\n\nOK (0 tests)\n\n\n"
                      "INSTRUMENTATION_CODE: -1\n"),
                 DJ_TESTS_FAILED);
    expect_reason("no test ran");
}

Test(instrument_stream, an_instrumentation_without_tests_passes)
{
    cr_expect_eq(feed("INSTRUMENTATION_RESULT: launched=3\nINSTRUMENTATION_CODE: -1\n"),
                 DJ_TESTS_PASSED, "%s", reason);
}

Test(instrument_stream, a_run_with_only_ignored_tests_is_a_failure)
{
    cr_expect_eq(feed(TEST("null", "1", "1", "1") TEST("null", "1", "1", "-3") CLOSED),
                 DJ_TESTS_FAILED);
    cr_expect_str_eq(reason,
                     "no test ran to its end: 1 ignored, 0 with a failed assumption");
}

Test(instrument_stream, other_text_is_a_failure_with_that_text)
{
    cr_expect_eq(feed("\n/system/bin/sh: am: not found\nmore\n"), DJ_TESTS_FAILED);
    cr_expect_str_eq(reason,
                     "am instrument reported no tests: /system/bin/sh: am: not found");
    cr_expect_eq(dj_facts_tests_reported_count(results), 0);
}

Test(instrument_stream, an_empty_stream_is_a_failure)
{
    cr_expect_eq(feed(""), DJ_TESTS_FAILED);
    cr_expect_str_eq(reason, "am instrument reported no tests");
}

Test(instrument_stream, output_without_r_is_read)
{
    cr_expect_eq(
        feed("\ncom.example.ListTest:..\n\ncom.example.Other:.\nTest results for "
             "InstrumentationTestRunner=...\nTime: 25.2\n\nOK (3 tests)\n\n\n"),
        DJ_TESTS_PASSED, "%s", reason);
    cr_expect(results->plain);
    expect_counts(3, 0, 0, 0, 0);
    cr_expect_eq(results->expected, 3);
}

Test(instrument_stream, output_without_r_names_failures)
{
    cr_expect_eq(
        feed("\ncom.example.ListTest:.\nError in flings(com.example.ListTest):\n"
             "java.lang.AssertionError: is\n\nnot\n\tat a.b(C.java:1)\n.\nTime: "
             "1.5\nThere "
             "was 1 failure:\n1) flings(com.example.ListTest)\njava.lang.AssertionError: "
             "is\n\nFAILURES!!!\nTests run: 3,  Failures: 1\n\n"),
        DJ_TESTS_FAILED);
    expect_counts(2, 1, 0, 0, 0);
    cr_expect_eq(results->count[DJ_TEST_ERROR], 0);
    cr_assert_eq(results->test_count, 1);
    cr_expect_str_eq(results->tests[0].method, "flings");
    cr_expect_str_eq(results->tests[0].class_name, "com.example.ListTest");
    cr_expect_str_eq(results->tests[0].stack,
                     "java.lang.AssertionError: is\n\nnot\n\tat a.b(C.java:1)");
}

Test(instrument_stream, output_without_r_of_junit_3_has_errors)
{
    feed("com.example.ListTest:.\nFailure in flings:\nno\n\tat x\nError in drags:\nnull\n"
         "Test results for InstrumentationTestRunner=.F.E\nTime: 3\n\nFAILURES!!!\nTests "
         "run: 3,  Failures: 1,  Errors: 1\n");
    expect_counts(1, 1, 0, 0, 0);
    cr_expect_eq(results->count[DJ_TEST_ERROR], 1);
    cr_assert_eq(results->test_count, 2);
    cr_expect_str_eq(results->tests[1].class_name, "com.example.ListTest");
    cr_expect_str_eq(results->tests[1].method, "drags");
}

Test(instrument_stream, output_without_r_never_removes_a_failure)
{
    cr_expect_eq(feed("com.example.ListTest:.\nFailure in flings:\nno\nOK (2 tests)\n"),
                 DJ_TESTS_FAILED);
    expect_counts(1, 1, 0, 0, 0);
}

Test(instrument_stream, output_without_r_that_is_incomplete)
{
    cr_expect_eq(feed("com.example.ListTest:...\nINSTRUMENTATION_RESULT: "
                      "shortMsg=Process crashed.\nINSTRUMENTATION_CODE: 0\n"),
                 DJ_TESTS_CRASHED);
    expect_counts(3, 0, 0, 0, 0);
    finish();
    start();
    cr_expect_eq(feed("com.example.ListTest:..."), DJ_TESTS_FAILED);
    expect_reason("ends after 3 tests");
}

/* ---- sizes ---- */

Test(instrument_stream, endless_lines_and_stacks_are_truncated)
{
    size_t length = 3 * DJ_INSTRUMENT_LINE_MAX;
    char *long_line = malloc(length);
    memset(long_line, 'x', length);
    const char *begin = STATUS("class", "a.B") STATUS("test", "c");
    const char *stack = "INSTRUMENTATION_STATUS: stack=";
    feed_pieces(begin, strlen(begin), 7);
    feed_pieces(stack, strlen(stack), 7);
    for (int i = 0; i < 3; i++) {
        feed_pieces(long_line, length, 4096);
        feed_pieces("\n", 1, 1);
    }
    free(long_line);
    feed("INSTRUMENTATION_STATUS_CODE: -2\nINSTRUMENTATION_CODE: -1\n");
    expect_counts(0, 1, 0, 0, 0);
    cr_assert_eq(results->test_count, 1);
    cr_expect_eq(strlen(results->tests[0].stack), DJ_INSTRUMENT_STACK_MAX);
}

Test(instrument_stream, long_names_are_truncated)
{
    const char *begin = STATUS("class", "a") "INSTRUMENTATION_STATUS: test=";
    char text[3 * DJ_INSTRUMENT_NAME_MAX];
    memset(text, 'n', sizeof(text));
    feed_pieces(begin, strlen(begin), 62);
    feed_pieces(text, sizeof(text), sizeof(text));
    feed("\nINSTRUMENTATION_STATUS_CODE: 1\n");
    cr_assert_eq(results->test_count, 1);
    cr_expect_eq(strlen(results->tests[0].method), DJ_INSTRUMENT_NAME_MAX);
    cr_expect_lt(strlen(reason), sizeof(reason));
}

Test(instrument_stream, too_many_tests_are_an_error)
{
    const char *one = TEST("a", "1", "1", "1");
    struct dj_error err = {0};
    int code = 0;
    for (int i = 0; i <= DJ_INSTRUMENT_TESTS_MAX && code == 0; i++) {
        code = dj_drive_instrument_stream_feed(stream, one, strlen(one), i, &err);
        cr_assert_eq(code == 0, i < DJ_INSTRUMENT_TESTS_MAX, "%d", i);
    }
    cr_expect_eq(code, DJ_E_LIMIT);
    cr_expect_eq(dj_drive_instrument_stream_feed(stream, one, strlen(one), 0, NULL),
                 DJ_E_LIMIT);
    cr_expect_eq(results->test_count, DJ_INSTRUMENT_TESTS_MAX);
}

Test(instrument_stream, nul_bytes_are_no_line_ends)
{
    static const char text[] =
        "INSTRUMENTATION_STATUS: class=a\0b\nINSTRUMENTATION_STATUS: "
        "test=c\nINSTRUMENTATION_STATUS_CODE: 1\n";
    feed_pieces(text, sizeof(text) - 1, 5);
    end();
    cr_assert_eq(results->test_count, 1);
    cr_expect_str_eq(results->tests[0].class_name, "a");
}

/* ---- real streams; the numbers were counted in the files by hand ---- */

static const struct {
    const char *name;
    int64_t expected;
    uint32_t passed, failed, ignored, assumptions, unfinished;
    bool crashed, closed;
    int code;
    enum dj_test_verdict verdict;
    const char *reason; /* A part of the expected reason. */
} corpus[] = {
    {"001-adam-log_1.txt", 36, 25, 8, 2, 1, 0, false, false, 0, DJ_TESTS_FAILED,
     "com.example.AbstractFailingTest#testAlwaysFailing failed (and 7 more): "
     "java.lang.AssertionError"},
    {"003-adam-log_3.txt", 1, 0, 1, 0, 0, 0, false, true, -1, DJ_TESTS_FAILED,
     "com.example.AbstractFailingTest#testAlwaysFailing failed: java.lang.Ass"},
    {"005-adam-log_5.txt", 2, 1, 1, 0, 0, 0, false, true, -1, DJ_TESTS_FAILED,
     "com.example.MainActivityAllureTest#testFailure failed: androidx.test.esp"},
    {"007-adam-log_8.txt", 9, 8, 1, 0, 0, 0, true, true, 0, DJ_TESTS_CRASHED,
     "crashed in kz.kolesa.tests.login.SignInEmptyDataTest#signInWithEmptyPassword[1]"},
    {"009-adam-log_10.txt", 10, 10, 0, 0, 0, 0, false, true, -1, DJ_TESTS_PASSED, ""},
    {"011-adam-log_12.txt", 1, 0, 0, 1, 0, 0, false, true, -1, DJ_TESTS_FAILED,
     "no test ran to its end: 1 ignored"},
    {"013-aosp-monkeyrunner-instrument_result.txt", 1, 1, 0, 0, 0, 0, false, true, -1,
     DJ_TESTS_PASSED, ""},
    {"015-mobly-failing_test.txt", 1, 0, 1, 0, 0, 0, false, true, -1, DJ_TESTS_FAILED,
     "com.my.package.test.BasicTest#failingTest failed: "
     "java.lang.UnsupportedOperationException: dummy failing test"},
};

static size_t read_sample(const char *folder, const char *name, char *text, size_t room)
{
    char path[1000];
    snprintf(path, sizeof(path), "%s/instrument/%s", folder, name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    size_t length = fread(text, 1, room, file);
    cr_assert(feof(file));
    fclose(file);
    return length;
}

static void check_sample(size_t i, enum dj_test_verdict verdict)
{
    cr_expect_eq(results->expected, corpus[i].expected, "%s", corpus[i].name);
    expect_counts(corpus[i].passed, corpus[i].failed, corpus[i].ignored,
                  corpus[i].assumptions, corpus[i].unfinished);
    cr_expect_eq(results->count[DJ_TEST_ERROR], 0);
    cr_expect_eq(results->test_count, dj_facts_tests_reported_count(results));
    cr_expect_eq(results->crashed, corpus[i].crashed, "%s", corpus[i].name);
    cr_expect_eq(results->has_code, corpus[i].closed, "%s", corpus[i].name);
    cr_expect(!results->has_code || results->code == corpus[i].code);
    cr_expect_eq(verdict, corpus[i].verdict, "%s: %s", corpus[i].name, reason);
    expect_reason(corpus[i].reason);
    cr_expect_eq(reason[0] == '\0', verdict == DJ_TESTS_PASSED);
    cr_expect_not(results->plain);
    for (size_t k = 0; k < results->test_count; k++) {
        const struct dj_test *test = &results->tests[k];
        bool stack =
            test->outcome == DJ_TEST_FAILED || test->outcome == DJ_TEST_ASSUMPTION_FAILED;
        cr_expect_eq(test->stack != NULL, stack, "%s", test->method);
    }
}

Test(instrument_corpus, real_streams_are_counted_correctly_in_pieces_of_any_size)
{
    static char text[100000];
    static char returned[200000];
    static const size_t pieces[] = {1, 7, 4096, sizeof(returned)};
    const char *folder = getenv("DEJANK_CORPUS");
    if (folder == NULL) {
        cr_skip_test("DEJANK_CORPUS is not set");
    }
    for (size_t i = 0; i < sizeof(corpus) / sizeof(corpus[0]); i++) {
        size_t length = read_sample(folder, corpus[i].name, text, sizeof(text));
        size_t returned_length = 0;
        for (size_t k = 0; k < length; k++) { /* Old releases end lines with CR LF. */
            if (text[k] == '\n') {
                memcpy(returned + returned_length, "\r\r", 2);
                returned_length += 2;
            }
            returned[returned_length++] = text[k];
        }
        for (size_t k = 0; k < sizeof(pieces) / sizeof(pieces[0]); k++) {
            start();
            feed_pieces(text, length, pieces[k]);
            check_sample(i, end());
            finish();
            start();
            feed_pieces(returned, returned_length, pieces[k]);
            check_sample(i, end());
            finish();
        }
    }
}
