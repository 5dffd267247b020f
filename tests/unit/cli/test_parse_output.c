#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "cli/parse_output.h"

#define HEADER                                                                           \
    "Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,"      \
    "AnimationStart,PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,"              \
    "IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,"           \
    "QueueBufferDuration,GpuCompleted,\n"

/* Two frames of 8 and 20 ms, a skipped row. */
static const char dump_text[] =
    "** Graphics info for pid 42 [com.\"x\", y] **\n"
    "Stats since: 5ns\nTotal frames rendered: 2\nJanky frames: 1 (50.00%)\n"
    "50th percentile: 8ms\nHISTOGRAM: 5ms=0 8ms=1 20ms=1\n"
    "Profile data in ms:\n\n\tw<1>\x1b[2J (visibility=0)\n"
    "---PROFILEDATA---\n" HEADER "0,1000000000,1000000000,9223372036854775807,0,"
    "1000000000,1000000000,1000000000,1000000000,"
    "1004000000,1004000000,1005000000,1006000000,1008000000,0,0,1008000000,\n"
    "0,1016666666,1016666666,9223372036854775807,0,1016666666,1016666666,1016666666,"
    "1016666666,"
    "1030000000,1030000000,1031000000,1032000000,1036666666,0,0,1036666666,\n"
    "8,1033333332,1033333332,9223372036854775807,0,1033333332,1033333332,1033333332,"
    "1033333332,"
    "1034000000,1034000000,1035000000,1036000000,1037000000,0,0,1037000000,\n"
    "---PROFILEDATA---\n"
    "Note: frame interval: 16666666ns (assumed)\n"
    "Note: not recorded: HandleInputStart, AnimationStart, PerformTraversalsStart, "
    "DrawStart\n"
    "Note: recovered 2 of 4 frames\nNote: process has ended\n";

static struct dj_parsed parsed;
static struct dj_text out;

static void read_text(const char *text)
{
    cr_assert_eq(dj_parsed_read(&parsed, "a,b.txt", text, strlen(text)), 0);
}

static void finish(void)
{
    dj_parsed_finish(&parsed);
    dj_text_finish(&out);
}

TestSuite(parse_output, .fini = finish);

static void expect(const char *part)
{
    cr_assert_not_null(strstr(dj_text_get(&out), part), "no \"%s\" in %s", part,
                       dj_text_get(&out));
}

Test(parse_output, facts_of_a_dump)
{
    read_text(dump_text);
    cr_assert_eq(parsed.outcome, DJ_OUTCOME_OK);
    const struct dj_window_facts *facts = &parsed.processes[0].windows[0];
    cr_assert_eq(facts->interval_ns, 16666666);
    cr_assert(facts->interval_assumed);
    cr_assert_eq(facts->summary.usable, 2);
    cr_assert_eq(facts->rows[0].frame_time_ns, 8000000);
    cr_assert_not(facts->rows[0].janky);
    cr_assert(facts->rows[1].janky);
    cr_assert_not(facts->rows[2].judged);
    cr_assert_eq(facts->rows[2].usability, DJ_ROW_SKIPPED);
}

Test(parse_output, json)
{
    read_text(dump_text);
    dj_parse_json(&out, &parsed, false);
    expect("{\"source\":\"a,b.txt\",\"release\":\"11\",\"release_inferred\":true,"
           "\"outcome\":\"ok\"");
    expect("\"pid\":42,\"name\":\"com.\\\"x\\\", y\"");
    expect("\"uptime_ms\":null");
    expect("\"frame_interval_ns\":16666666,\"frame_interval_assumed\":true");
    expect("\"not_recorded\":[\"HandleInputStart\",\"AnimationStart\","
           "\"PerformTraversalsStart\","
           "\"DrawStart\"]");
    expect("\"recovered_frames\":2,\"expected_frames\":4,\"recording_stopped\":null,"
           "\"collection_stopped\":null,\"ended\":true");
    expect("\"since_ns\":5,\"total_frames\":2,\"janky_frames\":1,\"janky_percent\":50,"
           "\"percentiles_ms\":{\"50\":8}");
    expect("\"histogram\":[[5,0],[6,0],[7,0],[8,1]");
    expect("\\u001b[2J\"");
    expect("\"row_count\":3");
    expect("\"usable_row_count\":2,\"excluded\":{\"skipped\":1}");
    expect("\"janky\":1,\"deadline_missed\":1,\"frames\":2,\"percentiles_ns\":{\"50\":"
           "14000000,");
    expect("\"profile\":null");
    cr_assert_null(strstr(dj_text_get(&out), "\"rows\""));
    cr_assert_null(strstr(dj_text_get(&out), "gpu_histogram"), "not printed, so absent");
}

Test(parse_output, json_rows_know_what_is_unknown)
{
    read_text(dump_text);
    dj_parse_json(&out, &parsed, true);
    expect("\"rows\":[[0,1000000000,1000000000,9223372036854775807,0,null,null,null,null,"
           "1004000000,");
}

Test(parse_output, json_of_what_is_no_dump)
{
    read_text("hello\n");
    cr_assert_eq(parsed.outcome, DJ_OUTCOME_NOT_GFXINFO);
    dj_parse_json(&out, &parsed, false);
    expect("\"release\":null,\"release_inferred\":false,\"outcome\":\"not-gfxinfo\"");
    expect("\"severity\":\"error\",\"message\":\"no gfxinfo text in 1 lines");
    expect("\"processes\":[]}");
}

/* A collected dump: its counters end with the last reading, its window before that. */
Test(parse_output, counts_beyond_the_window_are_explained)
{
    static const char clause[] = "; the counters cover the readings' own time, too\n";
    read_text("** Graphics info for pid 1 [a] **\nTotal frames rendered: 183\n"
              "Janky frames: 0 (0.00%)\nNote: recovered 180 of 180 frames\n");
    dj_parse_page(&out, &parsed);
    expect("0 of 183 counted frames janky");
    expect("recovered 180 of 180 frames (100.0 %)");
    expect(clause);
    finish();
    read_text("** Graphics info for pid 1 [a] **\nTotal frames rendered: 180\n"
              "Note: recovered 180 of 180 frames\n");
    dj_parse_page(&out, &parsed);
    cr_assert_null(strstr(dj_text_get(&out), clause));
}

Test(parse_output, outcomes)
{
    static const struct {
        const char *text, *outcome;
    } rows[] = {
        {"Total frames rendered: 1\n", "ok"},
        {"Total frames rendered: 0\n", "no-frames"},
        {"** Graphics info for pid 1 [a] **\n", "no-frames"},
        {"Applications Graphics Acceleration Info:\n", "no-frames"},
        {"No process found for: a\n", "no-process"},
        {"Permission Denial: can't dump gfxinfo from from pid=1\n", "permission-denied"},
        {"** Graphics info for pid 1 [a] **\nFailure while dumping the app: a\n",
         "dump-failed"},
        {"", "not-gfxinfo"},
        {"---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n0,1000,2000,\n"
         "---PROFILEDATA---\n",
         "ok"},
        {"---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n8,1000,2000,\n"
         "---PROFILEDATA---\n",
         "no-frames"},
        {"Profile data in ms:\n\ta (visibility=0)\n\tDraw\tProcess\tExecute\n\t1\t2\t3\n",
         "ok"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        read_text(rows[i].text);
        cr_assert_str_eq(dj_outcome_name(parsed.outcome), rows[i].outcome, "%s",
                         rows[i].text);
        cr_assert_eq(parsed.outcome == DJ_OUTCOME_OK, parsed.error.message[0] == '\0');
        dj_parsed_finish(&parsed);
    }
}

Test(parse_output, csv)
{
    read_text(dump_text);
    dj_parse_csv(&out, &parsed);
    expect("\"a,b.txt\",42,\"com.\"\"x\"\", y\",w<1>\\x1b[2J,0,,1000000000,1000000000,"
           "9223372036854775807,0,,,,,,,");
    expect(",8000000,8000000,0,1\n");
    expect(",20000000,20000000,1,1\n");
    expect(",,3666668,,0\n");
    size_t commas = 0;
    dj_text_clear(&out);
    dj_parse_csv_header(&out);
    for (size_t i = 0; i < out.length; i++) {
        commas += out.data[i] == ',';
    }
    cr_assert_eq(commas, 3 + DJ_COLUMN_COUNT + 4);
}

Test(parse_output, csv_fields_steer_no_terminal)
{
    read_text("** Graphics info for pid 1 [a\x07\xc2\x9b"
              "2J\xe2\x80\xae] **\n"
              "Profile data in ms:\n\n\tw\x1b]0;x\x07 (visibility=0)\n"
              "---PROFILEDATA---\n" HEADER
              "0,1,1,9223372036854775807,0,1,1,1,1,4,4,5,6,8,0,0,8,\n"
              "---PROFILEDATA---\n");
    dj_parse_csv(&out, &parsed);
    expect(",1,a\\x07\\xc2\\x9b2J\\xe2\\x80\\xae,w\\x1b]0;x\\x07,0,");
    dj_text_clear(&out);
    dj_parse_json(&out, &parsed, false);
    expect("\"a\\u0007\\u009b2J\\u202e\"");
}

Test(parse_output, table)
{
    read_text(dump_text);
    dj_parse_table(&out, &parsed);
    expect("window w<1>");
    expect("janky\n");
    expect("(skipped)\n");
    expect("     16.667");
    cr_assert_null(strstr(dj_text_get(&out), "Layout"), "no row has that stage");
}

Test(parse_output, page)
{
    read_text(dump_text);
    dj_parse_page(&out, &parsed);
    expect("in the form of Android 11 (inferred");
    expect("(pid 42): 1 of 2 counted frames janky (50.00 %)");
    expect("a frame interval of 16.667 ms is assumed");
    expect("not recorded: HandleInputStart, AnimationStart");
    expect("recovered 2 of 4 frames (50.0 %)");
    expect("the process has ended");
    expect("exact, from 2 of 3 rows; 1 left out: 1 skipped");
    expect("guide_total");
    expect("1 of 2 (50.00 %), 1 missed the deadline; rule of Android 11");
}

Test(parse_output, a_page_of_nothing_never_reads_as_smooth)
{
    read_text("** Graphics info for pid 1 [a] **\nTotal frames rendered: 0\n"
              "Janky frames: 0 (0.00%)\n50th percentile: 4950ms\nHISTOGRAM: 5ms=0\n");
    dj_parse_page(&out, &parsed);
    expect("no frame was drawn");
    cr_assert_null(strstr(dj_text_get(&out), "4950"));
    cr_assert_null(strstr(dj_text_get(&out), "counted frames"));
}

Test(parse_output, an_input_that_cannot_be_read)
{
    struct dj_error err = {0};
    dj_error_set(&err, DJ_E_IO, "cannot open x: No such file or directory");
    dj_parsed_unreadable(&parsed, "x", &err);
    dj_parse_json(&out, &parsed, true);
    expect("\"message\":\"cannot open x: No such file or directory\"");
    dj_text_clear(&out);
    dj_parse_page(&out, &parsed);
    dj_parse_csv(&out, &parsed);
    dj_parse_table(&out, &parsed);
    cr_assert_eq(out.length, 0);
}
