#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "report/dump/csv.h"
#include "report/dump/dump.h"

#define HEADER                                                                           \
    "Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,"      \
    "AnimationStart,PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,"              \
    "IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,"           \
    "QueueBufferDuration,GpuCompleted,\n"

/* Two frames of 8 and 20 ms, and a skipped row. */
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

static struct dj_dump_input input;

/* Keeps the last of several dumps in an input. */
static int keep_dump(void *data, struct dj_parsed *dump)
{
    (void)data;
    dj_import_finish_dump(&parsed);
    parsed = *dump;
    *dump = (struct dj_parsed){0};
    return 0;
}

static void write_json(bool rows)
{
    struct dj_dump_json json = {0};
    dj_report_open_json(&out);
    dj_report_begin_json_input(&out, input.source);
    dj_report_write_json_dump(&out, &json, &parsed, rows);
    dj_report_end_json_input(&out, &json, &input);
    dj_report_close_json(&out);
}

/* Writes the page of the last dump. */
static void write_page(void)
{
    struct dj_dump_page page = {.style = {80, false, true}, .with_details = true};
    dj_report_write_page_dump(&out, &page, &parsed);
    dj_report_end_page(&out, &page, &input);
}

static void read_with(const char *text, dj_dump_input_receiver *take, void *data)
{
    dj_import_input_finish(&input);
    dj_import_input_init(&input, "a,b.txt", NULL, take, data);
    cr_assert_eq(dj_import_input_feed(&input, text, strlen(text)), 0);
    cr_assert_eq(dj_import_input_end_text(&input), 0);
    cr_assert_eq(dj_import_input_end(&input), 0);
}

static void read_text(const char *text)
{
    read_with(text, keep_dump, NULL);
}

static int write_text_page(void *page, struct dj_parsed *dump)
{
    dj_report_write_page_dump(&out, page, dump);
    return 0;
}

/* The page of all dumps of an input. */
static const char *write_whole_page(const char *text)
{
    struct dj_dump_page page = {.style = {80, false, true}, .with_details = true};
    dj_text_clear(&out);
    read_with(text, write_text_page, &page);
    dj_report_end_page(&out, &page, &input);
    return dj_text_get(&out);
}

static void finish(void)
{
    dj_import_finish_dump(&parsed);
    dj_import_input_finish(&input);
    dj_text_finish(&out);
}

TestSuite(dump_output, .fini = finish);

static void expect(const char *part)
{
    cr_assert_not_null(strstr(dj_text_get(&out), part), "no \"%s\" in %s", part,
                       dj_text_get(&out));
}

/* Expects the words on the page, regardless of line breaks. */
static void expect_words(const char *part)
{
    struct dj_text flat = {0};
    for (const char *at = dj_text_get(&out); *at != '\0'; at++) {
        bool broken = *at == '\n' && at[1] != '\n';
        dj_text_append(&flat, broken ? " " : at, 1);
        at += broken ? strspn(at + 1, " ") : 0;
    }
    cr_assert_not_null(strstr(dj_text_get(&flat), part), "no \"%s\" in %s", part,
                       dj_text_get(&out));
    dj_text_finish(&flat);
}

Test(dump_output, facts_of_a_dump)
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

Test(dump_output, json)
{
    read_text(dump_text);
    write_json(false);
    expect("{\"source\":\"a,b.txt\",");
    expect("\"release\":\"11\",\"release_inferred\":true,");
    expect("\"outcome\":\"ok\"");
    expect("\"pid\":42,\"name\":\"com.\\\"x\\\", y\"");
    expect("\"uptime_ms\":null");
    expect("\"frame_interval_ns\":16666666,\"frame_interval_assumed\":true");
    expect("\"not_recorded\":[\"HandleInputStart\",\"AnimationStart\","
           "\"PerformTraversalsStart\","
           "\"DrawStart\"]");
    expect("\"recovered_frames\":2,\"expected_frames\":4,\"recounted\":null,\"recording_"
           "stopped\":null,"
           "\"collection_stopped\":null,\"ended\":true");
    expect("\"since_ns\":5,\"total_frames\":2,\"janky_frames\":1,\"janky_percent\":50,"
           "\"percentiles_ms\":{\"50\":8}");
    expect("\"histogram\":[[5,0],[8,1],[20,1]]");
    expect("\\u001b[2J\"");
    expect("\"row_count\":3");
    expect("\"usable_row_count\":2,\"excluded\":{\"skipped\":1}");
    expect("\"janky\":1,\"deadline_missed\":1,\"frames\":2,\"percentiles_ns\":{\"50\":"
           "14000000,");
    expect("\"profile\":null");
    cr_assert_null(strstr(dj_text_get(&out), "\"rows\""));
    cr_assert_null(strstr(dj_text_get(&out), "gpu_histogram"), "not printed, so absent");
}

/* Of the two frames: 20 ms, 13.3 ms of them before the sync, which no stamp divides. */
Test(dump_output, json_has_findings_and_what_could_be_measured)
{
    read_text(dump_text);
    write_json(false);
    expect("\"findings\":[{\"id\":\"sync\",\"title\":\"");
    expect("\"look_at\":\"");
    expect(
        "\"stage\":\"Sync\",\"from\":\"SyncStart\",\"to\":\"IssueDrawCommandsStart\","
        "\"limit_ns\":400000,\"frames\":2,\"janky_frames\":1,\"measured_frames\":2,"
        "\"total_ns_sum\":2000000,\"worst\":{\"row\":0,\"intended_vsync_ns\":1000000000,"
        "\"ns\":1000000}}]");
    expect("\"findings_measured\":{\"ui-thread-late\":2,\"input-handling\":0,");
    expect("\"dequeue-buffer\":0,\"queue-buffer\":0,\"gpu\":2,\"deadline-missed\":0,"
           "\"input-latency\":0,\"hang\":2}");
}

Test(dump_output, json_names_the_guides_figures_and_the_dropped_intervals)
{
    read_text(dump_text);
    write_json(false);
    expect("\"guide\":{\"janky\":1,\"frames\":2,\"percentiles_ns\":{\"50\":14000000,");
    expect("\"dropped_intervals\":0,\"replayed\"");
    finish();
    read_text("---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n2,1000,2000,\n"
              "---PROFILEDATA---\n");
    write_json(false);
    expect("\"guide\":{\"janky\":0,\"frames\":0}");
    expect("\"rate_hz\":null,\"dropped_intervals\":null");
    expect("\"findings\":[],");
}

Test(dump_output, json_rows_know_what_is_unknown)
{
    read_text(dump_text);
    write_json(true);
    expect("\"rows\":[[0,1000000000,1000000000,9223372036854775807,0,null,null,null,null,"
           "1004000000,");
}

Test(dump_output, json_of_an_input_without_a_dump)
{
    read_text("hello\n");
    cr_assert_eq(parsed.outcome, DJ_OUTCOME_NOT_GFXINFO);
    write_json(false);
    expect("\"release\":null,\"release_inferred\":false,");
    expect("\"outcome\":\"not-gfxinfo\"");
    expect("\"severity\":\"error\",\"message\":\"no gfxinfo text in 1 lines");
    expect("\"processes\":[],");
}

/* A collected dump: its counters end with the last reading, its window ends before that.
 */
Test(dump_output, counts_beyond_the_window_are_explained)
{
    static const char clause[] = ", and the counters include the time of the readings.";
    read_text("** Graphics info for pid 1 [a] **\nTotal frames rendered: 183\n"
              "Janky frames: 0 (0.00%)\nNote: recovered 180 of 180 frames\n");
    write_page();
    expect("0 of 183 frames janky");
    expect_words("Recovered 180 of 180 frames of the collection window");
    expect_words(clause);
    finish();
    read_text("** Graphics info for pid 1 [a] **\nTotal frames rendered: 180\n"
              "Note: recovered 180 of 180 frames\n");
    write_page();
    cr_assert_null(strstr(dj_text_get(&out), clause));
}

Test(dump_output, outcomes)
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
        cr_assert_str_eq(dj_import_outcome_get_name(parsed.outcome), rows[i].outcome,
                         "%s", rows[i].text);
        cr_assert_eq(parsed.outcome == DJ_OUTCOME_OK, parsed.error.message[0] == '\0');
        dj_import_finish_dump(&parsed);
    }
}

static struct dj_dump_csv csv;

static void write_csv_rows(void)
{
    dj_report_finish_dump_csv(&csv);
    dj_report_write_dump_csv_rows(&csv, &out, &parsed);
}

Test(dump_output, csv)
{
    read_text(dump_text);
    write_csv_rows();
    expect("\"a,b.txt\",42,\"com.\"\"x\"\", y\",w<1>\\x1b[2J,0,,1000000000,1000000000,"
           "9223372036854775807,0,,,,,,,");
    expect(",8000000,8000000,0,1\n");
    expect(",20000000,20000000,1,1\n");
    expect(",,3666668,,0\n");
    size_t commas = 0;
    dj_text_clear(&out);
    dj_report_insert_dump_csv_header(&csv, &out);
    dj_report_finish_dump_csv(&csv);
    for (size_t i = 0; i < out.length; i++) {
        commas += out.data[i] == ',';
    }
    cr_assert_eq(commas, 3 + DJ_COLUMN_COUNT + 4);
}

Test(dump_output, csv_fields_have_no_control_characters)
{
    read_text("** Graphics info for pid 1 [a\x07\xc2\x9b"
              "2J\xe2\x80\xae] **\n"
              "Profile data in ms:\n\n\tw\x1b]0;x\x07 (visibility=0)\n"
              "---PROFILEDATA---\n" HEADER
              "0,1,1,9223372036854775807,0,1,1,1,1,4,4,5,6,8,0,0,8,\n"
              "---PROFILEDATA---\n");
    write_csv_rows();
    expect(",1,a\\x07\\xc2\\x9b2J\\xe2\\x80\\xae,w\\x1b]0;x\\x07,0,");
    dj_text_clear(&out);
    write_json(false);
    expect("\"a\\u0007\\u009b2J\\u202e\"");
}

#define VENDOR_DUMP(names, row)                                                          \
    "---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted," names "\n0,1000,2000," row  \
    "\n---PROFILEDATA---\n"

/* Each row has as many cells as the header, also rows before a column appeared. */
Test(dump_output, csv_keeps_columns_that_no_release_has)
{
    static const char line[] = "w\n\"1\"";
    read_text("Profile data in ms:\n\tplain (visibility=0)\n" VENDOR_DUMP("", ""));
    write_csv_rows();
    dj_import_finish_dump(&parsed);
    read_text("Profile data in ms:\n\ta (visibility=0)\n" VENDOR_DUMP(
        "AnimationCounter,usable,", "77,5,") "\tb (visibility=0)\n" VENDOR_DUMP("=1+1,",
                                                                                "6,"));
    free(parsed.dump.processes[0].windows[0].title);
    parsed.dump.processes[0].windows[0].title = strdup(line);
    dj_report_write_dump_csv_rows(&csv, &out, &parsed);
    dj_report_insert_dump_csv_header(&csv, &out);
    expect(",janky,usable,AnimationCounter,usable_other,'=1+1\n");
    expect("\"a,b.txt\",,,plain,0,,1000,");
    expect(",1000,,1,,,\n");
    expect(",,,\"w\n\"\"1\"\"\",0,,1000,");
    expect(",1000,,1,77,5,\n");
    expect(",1000,,1,,,6\n");
    cr_assert_eq(csv.lost, 0);
    dj_report_write_dump_csv_rows(&csv, &out, &parsed);
    cr_assert_eq(csv.lost, 0, "known columns are not lost");
    dj_import_finish_dump(&parsed);
    read_text(VENDOR_DUMP("Late,", "8,"));
    dj_report_write_dump_csv_rows(&csv, &out, &parsed);
    cr_assert_eq(csv.lost, 1);
    dj_report_finish_dump_csv(&csv);
}

/* A row of 4.x is complete without Prepare; a truncated row is not. */
Test(dump_output, csv_of_the_simple_dump_has_only_complete_rows)
{
    read_text(
        "Profile data in ms:\n\n\tw (visibility=0)\n\tDraw\tPrepare\tProcess\tExecute\n"
        "\t1.00\t2.00\t3.00\t4.00\n\t1.00\n");
    dj_report_write_profile_csv_rows(&out, &parsed);
    cr_assert_str_eq(dj_text_get(&out), "\"a,b.txt\",,,w,1.00,2.00,3.00,4.00\n");
    dj_text_clear(&out);
    read_text("Profile data in ms:\n\n\tw (visibility=0)\n\tDraw\tProcess\tExecute\n"
              "\t1.00\t3.00\t4.00\n");
    dj_report_write_profile_csv_rows(&out, &parsed);
    cr_assert_str_eq(dj_text_get(&out), "\"a,b.txt\",,,w,1.00,,3.00,4.00\n");
}

/* hwui's duration is 0 if the whole frame was a wait. */
Test(dump_output, json_counts_usable_rows_without_an_answer)
{
    read_text("---PROFILEDATA---\n" HEADER
              "0,1000000000,1000000000,9223372036854775807,0,1000000000,1000000000,"
              "1000000000,1000000000,1000000000,1009000000,1009000000,1009000000,"
              "1008000000,0,0,1008000000,\n"
              "0,1016666666,1016666666,9223372036854775807,0,1016666666,1016666666,"
              "1016666666,1016666666,1020000000,1020000000,1021000000,1022000000,"
              "1026666666,0,0,1026666666,\n---PROFILEDATA---\n");
    write_json(false);
    expect("\"usable_row_count\":2,");
    expect("\"frames\":1,");
    expect("\"unjudged\":1,");
    dj_text_clear(&out);
    write_page();
    expect_words("The rule of Android 11 cannot judge 1 of 2 rows, because these rows "
                 "lack a column");
}

Test(dump_output, table)
{
    read_text(dump_text);
    dj_report_write_dump_table(&out, &parsed);
    expect("window w<1>");
    expect("janky\n");
    expect("(skipped)\n");
    expect("     16.667");
    cr_assert_null(strstr(dj_text_get(&out), "Layout"), "no row has that stage");
}

Test(dump_output, page)
{
    static const char verdict[] =
        "TOO FEW FRAMES TO JUDGE: com.\"x\", y: 1 of 2 frames janky (50.00 %)\n"
        "hwui's count and the rows of the dump agree.\n"
        "A verdict needs at least 30 frames.\n"
        "pid 42 · Android 11 (inferred) · frame interval 16.67 ms (60 Hz, assumed) ·\n"
        "a,b.txt\n";
    read_text(dump_text);
    write_page();
    cr_assert_eq(strncmp(dj_text_get(&out), verdict, sizeof(verdict) - 1), 0,
                 "verdict first: %s", dj_text_get(&out));
    expect("\n95th percentile                 –    19.40 ms     19.40 ms\n");
    expect("\nJanky frames           1 (50.00%)  1 (50.00%)   1 (50.00%)\n");
    expect_words(
        "guide_total: FrameCompleted − IntendedVsync of rows with Flags 0, janky "
        "if longer than one interval.");
    expect_words("The deadline of 16.67 ms (60 Hz) is assumed");
    expect_words("HandleInputStart, AnimationStart");
    expect_words("Recovered 2 of 4 frames of the collection window (50.0 %)");
    expect_words("The process has ended");
    expect_words("1 of 3 rows is excluded from the exact figures: 1 skipped.");
    expect_words("guide_total: FrameCompleted − IntendedVsync");
    expect("\nlongest frames\n");
    expect("\n  2  0.017     20.00        1.2  App 13.33 ms   janky\n");
    expect("• Slow sync with the render thread: 2 of 2 frames over 0.4 ms, 1 of them "
           "janky,\n  worst 1.00 ms (row 1).");
    expect_words("measured SyncStart → IssueDrawCommandsStart");
    expect_words("Could not check: Slow input handling, Slow animation callbacks, ");
    expect("\nnext:\n");
    expect("  dejank collect --package 'com.\"x\", y' --for 10s -o collected.txt\n");
    expect("• Window w<1>\\x1b[2J (visible).\n");
}

/* The sections are in the order in which a reader asks. */
Test(dump_output, page_sections_are_in_order)
{
    static const char *const parts[] = {
        "TOO FEW",          "\nfigure ",           "\nFrame times",
        "\nstage ",         "\nFindings",          "\nChecked and fine: ",
        "\nlongest frames", "\nAbout this data\n", "\nnext:\n"};
    read_text(dump_text);
    write_page();
    const char *at = dj_text_get(&out);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        at = strstr(at, parts[i]);
        cr_assert_not_null(at, "%s in %s", parts[i], dj_text_get(&out));
    }
}

/* Without --all, secondary parts are named and not shown. */
Test(dump_output, a_page_names_the_details_that_it_hides)
{
    struct dj_dump_page page = {.style = {80, false, true}};
    read_text(dump_text);
    dj_report_write_page_dump(&out, &page, &parsed);
    dj_report_end_page(&out, &page, &input);
    expect_words(
        "Not shown: other figures and counters, longest frames, how findings are "
        "measured, stages of each frame (--all shows everything).");
    cr_assert_null(strstr(dj_text_get(&out), "Stats since"));
    expect("\nFindings, most severe first\n");
}

Test(dump_output, an_empty_page_is_never_smooth)
{
    read_text("** Graphics info for pid 1 [a] **\nTotal frames rendered: 0\n"
              "Janky frames: 0 (0.00%)\n50th percentile: 4950ms\nHISTOGRAM: 5ms=0\n");
    write_page();
    expect(
        "NO FRAMES: a: no frame was drawn\nSo the smoothness of the app is unknown.\n");
    expect("dejank collect --device adb: --package a ");
    cr_assert_null(strstr(dj_text_get(&out), "4950"));
    cr_assert_null(strstr(dj_text_get(&out), "frames janky"));
    cr_assert_null(strstr(dj_text_get(&out), "SMOOTH"));
}

/* The start of the page for every kind of input. */
Test(dump_output, every_outcome_has_its_verdict_and_next_step)
{
    static const struct {
        const char *text, *verdict, *command;
    } rows[] = {
        {"No process found for: com.x\n",
         "NO SUCH PROCESS: a,b.txt: ", "  adb shell monkey -p com.x "},
        {"Permission Denial: can't dump gfxinfo from from pid=1\n",
         "PERMISSION DENIED: a,b.txt: ", "dumpsys gfxinfo PACKAGE framestats"},
        {"** Graphics info for pid 1 [a] **\nFailure while dumping the app: a\n",
         "THE DUMP FAILED: a,b.txt: ", "dumpsys gfxinfo a framestats"},
        {"hello\n", "NOTHING TO READ: a,b.txt: ", "dumpsys gfxinfo PACKAGE framestats"},
        {"Total frames rendered: 100\nJanky frames: 50 (50.00%)\n",
         "JANKY: 50 of 100 frames janky (50.00 %)\n",
         "dumpsys gfxinfo PACKAGE framestats"},
        {"Total frames rendered: 100\nJanky frames: 2 (2.00%)\n",
         "SMOOTH: 2 of 100 frames janky (2.00 %)\nSMOOTH: at most 2 % of frames janky. ",
         "-o collected.txt"},
        {"Total frames rendered: 100\n",
         "NOT JUDGED: frames were drawn, but the number of janky ones is unknown\nNOT "
         "JUDGED: "
         "the data does not show which frames missed their deadline.\n",
         "-o collected.txt"},
        {"Profile data in ms:\n\ta (visibility=0)\n\tDraw\tProcess\tExecute\n"
         "\t1\t2\t3\n\t9\t8\t7\n",
         "NOT JUDGED: 2 rows of the simple dump, 1 longer than a frame interval\n",
         "dumpsys gfxinfo PACKAGE framestats"},
        {"---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n8,1000,2000,\n"
         "---PROFILEDATA---\n",
         "NO FRAMES: its only row is not a usable frame\n",
         "--package PACKAGE --for 10s"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        dj_text_clear(&out);
        read_text(rows[i].text);
        write_page();
        cr_assert_eq(strncmp(dj_text_get(&out), rows[i].verdict, strlen(rows[i].verdict)),
                     0, "%s", dj_text_get(&out));
        expect("\nnext:\n");
        expect(rows[i].command);
        dj_import_finish_dump(&parsed);
    }
}

Test(dump_output, of_several_processes_the_worst_comes_first)
{
    read_text("** Graphics info for pid 1 [quiet] **\nTotal frames rendered: 0\n"
              "Janky frames: 0 (0.00%)\n"
              "** Graphics info for pid 2 [fine] **\nTotal frames rendered: 1000\n"
              "Janky frames: 1 (0.10%)\n"
              "** Graphics info for pid 3 [bad] **\nTotal frames rendered: 1000\n"
              "Janky frames: 300 (30.00%)\n");
    write_page();
    cr_assert_eq(
        strncmp(dj_text_get(&out),
                "2 of 3 processes drew frames; the worst is JANKY: bad\nSMOOTH: at most",
                60),
        0, "%s", dj_text_get(&out));
    expect("\nprocess  pid  frames  janky, %  verdict\n"
           "bad        3    1000     30.00  JANKY\n"
           "fine       2    1000      0.10  SMOOTH\n"
           "\nNo frames: quiet.\n"
           "\nJANKY: bad: 300 of 1000 frames janky (30.00 %)\n");
    expect("\nthe other processes\n");
    expect("\nNO FRAMES: quiet: no frame was drawn\n");
    expect("\nSMOOTH: fine: 1 of 1000 frames janky (0.10 %)\n");
    cr_assert_null(strstr(dj_text_get(&out), "\n\n\n"));
    expect("dumpsys gfxinfo bad framestats");
}

Test(dump_output, page_of_graphicsstats)
{
    read_text("Package: com.x\nVersion: 7\nStats since: 1700000000000ns\n"
              "Stats end: 1700003600000ns\nTotal frames rendered: 200\n"
              "Janky frames: 30 (15.00%)\n50th percentile: 9ms\n90th percentile: 20ms\n"
              "95th percentile: 30ms\n99th percentile: 40ms\n");
    write_page();
    expect("JANKY: com.x: 30 of 200 frames janky (15.00 %)\nSMOOTH: at most ");
    expect("\na,b.txt · graphicsstats of 1 package\n");
    expect("2023-11-14     200     30  15.00        9   20   30   40  com.x 7\n");
    expect("adb shell dumpsys gfxinfo com.x framestats");
}

Test(dump_output, an_input_that_cannot_be_read)
{
    struct dj_error err = {0};
    dj_error_set(&err, DJ_E_IO, "cannot open x: No such file or directory");
    dj_import_input_init(&input, "x", NULL, keep_dump, NULL);
    dj_import_input_break(&input, &err);
    cr_assert_eq(dj_import_input_end(&input), 0);
    write_json(true);
    expect("\"message\":\"cannot open x: No such file or directory\"");
    dj_text_clear(&out);
    write_csv_rows();
    dj_report_write_dump_table(&out, &parsed);
    cr_assert_eq(out.length, 0);
    write_page();
    expect("NOTHING TO READ: x: cannot open x: No such file or directory\n");
    expect("Check the file's name and permissions");
}

#define DAVEY                                                                            \
    "03-17 08:11:59.318  2214  2251 I HWUI    : Davey! duration=1083ms; Flags=0, "       \
    "IntendedVsync=1000000000, Vsync=1000000000, FrameCompleted=2083000000, \n"
#define ROWS(flags)                                                                      \
    "---PROFILEDATA---\n" HEADER flags                                                   \
    ",1000000000,1000000000,9223372036854775807,0,1000000000,1000000000,1000000000,"     \
    "1000000000,1004000000,1004000000,1005000000,1006000000,1008000000,0,0,"             \
    "1008000000,\n---PROFILEDATA---\n"
#define SERVICE "Applications Graphics Acceleration Info:\nUptime: 1 Realtime: 1\n"
#define PROCESS(pid, name) "** Graphics info for pid " pid " [" name "] **\n"
#define WINDOW(title) "\n\t" title "/android.view.ViewRootImpl@1 (visibility=0)\n"

static size_t count_occurrences(const char *part)
{
    size_t count = 0;
    for (const char *at = dj_text_get(&out); (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

static void expect_none(const char *part)
{
    cr_assert_null(strstr(dj_text_get(&out), part), "\"%s\" in %s", part,
                   dj_text_get(&out));
}

/* In a bug report a log comes before the dumps, but the dumps contain the evidence. */
Test(dump_output, a_page_begins_with_the_strongest_evidence)
{
    static const char *const parts[] = {"JANKY: com.x: 50 of 100 ",
                                        "\nNO FRAMES: idle: ",
                                        "\ngraphicsstats: ",
                                        "\n   1            1083  2214\n",
                                        "\nnext:\n",
                                        "gfxinfo com.x framestats"};
    const char *at = write_whole_page(DAVEY SERVICE PROCESS("9", "idle") SERVICE PROCESS(
        "7",
        "com.x") "Total frames rendered: 100\nJanky frames: 50 (50.00%)\n"
                 "Package: com.z\nTotal frames rendered: 40\nJanky frames: 1 (2.50%)\n");
    cr_assert_eq(strncmp(at, parts[0], strlen(parts[0])), 0, "%s", at);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        const char *found = strstr(at, parts[i]);
        cr_assert_not_null(found, "no \"%s\" in %s", parts[i], dj_text_get(&out));
        at = found;
    }
    cr_assert_eq(count_occurrences("\nnext:\n"), 1);
    expect_none("the log names");
    expect_none("PACKAGE");
}

Test(dump_output, log_lines_alone_have_their_verdict)
{
    write_whole_page(DAVEY);
    expect("NOT JUDGED: the log names 1 frame of 0.7 s or more\n");
    expect("dumpsys gfxinfo PACKAGE framestats");
    write_whole_page(DAVEY DAVEY);
    expect("NOT JUDGED: the log names 2 frames of 0.7 s or more\n");
    write_whole_page(DAVEY PROCESS("2214", "com.x"));
    expect("NOT JUDGED: the log names 1 frame");
    expect("\nNO FRAMES: com.x: no frame was drawn\n");
    expect("dumpsys gfxinfo com.x framestats");
}

Test(dump_output, many_dumps_without_frames_are_counted)
{
    struct dj_text text = {0};
    struct dj_dump_page page = {.style = {80, false, true}};
    for (size_t i = 0; i < 9000; i++) {
        dj_text_add(&text, SERVICE PROCESS("7", "com.x"));
    }
    read_with(dj_text_get(&text), write_text_page, &page);
    cr_assert_leq(page.weak.length, (1 << 20) + 1000);
    dj_report_end_page(&out, &page, &input);
    expect("more dumps without frames\n");
    cr_assert_eq(count_occurrences("\nnext:\n"), 1);
    dj_text_finish(&text);
}

Test(dump_output, a_package_with_few_frames_is_named)
{
    write_whole_page(
        "Package: com.z\nTotal frames rendered: 4\nJanky frames: 1 (25.00%)\n");
    expect("NOT JUDGED: no package has enough frames\n");
    expect("\na,b.txt · graphicsstats of 1 package\n");
    expect("dumpsys gfxinfo com.z framestats");
    write_whole_page("Package: com.z\nTotal frames rendered: 400\nJanky frames: 1\n"
                     "50th percentile: 9ms\n");
    expect("–            400      –  –        9  ");
}

/* A note that is true of one window or process names only that one. */
Test(dump_output, an_empty_window_makes_no_empty_dump)
{
    write_whole_page(PROCESS("7", "com.x") "Profile data in ms:\n" WINDOW("w") ROWS(
        "0") WINDOW("Toast") "---PROFILEDATA---\n" HEADER "---PROFILEDATA---\n");
    expect_words(
        "• Window Toast/android.view.ViewRootImpl@1 (visible) drew no frames of its "
        "own.");
    expect_none("no frame rows");
    cr_assert_eq(count_occurrences("The deadline of 16.67 ms (60 Hz) is assumed"), 1);
}

Test(dump_output, one_of_two_processes_has_only_sums)
{
    write_whole_page(PROCESS(
        "7", "com.x") "Total frames rendered: 50\nJanky frames: 1 "
                      "(2.00%)\n" PROCESS("8", "com.y") "Profile data in ms:\n" WINDOW(
                          "w") ROWS("0"));
    expect("This process has no frame rows");
    cr_assert_eq(count_occurrences("no frame rows"), 1);
    cr_assert_lt(strstr(dj_text_get(&out), "SMOOTH: com.x: "),
                 strstr(dj_text_get(&out), "no frame rows"));
    cr_assert_lt(strstr(dj_text_get(&out), "no frame rows"),
                 strstr(dj_text_get(&out), "TOO FEW FRAMES TO JUDGE: com.y: "));
}

Test(dump_output, unusable_rows_are_counted)
{
    write_whole_page(
        PROCESS("7", "com.x") "Total frames rendered: 50\nJanky frames: 1 (2.00%)\n"
                              "Profile data in ms:\n" WINDOW("w") ROWS("1"));
    expect_none("no frame rows");
    expect_words("1 of 1 rows is excluded from the exact figures: 1 window changed.");
    expect_words("Collect for longer while someone uses the app.");
}

Test(dump_output, a_page_of_rows_that_the_rule_exempts)
{
    write_whole_page(PROCESS("7", "com.x") "Profile data in ms:\n" WINDOW("w") ROWS("4"));
    expect("NOT JUDGED: com.x: 1 row, exempt from the release's rule\n");
    expect_words(
        "The rule of Android 11 never counts 1 of 1 rows as janky (flag 4: drawn to a "
        "Surface's canvas).");
    expect("dejank parse --frames a,b.txt ");
}

#define FAILURE "Failure while dumping the app: ProcessRecord{a 7:com.x/u0a88}\n"

Test(dump_output, a_dump_that_failed_half_way_reports_it)
{
    static const char sentence[] =
        "The dump is incomplete: an app did not answer in time.";
    write_whole_page(PROCESS("7", "com.x") "Profile data in ms:\n" WINDOW("w") ROWS("0")
                         FAILURE);
    expect(sentence);
    write_whole_page(PROCESS(
        "7", "com.x") "Total frames rendered: 50\nJanky frames: 1 (2.00%)\n" FAILURE
                         PROCESS("8", "com.y"));
    cr_assert_eq(count_occurrences(sentence), 1);
    write_whole_page(
        PROCESS("7", "com.x") "Total frames rendered: 50\nJanky frames: 1 (2.00%)\n");
    expect_none(sentence);
    write_whole_page(PROCESS("7", "com.x") FAILURE);
    expect("THE DUMP FAILED: a,b.txt: ");
    expect_none(sentence);
}

/* Each refusal is reported with the dump that contains it, not with later ones. */
Test(dump_output, a_refusal_is_reported_once)
{
    write_whole_page(
        PROCESS("7",
                "com.x") "Total frames rendered: 50\nJanky frames: 1 (2.00%)\n" FAILURE
            SERVICE PROCESS(
                "8", "com.y") "Total frames rendered: 60\nJanky frames: 1 (1.67%)\n");
    cr_assert_eq(count_occurrences("The dump is incomplete"), 1);
    cr_assert_eq(count_occurrences("SMOOTH: com."), 2);
}

Test(dump_output, a_truncated_count_of_janky_frames_is_not_zero)
{
    write_whole_page(PROCESS("7", "com.x") "Total frames rendered: 120\nJanky frames: 1\n"
                                           "50th percentile: 9ms\n");
    expect("NOT JUDGED: com.x: frames were drawn, but the number of janky ones is ");
    expect_words("The line \"Janky frames\" is truncated or missing");
    expect_none("(0.");
    expect_none("SMOOTH");
}
