#include <criterion/criterion.h>

#include "report/trace/writer.h"
#include "support.h"

static void expect_head(const struct dj_trace *trace, const char *expected)
{
    struct dj_document document = {0};
    dj_trace_build_head(&document, trace);
    expect_document(&document, 80, expected);
}

Test(trace_head, a_trace_of_the_kernel)
{
    const struct dj_trace trace = {.source = "ftrace",
                                   .events = 1,
                                   .thread_count = 2,
                                   .slice_count = 3,
                                   .state_count = 4,
                                   .count_count = 1,
                                   .frame_count = 5,
                                   .first_ns = 1000000,
                                   .last_ns = 3500000};
    expect_head(&trace, "ftrace: 1 event, 2 threads, 3 sections in 2.500 ms\n\n"
                        "also contains  4 thread states, 1 counter value, 5 frames\n");
}

Test(trace_head, a_recording_has_a_process_and_a_clock)
{
    const struct dj_trace trace = {.source = "sections",
                                   .process = "panel",
                                   .pid = 7,
                                   .ended = true,
                                   .slice_count = 1,
                                   .clock = {.name = "monotonic", .known = true}};
    expect_head(&trace,
                "panel (pid 7, has ended): 1 section in 0.000 ms\n\n"
                "also contains  0 counter values\n"
                "clock          monotonic; CLOCK_MONOTONIC is this clock +0.000000 "
                "ms (+/-\n"
                "               0.000000 ms)\n");
}

Test(trace_head, an_unknown_clock)
{
    struct dj_trace trace = {.source = "sections", .clock = {.name = "boot"}};
    struct dj_document document = {0};
    dj_trace_build_head(&document, &trace);
    cr_expect_str_eq(document.blocks[2].text,
                     "boot; its offset from CLOCK_MONOTONIC is unknown");
    dj_document_finish(&document);
    trace.clock = (struct dj_trace_clock){.ticks = true};
    dj_trace_build_head(&document, &trace);
    cr_expect_str_eq(document.blocks[2].text, "the trace's own; its unit is a tick of "
                                              "unknown length, shown as 1 ns");
    dj_document_finish(&document);
}

Test(trace_head, what_is_missing_is_a_note_each)
{
    struct dj_trace trace = {.source = "ftrace",
                             .events = 9,
                             .overwritten = 6,
                             .overwritten_chunks = 2,
                             .skipped_packets = 1,
                             .dropped = 1,
                             .damaged = 2,
                             .first_damaged_line = 5,
                             .unread = 1,
                             .backwards = 3,
                             .backwards_ns = 2000000,
                             .switches = 1,
                             .endings = 4};
    expect_head(
        &trace,
        "ftrace: 9 events, 0 threads, 0 sections in 0.000 ms\n\n"
        "also contains  0 thread states, 0 counter values\n\n"
        "* At least 6 events, or parts of a CPU's time, are missing. Threads may have\n"
        "  done more than is shown.\n"
        "* 2 chunks of the ring buffer were overwritten: the trace starts later than "
        "the\n"
        "  recording.\n"
        "* 1 packet refers to overwritten data and was skipped.\n"
        "* 1 event could not be recorded.\n"
        "* 2 parts could not be read, the first in line 5\n"
        "* 1 further trace instance has events, which are not shown.\n"
        "* 3 events have an earlier time than the event before, by up to 2.000 ms. What\n"
        "  threads did there is uncertain.\n"
        "* 1 thread switch is missing. What the thread did there is unknown.\n"
        "* 4 ends of sections have no beginning.\n");
}

Test(trace_head, other_traces_of_an_archive_are_named)
{
    struct dj_trace trace = {.source = "ftrace", .member_count = 2};
    struct dj_document document = {0};
    dj_text_append(&trace.members, "a.txt\0b.dat\0", 12);
    dj_trace_build_head(&document, &trace);
    cr_expect_str_eq(document.blocks[2].text,
                     "The archive contains 2 traces. This is a.txt. Not read: b.dat.");
    dj_text_finish(&trace.members);
    dj_document_finish(&document);
}

Test(trace_head, overwritten_sections)
{
    struct dj_trace trace = {.source = "sections", .overwritten = 1};
    struct dj_document document = {0};
    trace.whole_from_ns = 4500000;
    dj_trace_build_head(&document, &trace);
    cr_expect_str_eq(document.blocks[2].text,
                     "Newer events overwrote older ones. The list "
                     "is complete from 4.500 ms on.");
    dj_document_finish(&document);
}
