/* The messages about a finished capture. */
#include "report/capture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static char said[2048];

static void keep_message(void *user, const char *text)
{
    size_t used = strlen(said);
    (void)user;
    snprintf(said + used, sizeof(said) - used, "%s\n", text);
}

static const struct dj_messages messages = {keep_message, NULL};

static void report(const struct dj_capture_result *result)
{
    said[0] = '\0';
    dj_report_capture("t.pftrace", result, &messages);
    dj_report_capture_limits(result, &messages);
}

Test(capture_report, sections_without_frames_are_named)
{
    struct dj_capture_result result = {
        .source = "tracefs", .end_ns = 1000000000, .events = 7, .sections = 4};
    report(&result);
    cr_expect_str_eq(
        said, "wrote t.pftrace: tracefs, 1.0 s, 7 events, sections of the app but "
              "no frames, 0.0 MB\n"
              "the trace contains no frames to explain. hint: 'dejank trace triage "
              "t.pftrace --frames NAME' treats the sections with this name as "
              "frames\n");
    result.frames = 2;
    report(&result);
    cr_expect_str_eq(said,
                     "wrote t.pftrace: tracefs, 1.0 s, 7 events, 2 frames, 0.0 MB\n");
}

Test(capture_report, a_limit_says_what_the_trace_does_not_show)
{
    struct dj_capture_result result = {.source = "perf", .frames = 1};
    dj_capture_add_limit(&result, "%s", "which functions ran: no call stacks");
    report(&result);
    cr_expect_not_null(
        strstr(said, "\nthe trace does not show which functions ran: no call stacks\n"));
}
