#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive/instrument_stream.h"
#include "report/escape/xml.h"
#include "report/junit.h"

static struct dj_instrument_stream *stream;
static struct dj_text document;

static void finish(void)
{
    dj_drive_instrument_stream_destroy(stream);
    dj_text_finish(&document);
}

TestSuite(junit, .fini = finish);

static void feed(const char *text, int64_t at_ns)
{
    struct dj_error err = {0};
    stream = stream != NULL ? stream : dj_drive_instrument_stream_create();
    cr_assert_eq(dj_drive_instrument_stream_feed(stream, text, strlen(text), at_ns, &err),
                 0);
}

/* The document of one run of the input that was fed. */
static const char *write_run(void)
{
    struct dj_junit junit = {0};
    feed("", 0);
    dj_drive_instrument_stream_end(stream, 0, NULL);
    dj_report_add_junit_run(
        &junit,
        &(struct dj_junit_run){.name = "com.example.test/.Runner",
                               .device = "emulator-5554",
                               .started_unix = 1763771400,
                               .results = dj_drive_instrument_stream_results(stream)});
    dj_text_clear(&document);
    dj_report_write_junit(&document, &junit);
    cr_assert_not(document.failed);
    dj_report_finish_junit(&junit);
    return dj_text_get(&document);
}

static void expect(const char *part)
{
    cr_expect(strstr(dj_text_get(&document), part) != NULL, "%s\nis not in\n%s", part,
              dj_text_get(&document));
}

static void expect_not(const char *part)
{
    cr_expect(strstr(dj_text_get(&document), part) == NULL, "%s\nis in\n%s", part,
              dj_text_get(&document));
}

static void feed_status(const char *method, const char *stack, const char *code,
                        int64_t at_ns)
{
    char text[2000];
    snprintf(text, sizeof(text),
             "INSTRUMENTATION_STATUS: class=com.example.ListTest\n%s%s%s"
             "INSTRUMENTATION_STATUS: test=%s\nINSTRUMENTATION_STATUS_CODE: %s\n",
             stack[0] != '\0' ? "INSTRUMENTATION_STATUS: stack=" : "", stack,
             stack[0] != '\0' ? "\n" : "", method, code);
    feed(text, at_ns);
}

static void run_test(const char *method, const char *stack, const char *code)
{
    feed_status(method, "", "1", 1000000);
    feed_status(method, stack, code, 2500000);
}

#define CLOSED "INSTRUMENTATION_CODE: -1\n"

Test(junit, a_test_that_passes)
{
    feed_status("flings", "", "1", 1000000000);
    feed_status("flings", "", "0", 3500000000);
    feed(CLOSED, 4000000000);
    cr_expect_str_eq(
        write_run(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"dejank\" tests=\"1\" failures=\"0\" errors=\"0\" "
        "skipped=\"0\">\n"
        "  <testsuite name=\"com.example.test/.Runner\" tests=\"1\" failures=\"0\" "
        "errors=\"0\" skipped=\"0\" time=\"2.500000\" "
        "timestamp=\"2025-11-22T00:30:00\" hostname=\"emulator-5554\">\n"
        "    <testcase classname=\"com.example.ListTest\" name=\"flings\" "
        "time=\"2.500000\"></testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n");
}

Test(junit, a_failure_has_its_message_type_and_stack)
{
    run_test("flings", "java.lang.AssertionError: 1 < 2\n\tat a.B.c(B.java:1)", "-2");
    feed(CLOSED, 0);
    write_run();
    expect("<failure message=\"java.lang.AssertionError: 1 &lt; 2\" "
           "type=\"java.lang.AssertionError\">java.lang.AssertionError: 1 &lt; 2\n"
           "\tat a.B.c(B.java:1)</failure>");
    expect("tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\"");
    expect("time=\"0.001500\"");
}

Test(junit, every_outcome)
{
    run_test("passes", "", "0");
    run_test("fails", "no", "-2");
    run_test("errs", "worse", "-1");
    run_test("is_ignored", "", "-3");
    run_test("assumes", "org.junit.AssumptionViolatedException: got: <false>\n\tat x",
             "-4");
    feed_status("hangs", "", "1", 0);
    feed(CLOSED, 0);
    write_run();
    expect("tests=\"6\" failures=\"1\" errors=\"2\" skipped=\"2\"");
    expect("<failure message=\"no\" type=\"no\">no</failure>");
    expect("<error message=\"worse\" type=\"worse\">worse</error>");
    expect("<skipped></skipped>");
    expect("<skipped message=\"assumption failed: org.junit.AssumptionViolatedException: "
           "got: &lt;false&gt;\">");
    expect("name=\"hangs\">\n      <error message=\"it began and never ended\"></error>");
    expect_not("(run)");
}

Test(junit, a_crash_is_an_error_of_the_test_that_ran)
{
    run_test("passes", "", "0");
    feed_status("scrolls", "", "1", 0);
    feed("INSTRUMENTATION_RESULT: shortMsg=Process crashed.\nINSTRUMENTATION_CODE: 0\n",
         0);
    write_run();
    expect("name=\"scrolls\">\n      <error message=\"Process crashed.\"></error>");
    expect("tests=\"2\" failures=\"0\" errors=\"1\"");
    expect_not("(run)");
}

Test(junit, a_crash_without_a_test_is_an_error_of_the_run)
{
    feed("INSTRUMENTATION_RESULT: shortMsg=Process crashed.\nINSTRUMENTATION_CODE: 0\n",
         0);
    write_run();
    expect("<testcase classname=\"com.example.test/.Runner\" name=\"(run)\">\n      "
           "<error message=\"the app crashed: Process crashed.\"></error>");
    expect("tests=\"1\" failures=\"0\" errors=\"1\"");
    expect_not("time=");
}

Test(junit, missing_tests_are_an_error_of_the_run)
{
    feed("INSTRUMENTATION_STATUS: numtests=3\n", 0);
    run_test("passes", "", "0");
    write_run(); /* No closing code. */
    expect("name=\"(run)\"");
    expect("ends after 1 test, without");
}

Test(junit, ignored_tests_alone_are_no_error)
{
    run_test("null", "", "-3");
    feed(CLOSED, 0);
    write_run();
    expect("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\"");
}

Test(junit, the_form_without_r)
{
    feed("com.example.ListTest:.\nError in flings(com.example.ListTest):\nno\n.\nTime: "
         "1\nTests run: 3,  Failures: 1\n",
         5);
    write_run();
    expect("tests=\"1\" failures=\"1\"");
    expect("<system-out>2 tests passed");
    expect_not("(run)");
}

Test(junit, suites_add_up)
{
    struct dj_junit junit = {0};
    run_test("fails", "no", "-2");
    feed(CLOSED, 0);
    for (int i = 0; i < 3; i++) {
        dj_report_add_junit_run(
            &junit, &(struct dj_junit_run){
                        .name = "run",
                        .started_unix = -1,
                        .results = dj_drive_instrument_stream_results(stream)});
    }
    dj_report_write_junit(&document, &junit);
    dj_report_finish_junit(&junit);
    expect("<testsuites name=\"dejank\" tests=\"3\" failures=\"3\"");
    expect_not("timestamp");
    expect_not("hostname");
}

static void expect_text(const char *bytes, size_t length, const char *text,
                        const char *attribute)
{
    struct dj_text out = {0};
    dj_xml_write_text(&out, bytes, length);
    cr_expect_str_eq(dj_text_get(&out), text);
    dj_text_clear(&out);
    dj_xml_write_attribute_part(&out, "a", bytes, length);
    cr_expect_str_eq(dj_text_get(&out), attribute);
    dj_text_finish(&out);
}

#define EXPECT_TEXT(bytes, text, attribute)                                              \
    expect_text(bytes, sizeof(bytes) - 1, text, " a=\"" attribute "\"")

Test(junit, text_from_outside_is_escaped_and_valid)
{
    EXPECT_TEXT("Größe 漢 \xF0\x9F\x98\x80", "Größe 漢 \xF0\x9F\x98\x80",
                "Größe 漢 \xF0\x9F\x98\x80");
    EXPECT_TEXT("a<b>&\"'", "a&lt;b&gt;&amp;\"'", "a&lt;b&gt;&amp;&quot;'");
    EXPECT_TEXT("]]>", "]]&gt;", "]]&gt;");
    EXPECT_TEXT("a\r\n\tb", "a&#13;\n\tb", "a&#13;&#10;&#9;b");
    EXPECT_TEXT("\033[2J\0\x7f", "\\x1b[2J\\x00\\x7f", "\\x1b[2J\\x00\\x7f");
    EXPECT_TEXT("\xff\xc0\x80 \xed\xa0\x80", "\\xff\\xc0\\x80 \\xed\\xa0\\x80",
                "\\xff\\xc0\\x80 \\xed\\xa0\\x80");
    EXPECT_TEXT("\xef\xbf\xbe\xef\xbf\xbf", "\\xef\\xbf\\xbe\\xef\\xbf\\xbf",
                "\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
    EXPECT_TEXT("\xc2\x85", "\\xc2\\x85", "\\xc2\\x85");
}
