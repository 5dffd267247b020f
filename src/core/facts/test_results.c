#include "facts/test_results.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/count_of.h"

/* Returns the number of tests that ran to their end. Excludes ignored and unfinished
 * tests. */
static uint32_t count_finished(const struct dj_test_results *results)
{
    return results->count[DJ_TEST_PASSED] + results->count[DJ_TEST_FAILED] +
           results->count[DJ_TEST_ERROR] + results->count[DJ_TEST_ASSUMPTION_FAILED];
}

uint32_t dj_facts_tests_reported_count(const struct dj_test_results *results)
{
    return count_finished(results) + results->count[DJ_TEST_IGNORED] +
           results->count[DJ_TEST_NOT_FINISHED];
}

static const struct dj_test *find_first(const struct dj_test_results *results,
                                        enum dj_test_outcome one,
                                        enum dj_test_outcome other)
{
    for (size_t i = 0; i < results->test_count; i++) {
        const struct dj_test *test = &results->tests[i];
        if (test->outcome == one || test->outcome == other) {
            return test;
        }
    }
    return NULL;
}

/* The caller's buffer for the reason of a failure. */
struct reason_buffer {
    char *text;
    size_t size;
};

__attribute__((format(printf, 2, 3))) static void
set_reason(const struct reason_buffer *reason_buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason_buffer->text, reason_buffer->size, format, arguments);
    va_end(arguments);
}

/* CLASS#METHOD. The names have no maximum length, so each is truncated to fit into a
 * sentence. */
#define NAMED "%.300s#%.300s"

static void set_crash_reason(const struct dj_test_results *results,
                             const struct reason_buffer *reason_buffer)
{
    const struct dj_test *test =
        find_first(results, DJ_TEST_NOT_FINISHED, DJ_TEST_NOT_FINISHED);
    if (test == NULL && results->test_count > 0) {
        const struct dj_test *last = &results->tests[results->test_count - 1];
        test = last->outcome == DJ_TEST_FAILED ? last : NULL;
    }
    if (test != NULL) {
        set_reason(reason_buffer, "the app crashed in " NAMED ": %s", test->class_name,
                   test->method, results->crash);
    } else {
        bool why = results->failure != NULL;
        set_reason(reason_buffer, "the app crashed: %s%s%s", results->crash,
                   why ? " " : "", why ? results->failure : "");
    }
}

/* Each of the following check_*() functions sets the reason if it finds a failure. */

static void check_abort(const struct dj_test_results *results,
                        const struct reason_buffer *reason_buffer)
{
    const struct dj_test *test =
        find_first(results, DJ_TEST_NOT_FINISHED, DJ_TEST_NOT_FINISHED);
    if (results->failure != NULL && test != NULL) {
        set_reason(reason_buffer, "the run was aborted in " NAMED ": %s",
                   test->class_name, test->method, results->failure);
    } else if (results->failure != NULL) {
        set_reason(reason_buffer, "%s", results->failure);
    }
}

static void check_failures(const struct dj_test_results *results,
                           const struct reason_buffer *reason_buffer)
{
    uint32_t count = results->count[DJ_TEST_FAILED] + results->count[DJ_TEST_ERROR];
    const struct dj_test *test = find_first(results, DJ_TEST_FAILED, DJ_TEST_ERROR);
    char more[32] = "";
    if (count > 1) {
        snprintf(more, sizeof(more), " (and %" PRIu32 " more)", count - 1);
    }
    /* Without the option -r, only the last line of the output reports failures. */
    if (count > 0 && test == NULL) {
        set_reason(reason_buffer, "%" PRIu32 " test%s failed", count,
                   count == 1 ? "" : "s");
    } else if (count > 0) {
        const char *stack = test->stack != NULL ? test->stack : "";
        size_t line = strcspn(stack, "\n");
        set_reason(reason_buffer, NAMED " failed%s%s%.*s", test->class_name, test->method,
                   more, line > 0 ? ": " : "", line > 200 ? 200 : (int)line, stack);
    }
}

static void check_end(const struct dj_test_results *results,
                      const struct reason_buffer *reason_buffer)
{
    const struct dj_test *test =
        find_first(results, DJ_TEST_NOT_FINISHED, DJ_TEST_NOT_FINISHED);
    uint32_t reported = dj_facts_tests_reported_count(results);
    bool ended = results->has_code || (results->plain && results->expected >= 0);
    if (test != NULL) {
        set_reason(reason_buffer, NAMED " began but did not finish%s", test->class_name,
                   test->method, ended ? "" : ": the output of the tests is incomplete");
    } else if (!ended && reported == 0 && results->expected < 0) {
        set_reason(reason_buffer, "am instrument reported no tests%s%.300s",
                   results->stray != NULL ? ": " : "",
                   results->stray != NULL ? results->stray : "");
    } else if (!ended) {
        set_reason(reason_buffer,
                   "the output of the tests is incomplete: it ends after %" PRIu32
                   " test%s, without INSTRUMENTATION_CODE",
                   reported, reported == 1 ? "" : "s");
    } else if (results->expected > reported) {
        set_reason(reason_buffer,
                   "only %" PRIu32 " of %" PRId64 " tests reported a result", reported,
                   results->expected);
    }
}

/* Fails if no test measured anything. An instrumentation that contains no tests can still
 * pass. */
static void check_nothing(const struct dj_test_results *results,
                          const struct reason_buffer *reason_buffer)
{
    uint32_t reported = dj_facts_tests_reported_count(results);
    uint32_t assumptions = results->count[DJ_TEST_ASSUMPTION_FAILED];
    if (reported > 0 && count_finished(results) == assumptions) {
        set_reason(reason_buffer,
                   "no test ran to its end: %" PRIu32 " ignored, %" PRIu32
                   " with a failed assumption",
                   results->count[DJ_TEST_IGNORED], assumptions);
    } else if (reported == 0 && results->expected == 0) {
        set_reason(reason_buffer, "no test ran: no test has the requested name");
    } else if (results->has_code && results->code != -1) {
        set_reason(reason_buffer, "am instrument ended with code %d instead of -1",
                   results->code);
    }
}

enum dj_test_verdict dj_facts_tests_judge(const struct dj_test_results *results,
                                          char *reason, size_t size)
{
    static void (*const checks[])(const struct dj_test_results *,
                                  const struct reason_buffer *) = {
        check_abort, check_failures, check_end, check_nothing};
    const struct reason_buffer reason_buffer = {reason, size};
    reason[0] = '\0';
    if (results->crashed) {
        set_crash_reason(results, &reason_buffer);
        return DJ_TESTS_CRASHED;
    }
    for (size_t i = 0; i < COUNT_OF(checks) && reason[0] == '\0'; i++) {
        checks[i](results, &reason_buffer);
    }
    return reason[0] != '\0' ? DJ_TESTS_FAILED : DJ_TESTS_PASSED;
}
