#include "report/junit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "memory/memory.h"
#include "report/escape/xml.h"

/* Writes a time in seconds. Writes nothing if one end is unknown. */
static void write_time(struct dj_text *text, int64_t begin_ns, int64_t end_ns)
{
    if (begin_ns >= 0 && end_ns >= begin_ns) {
        int64_t us = (end_ns - begin_ns) / 1000;
        dj_text_format(text, " time=\"%" PRId64 ".%06" PRId64 "\"", us / 1000000,
                       us % 1000000);
    }
}

/* Writes a <failure> or <error>. The type is the class of the exception. Without a
 * message, the message is the first line of the stack. */
static void write_problem(struct dj_text *text, const char *element, const char *message,
                          const char *stack)
{
    const char *words = stack != NULL ? stack : "";
    size_t line = strcspn(words, "\r\n");
    size_t type = strcspn(words, ": \r\n");
    dj_text_format(text, "\n      <%s", element);
    if (message != NULL) {
        dj_xml_write_attribute(text, "message", message);
    } else {
        dj_xml_write_attribute_part(text, "message", words, line);
    }
    if (type > 0 && type <= line) {
        dj_xml_write_attribute_part(text, "type", words, type);
    }
    dj_text_add(text, ">");
    dj_xml_write_text(text, words, strlen(words));
    dj_text_format(text, "</%s>\n    ", element);
}

static void write_skipped(struct dj_text *text, const struct dj_test *test)
{
    const char *stack = test->stack != NULL ? test->stack : "";
    dj_text_add(text, "\n      <skipped");
    if (test->outcome == DJ_TEST_ASSUMPTION_FAILED) {
        char message[300];
        size_t line = strcspn(stack, "\r\n");
        snprintf(message, sizeof(message), "assumption failed%s%.*s",
                 line > 0 ? ": " : "", line < 250 ? (int)line : 250, stack);
        dj_xml_write_attribute(text, "message", message);
    }
    dj_text_add(text, ">");
    dj_xml_write_text(text, stack, strlen(stack));
    dj_text_add(text, "</skipped>\n    ");
}

static void write_outcome(struct dj_text *text, const struct dj_test_results *run,
                          const struct dj_test *test, struct dj_junit_counts *totals)
{
    const char *ended = run->crash != NULL     ? run->crash
                        : run->failure != NULL ? run->failure
                                               : "it began and never ended";
    switch (test->outcome) {
    case DJ_TEST_FAILED:
        totals->failures++;
        write_problem(text, "failure", NULL, test->stack);
        break;
    case DJ_TEST_ERROR:
    case DJ_TEST_NOT_FINISHED:
        totals->errors++;
        write_problem(text, "error", test->outcome == DJ_TEST_ERROR ? NULL : ended,
                      test->stack);
        break;
    case DJ_TEST_IGNORED:
    case DJ_TEST_ASSUMPTION_FAILED:
        totals->skipped++;
        write_skipped(text, test);
        break;
    default:
        break;
    }
}

static void write_test(struct dj_text *text, const struct dj_test_results *run,
                       const struct dj_test *test, struct dj_junit_counts *totals)
{
    totals->tests++;
    dj_text_add(text, "    <testcase");
    dj_xml_write_attribute(text, "classname", test->class_name);
    dj_xml_write_attribute(text, "name", test->method);
    write_time(text, test->begin_ns, test->end_ns);
    dj_text_add(text, ">");
    write_outcome(text, run, test, totals);
    dj_text_add(text, "</testcase>\n");
}

/* Returns whether the run failed although none of its tests failed. */
static bool is_incomplete(const struct dj_test_results *run,
                          const struct dj_junit_counts *totals)
{
    bool closed = run->plain ? run->expected >= 0 : run->has_code && run->code == -1;
    int64_t seen = dj_facts_tests_reported_count(run);
    return totals->failures + totals->errors == 0 &&
           (!closed || run->crashed || run->failure != NULL || seen < run->expected ||
            (seen == 0 && run->expected == 0));
}

static void write_run_case(struct dj_text *text, const struct dj_junit_run *run,
                           struct dj_junit_counts *totals)
{
    char reason[1024];
    if (is_incomplete(run->results, totals) &&
        dj_facts_tests_judge(run->results, reason, sizeof(reason)) != DJ_TESTS_PASSED) {
        totals->tests++;
        totals->errors++;
        dj_text_add(text, "    <testcase");
        dj_xml_write_attribute(text, "classname", run->name);
        dj_text_add(text, " name=\"(run)\">");
        write_problem(text, "error", reason, NULL);
        dj_text_add(text, "</testcase>\n");
    }
}

/* Writes the time from the start of the first test to the end of the last test. */
static void write_suite_time(struct dj_text *text, const struct dj_test_results *run)
{
    int64_t begin_ns = -1;
    int64_t end_ns = -1;
    for (size_t i = 0; i < run->test_count; i++) {
        const struct dj_test *test = &run->tests[i];
        bool earlier = begin_ns < 0 || test->begin_ns < begin_ns;
        begin_ns = test->begin_ns >= 0 && earlier ? test->begin_ns : begin_ns;
        end_ns = test->end_ns > end_ns ? test->end_ns : end_ns;
    }
    write_time(text, begin_ns, end_ns);
}

void dj_junit_write_counts(struct dj_text *text, const struct dj_junit_counts *counts)
{
    dj_text_format(text,
                   " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64
                   "\" skipped=\"%" PRIu64 "\"",
                   counts->tests, counts->failures, counts->errors, counts->skipped);
}

void dj_junit_end_suite(struct dj_junit *junit, const struct dj_junit_counts *counts,
                        struct dj_text *cases)
{
    dj_text_format(&junit->suites, ">\n%s  </testsuite>\n", dj_xtext(cases));
    junit->counts.tests += counts->tests;
    junit->counts.failures += counts->failures;
    junit->counts.errors += counts->errors;
    junit->counts.skipped += counts->skipped;
    dj_text_finish(cases);
}

void dj_report_add_junit_run(struct dj_junit *junit, const struct dj_junit_run *run)
{
    const struct dj_test_results *results = run->results;
    struct dj_text cases = {0};
    struct dj_junit_counts totals = {0};
    for (size_t i = 0; i < results->test_count; i++) {
        write_test(&cases, results, &results->tests[i], &totals);
    }
    write_run_case(&cases, run, &totals);
    if (results->plain && results->count[DJ_TEST_PASSED] > 0) {
        dj_text_format(&cases,
                       "    <system-out>%" PRIu32
                       " tests passed. am instrument without -r does not print "
                       "their names.</system-out>\n",
                       results->count[DJ_TEST_PASSED]);
    }
    dj_text_add(&junit->suites, "  <testsuite");
    dj_xml_write_attribute(&junit->suites, "name", run->name);
    dj_junit_write_counts(&junit->suites, &totals);
    write_suite_time(&junit->suites, results);
    if (run->started_unix >= 0) {
        dj_text_append_utc(&junit->suites, " timestamp=\"%Y-%m-%dT%H:%M:%S\"",
                           run->started_unix);
    }
    if (run->device != NULL) {
        dj_xml_write_attribute(&junit->suites, "hostname", run->device);
    }
    dj_junit_end_suite(junit, &totals, &cases);
}

void dj_report_write_junit(struct dj_text *text, const struct dj_junit *junit)
{
    dj_text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    dj_xml_write_attribute(text, "name", "dejank");
    dj_junit_write_counts(text, &junit->counts);
    dj_text_format(text, ">\n%s</testsuites>\n", dj_xtext(&junit->suites));
}

void dj_report_finish_junit(struct dj_junit *junit)
{
    dj_text_finish(&junit->suites);
    *junit = (struct dj_junit){0};
}
