#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/lines.h"
#include "gfxinfo/parse.h"
#include "gfxinfo/print.h"

#define NAMES_11                                                                         \
    "Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,"      \
    "AnimationStart,PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,"              \
    "IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,"           \
    "QueueBufferDuration,GpuCompleted,"
#define ROW_11                                                                           \
    "0,100,101,9223372036854775807,0,102,103,104,105,106,107,108,109,110,7,8,111,"
#define NAMES_12                                                                         \
    "Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,HandleInputStart,"      \
    "AnimationStart,PerformTraversalsStart,DrawStart,FrameDeadline,FrameInterval,"       \
    "FrameStartTime,SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,"            \
    "FrameCompleted,DequeueBufferDuration,QueueBufferDuration,GpuCompleted,"             \
    "SwapBuffersCompleted,DisplayPresentTime,"

static struct dj_dump dump;
static struct dj_parse_report report;
static struct dj_error err;

static int parse_bytes(const char *text, size_t length)
{
    /* Exactly its size, so that a sanitizer sees a read past the end. */
    char *exact = malloc(length > 0 ? length : 1);
    memcpy(exact, text, length);
    err = (struct dj_error){0};
    int code = dj_parse_dump(exact, length, &dump, &report, &err);
    free(exact);
    return code;
}

static int parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

static void finish(void)
{
    dj_dump_finish(&dump);
}

static bool warned_of(const char *words)
{
    for (size_t i = 0; i < report.warning_count && i < DJ_PARSE_WARNINGS; i++) {
        if (strstr(report.warning[i].message, words) != NULL) {
            return true;
        }
    }
    return false;
}

TestSuite(parse, .fini = finish);

/* ---- what is no dump ---- */

Test(parse, nothing_of_gfxinfo_says_what_was_expected)
{
    static const char *const texts[] = {
        "",
        "\n",
        "hello\n",
        "Uptime: 1 Realtime: 2\n",
        "Note: process has ended\n",
        "Window: x\n",
        "Pipeline=Skia\n",
        "1,2,3\n",
        "Flags,\n",
        "{\"a\": [1, 2]}\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        cr_assert_eq(parse(texts[i]), DJ_E_NO_DATA, "\"%s\"", texts[i]);
        cr_assert_eq(err.code, DJ_E_NO_DATA);
        cr_assert_not_null(strstr(err.message, "expected"));
        cr_assert_eq(dump.process_count, 0);
        dj_dump_finish(&dump);
    }
}

Test(parse, null_of_no_length)
{
    cr_assert_eq(dj_parse_dump(NULL, 0, &dump, NULL, NULL), DJ_E_NO_DATA);
}

Test(parse, no_process_found)
{
    cr_assert_eq(parse("No process found for: com.x y\r\n"), 0);
    cr_assert_str_eq(dump.not_found, "com.x y");
    cr_assert_eq(dump.process_count, 0);
}

Test(parse, of_several_dumps_those_that_found_something_count)
{
    cr_assert_eq(parse("No process found for: a\n** Graphics info for pid 3 [b] **\n"),
                 0);
    cr_assert_null(dump.not_found);
    cr_assert_eq(dump.process_count, 1);
}

Test(parse, refusals_are_named)
{
    cr_assert_eq(
        parse(
            "Permission Denial: can't dump gfxinfo from from pid=1, uid=2 due to missing"
            " android.permission.DUMP permission\n"),
        DJ_E_NO_DATA);
    cr_assert_eq(report.refusal, DJ_REFUSAL_DENIED);
    cr_assert_not_null(strstr(err.message, "permission"));
    dj_dump_finish(&dump);
    cr_assert_eq(
        parse("** Graphics info for pid 12 [com.x] **\nFailure while dumping the app: "
              "ProcessRecord{1 2:com.x/u0}\n"),
        0);
    cr_assert_eq(report.refusal, DJ_REFUSAL_FAILED);
    cr_assert_eq(dump.process_count, 1);
}

Test(parse, a_service_without_apps_is_a_dump)
{
    cr_assert_eq(
        parse("Applications Graphics Acceleration Info:\nUptime: 12 Realtime: 34\n"), 0);
    cr_assert_eq(dump.uptime_ms, 12);
    cr_assert_eq(dump.realtime_ms, 34);
    cr_assert_eq(dump.process_count, 0);
}

/* ---- statistics ---- */

static const char block[] = "Stats since: 424242ns\n"
                            "Total frames rendered: 21\n"
                            "Janky frames: 4 (19.05%)\n"
                            "Janky frames (legacy): 16 (76.19%)\n"
                            "50th percentile: 19ms\n"
                            "90th percentile: 57ms\n"
                            "95th percentile: 58ms\n"
                            "99th percentile: 200ms\n"
                            "Number Missed Vsync: 1\n"
                            "Number High input latency: 2\n"
                            "Number Slow UI thread: 3\n"
                            "Number Slow bitmap uploads: 5\n"
                            "Number Slow issue draw commands: 6\n"
                            "Number Frame deadline missed: 7\n"
                            "Number Frame deadline missed (legacy): 8\n"
                            "HISTOGRAM: 5ms=1 6ms=2 133ms=3 150ms=4 4950ms=5\n"
                            "50th gpu percentile: 2ms\n"
                            "GPU HISTOGRAM: 1ms=7 25ms=8 4950ms=9\n";

static void expect_block(const struct dj_stats_block *got)
{
    const struct dj_stats *stats = &got->stats;
    cr_assert(got->present);
    cr_assert_eq(stats->since_ns, 424242);
    cr_assert_eq(stats->counter[DJ_COUNTER_TOTAL], 21);
    cr_assert_eq(stats->counter[DJ_COUNTER_JANKY], 4);
    cr_assert_eq(stats->counter[DJ_COUNTER_JANKY_LEGACY], 16);
    cr_assert_float_eq(got->printed_janky_pct, 19.05, 1e-9);
    cr_assert_eq(got->printed_percentile_ms[0], 19);
    cr_assert_eq(got->printed_percentile_ms[3], 200);
    cr_assert_eq(stats->counter[DJ_COUNTER_MISSED_VSYNC], 1);
    cr_assert_eq(stats->counter[DJ_COUNTER_SLOW_BITMAP_UPLOADS], 5);
    cr_assert_eq(stats->counter[DJ_COUNTER_DEADLINE_MISSED], 7);
    cr_assert_eq(stats->counter[DJ_COUNTER_DEADLINE_MISSED_LEGACY], 8);
    cr_assert_eq(stats->frame_histogram[0], 1);
    cr_assert_eq(stats->frame_histogram[1], 2);
    cr_assert_eq(stats->frame_histogram[56], 3);
    cr_assert_eq(stats->frame_histogram[57], 4);
    cr_assert_eq(stats->frame_histogram[DJ_FRAME_BUCKETS - 1], 5);
    cr_assert_eq(got->printed_gpu_percentile_ms[0], 2);
    cr_assert_eq(stats->gpu_histogram[0], 7);
    cr_assert_eq(stats->gpu_histogram[24], 8);
    cr_assert_eq(stats->gpu_histogram[25], 9);
}

Test(parse, a_block_of_a_process)
{
    struct dj_text text = {0};
    dj_text_format(&text, "** Graphics info for pid 2599 [com.example] **\n\n%s", block);
    cr_assert_eq(parse(dj_text_get(&text)), 0);
    cr_assert_eq(dump.process_count, 1);
    cr_assert_eq(dump.processes[0].pid, 2599);
    cr_assert_str_eq(dump.processes[0].name, "com.example");
    expect_block(&dump.processes[0].stats);
    cr_assert_eq(report.warning_count, 0);
    dj_text_finish(&text);
}

Test(parse, a_block_alone_has_a_process_without_a_name)
{
    cr_assert_eq(parse(block), 0);
    cr_assert_eq(dump.process_count, 1);
    cr_assert_eq(dump.processes[0].pid, -1);
    cr_assert_null(dump.processes[0].name);
    expect_block(&dump.processes[0].stats);
}

Test(parse, blocks_pasted_one_after_the_other_stay_apart)
{
    struct dj_text text = {0};
    dj_text_format(&text, "%s\n%s\n%s", block, block, block);
    cr_assert_eq(parse(dj_text_get(&text)), 0);
    cr_assert_eq(dump.process_count, 3);
    for (size_t i = 0; i < 3; i++) {
        expect_block(&dump.processes[i].stats);
    }
    dj_text_finish(&text);
}

Test(parse, a_windows_block_is_the_windows)
{
    struct dj_text text = {0};
    dj_text_format(
        &text,
        "** Graphics info for pid 1 [a] **\nTotal frames rendered: 99\n"
        "Profile data in ms:\n\n\ta/a.Main/android.view.ViewRootImpl@1 (visibility=4)\n"
        "Window: a/a.Main\n%s",
        block);
    cr_assert_eq(parse(dj_text_get(&text)), 0);
    const struct dj_dump_process *process = &dump.processes[0];
    cr_assert_eq(process->stats.stats.counter[DJ_COUNTER_TOTAL], 99);
    cr_assert_eq(process->window_count, 1);
    cr_assert_str_eq(process->windows[0].title, "a/a.Main/android.view.ViewRootImpl@1");
    cr_assert_str_eq(process->windows[0].stats_title, "a/a.Main");
    cr_assert_eq(process->windows[0].visibility, 4);
    expect_block(&process->windows[0].stats);
    dj_text_finish(&text);
}

Test(parse, no_frames_divide_to_not_a_number)
{
    cr_assert_eq(parse("Total frames rendered: 0\nJanky frames: 0 (-nan%)\n"), 0);
    cr_assert(isnan(dump.processes[0].stats.printed_janky_pct));
    cr_assert_eq(dump.processes[0].stats.lines & dj_lines_of_kind(DJ_LINE_HISTOGRAM), 0);
}

Test(parse, numbers_that_do_not_fit_lose_their_line_alone)
{
    cr_assert_eq(parse("Total frames rendered: 4294967296\nNumber Missed Vsync: -1\n"
                       "Number Slow UI thread: many\nNumber Slow bitmap uploads: 3\n"
                       "Stats since: 99999999999999999999ns\n"),
                 0);
    const struct dj_stats_block *got = &dump.processes[0].stats;
    cr_assert_eq(report.warning_count, 4);
    cr_assert_eq(report.warning[0].line, 1);
    cr_assert_eq(report.warning[1].byte, 34);
    cr_assert_eq(got->stats.counter[DJ_COUNTER_TOTAL], 0);
    cr_assert_eq(got->stats.counter[DJ_COUNTER_SLOW_BITMAP_UPLOADS], 3);
    cr_assert_eq(__builtin_popcount(got->lines), 1);
}

Test(parse, a_histogram_with_strange_buckets)
{
    cr_assert_eq(parse("HISTOGRAM: 5ms=1 33ms=9 34ms=2 x 36ms=3\n"), 0);
    const struct dj_stats *stats = &dump.processes[0].stats.stats;
    cr_assert_eq(stats->frame_histogram[0], 1);
    cr_assert_eq(stats->frame_histogram[28], 2);
    cr_assert_eq(stats->frame_histogram[29], 0);
    cr_assert(warned_of("33ms"));
    cr_assert(warned_of("cut short or broken"));
}

Test(parse, the_last_number_of_a_cut_text_is_not_trusted)
{
    cr_assert_eq(parse("HISTOGRAM: 5ms=1 6ms=12"), 0);
    cr_assert_eq(dump.processes[0].stats.stats.frame_histogram[0], 1);
    cr_assert_eq(dump.processes[0].stats.stats.frame_histogram[1], 0);
    cr_assert_eq(report.warning_count, 1);
}

/* ---- framestats ---- */

static const struct dj_dump_window *only_window(void)
{
    cr_assert_eq(dump.process_count, 1);
    cr_assert_eq(dump.processes[0].window_count, 1);
    return &dump.processes[0].windows[0];
}

Test(parse, rows_by_header_name)
{
    cr_assert_eq(parse("---PROFILEDATA---\n" NAMES_11 "\n" ROW_11 "\n" ROW_11
                       "\n---PROFILEDATA---\n"),
                 0);
    const struct dj_dump_window *window = only_window();
    cr_assert_eq(window->frame_count, 2);
    cr_assert_eq(window->columns.count, 17);
    cr_assert_not(window->columns_inferred);
    cr_assert_eq(report.rows, 2);
    const struct dj_frame *frame = &window->frames[1];
    cr_assert_eq(frame->value[DJ_COLUMN_INTENDED_VSYNC], 100);
    cr_assert_eq(frame->value[DJ_COLUMN_OLDEST_INPUT_EVENT], INT64_MAX);
    cr_assert_eq(frame->value[DJ_COLUMN_GPU_COMPLETED], 111);
    cr_assert_eq(__builtin_popcountll(frame->known), 17);
    cr_assert_not(dj_frame_has(frame, DJ_COLUMN_FRAME_DEADLINE));
    cr_assert_str_eq(dump.dialect->name, "11");
    cr_assert(dump.dialect_inferred);
}

/* A vendor's column stands anywhere and shifts nothing, whatever is in it. */
Test(parse, unknown_columns_shift_nothing)
{
    cr_assert_eq(
        parse("---PROFILEDATA---\nFlags,WallTime,IntendedVsync,FrameCompleted,Mood,\n"
              "1,99,100,110,5,\n2,1.5,200,210,good,\n---PROFILEDATA---\n"),
        0);
    const struct dj_dump_window *window = only_window();
    cr_assert_eq(window->columns.count, 3);
    cr_assert_eq(window->frame_count, 2);
    cr_assert_eq(window->frames[0].value[DJ_COLUMN_FRAME_COMPLETED], 110);
    cr_assert_eq(window->frames[1].value[DJ_COLUMN_INTENDED_VSYNC], 200);
    cr_assert(warned_of("\"WallTime\""));
    cr_assert(warned_of("\"Mood\""));
    cr_assert_null(dump.dialect);
}

Test(parse, a_column_named_twice)
{
    cr_assert_eq(
        parse("---PROFILEDATA---\nIntendedVsync,Vsync,Vsync,FrameCompleted\n1,2,3,4\n"),
        0);
    cr_assert_eq(only_window()->frames[0].value[DJ_COLUMN_VSYNC], 2);
    cr_assert_eq(only_window()->frames[0].value[DJ_COLUMN_FRAME_COMPLETED], 4);
    cr_assert(warned_of("twice"));
    cr_assert(warned_of("without a closing"));
}

Test(parse, columns_without_a_header_follow_from_their_number)
{
    static const struct {
        size_t count;
        enum dj_column last_but_one, last;
    } sets[] = {
        {13, DJ_COLUMN_SWAP_BUFFERS, DJ_COLUMN_FRAME_COMPLETED},
        {14, DJ_COLUMN_SWAP_BUFFERS, DJ_COLUMN_FRAME_COMPLETED},
        {16, DJ_COLUMN_DEQUEUE_BUFFER_DURATION, DJ_COLUMN_QUEUE_BUFFER_DURATION},
        {17, DJ_COLUMN_QUEUE_BUFFER_DURATION, DJ_COLUMN_GPU_COMPLETED},
        {22, DJ_COLUMN_SWAP_BUFFERS_COMPLETED, DJ_COLUMN_DISPLAY_PRESENT_TIME},
        {23, DJ_COLUMN_DISPLAY_PRESENT_TIME, DJ_COLUMN_COMMAND_SUBMISSION_COMPLETED},
        {24, DJ_COLUMN_DISPLAY_PRESENT_TIME, DJ_COLUMN_COMMAND_SUBMISSION_COMPLETED},
        {25, DJ_COLUMN_DISPLAY_PRESENT_TIME, DJ_COLUMN_COMMAND_SUBMISSION_COMPLETED},
    };
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        struct dj_text text = {0};
        dj_text_string(&text, "---PROFILEDATA---\n");
        for (size_t k = 0; k < sets[i].count; k++) {
            dj_text_format(&text, "%zu,", 2000000000 + k);
        }
        dj_text_string(&text, "\n---PROFILEDATA---\n");
        cr_assert_eq(parse(dj_text_get(&text)), 0);
        const struct dj_dump_window *window = only_window();
        cr_assert(window->columns_inferred);
        cr_assert_eq(window->columns.count, sets[i].count);
        cr_assert_eq(window->frame_count, 1);
        cr_assert_eq(window->frames[0].value[sets[i].last],
                     (int64_t)(2000000000 + sets[i].count - 1));
        cr_assert_eq(window->frames[0].value[sets[i].last_but_one],
                     (int64_t)(2000000000 + sets[i].count - 2));
        cr_assert(warned_of("inferred"));
        dj_text_finish(&text);
        dj_dump_finish(&dump);
    }
}

Test(parse, no_release_has_so_many_columns)
{
    cr_assert_eq(parse("---PROFILEDATA---\n1,2,3,4,5,\n---PROFILEDATA---\n"), 0);
    cr_assert_eq(only_window()->frame_count, 0);
    cr_assert(only_window()->has_frames);
    cr_assert_eq(report.rows_bad, 1);
    cr_assert(warned_of("no release has 5 columns"));
}

/* Seen in every real dump of 12 and 13; 16 names them right. */
Test(parse, swapped_labels_are_put_right_by_value)
{
    static const char swapped[] =
        "---PROFILEDATA---\n" NAMES_12 "\n"
        "0,7,76818291087661,76818291087661,0,1,2,3,4,9,76818291087661,16666666,1,2,3,4,5,"
        "6,7,8,9,10,\n"
        "2,7,76818291087661,76818291087661,0,1,2,3,4,9,0,16666666,1,2,3,4,5,6,7,8,9,10,\n"
        "---PROFILEDATA---\n";
    static const char right[] = "---PROFILEDATA---\n" NAMES_12 "\n"
                                "0,7,76818291087661,76818291087661,0,1,2,3,4,9,16666666,"
                                "76818291087661,1,2,3,4,5,6,7,8,9,10,\n"
                                "---PROFILEDATA---\n";
    cr_assert_eq(parse(swapped), 0);
    const struct dj_dump_window *window = only_window();
    cr_assert_eq(window->frames[0].value[DJ_COLUMN_FRAME_INTERVAL], 16666666);
    cr_assert_eq(window->frames[0].value[DJ_COLUMN_FRAME_START_TIME],
                 INT64_C(76818291087661));
    cr_assert_eq(window->frames[1].value[DJ_COLUMN_FRAME_START_TIME], 0);
    cr_assert_eq(window->columns.column[10], DJ_COLUMN_FRAME_START_TIME);
    dj_dump_finish(&dump);
    cr_assert_eq(parse(right), 0);
    cr_assert_eq(only_window()->frames[0].value[DJ_COLUMN_FRAME_INTERVAL], 16666666);
    cr_assert_eq(only_window()->columns.column[10], DJ_COLUMN_FRAME_INTERVAL);
}

Test(parse, broken_rows_lose_only_themselves)
{
    cr_assert_eq(parse("---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n"
                       "0,1,2,\n"                    /* fine */
                       "0,1,\n"                      /* too few */
                       "0,1,2,3,\n"                  /* too many */
                       "0,1,99999999999999999999,\n" /* beyond int64 */
                       "0,x,2,\n"                    /* no number */
                       "\n"                          /* nothing */
                       "0, 3 ,4\n"                   /* blanks, no comma at the end */
                       "-0,-9223372036854775808,9223372036854775807,\n"
                       "what is this?\n"
                       "0,5,6,\n"
                       "---PROFILEDATA---\n"),
                 0);
    const struct dj_dump_window *window = only_window();
    cr_assert_eq(window->frame_count, 4);
    cr_assert_eq(window->frames[1].value[DJ_COLUMN_INTENDED_VSYNC], 3);
    cr_assert_eq(window->frames[2].value[DJ_COLUMN_INTENDED_VSYNC], INT64_MIN);
    cr_assert_eq(window->frames[2].value[DJ_COLUMN_FRAME_COMPLETED], INT64_MAX);
    cr_assert_eq(window->frames[3].value[DJ_COLUMN_INTENDED_VSYNC], 5);
    cr_assert_eq(report.rows, 8);
    cr_assert_eq(report.rows_bad, 4);
    cr_assert_eq(report.warning_count, 5);
    cr_assert_eq(report.warning[0].line, 4);
    cr_assert_eq(report.warning[4].line, 11);
}

Test(parse, the_last_row_of_a_cut_text_may_lack_digits)
{
    cr_assert_eq(
        parse("---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n0,1,2,\n0,3,4"),
        0);
    cr_assert_eq(only_window()->frame_count, 1);
    cr_assert(warned_of("the last of them cut"));
    cr_assert(warned_of("without a closing"));
    dj_dump_finish(&dump);
    /* Whole, where rows have no comma at their end at all. */
    cr_assert_eq(
        parse("---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted\n0,1,2\n0,3,4"), 0);
    cr_assert_eq(only_window()->frame_count, 2);
}

Test(parse, rows_without_markers)
{
    cr_assert_eq(parse("Look at this:\n  " NAMES_11 "\n  " ROW_11 "\n\n  " ROW_11
                       "\nbad, isn't it?\n"),
                 0);
    cr_assert_eq(only_window()->frame_count, 2);
    cr_assert(warned_of("without a ---PROFILEDATA---"));
}

Test(parse, an_empty_block_is_a_block)
{
    cr_assert_eq(
        parse("x (visibility=8)\n---PROFILEDATA---\n" NAMES_11 "\n---PROFILEDATA---\n"),
        0);
    cr_assert(only_window()->has_frames);
    cr_assert_eq(only_window()->frame_count, 0);
    cr_assert_eq(only_window()->columns.count, 17);
    cr_assert_eq(only_window()->visibility, 8);
    cr_assert_eq(report.warning_count, 0);
}

Test(parse, a_block_without_its_end_ends_at_the_next_section)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [a] **\n\ta "
                       "(visibility=0)\n---PROFILEDATA---\n" NAMES_11 "\n" ROW_11
                       "\n\tb (visibility=0)\n---PROFILEDATA---\n" NAMES_11 "\n" ROW_11
                       "\n** Graphics info for pid 2 [b] **\nTotal frames rendered: 3\n"),
                 0);
    cr_assert_eq(dump.process_count, 2);
    cr_assert_eq(dump.processes[0].window_count, 2);
    cr_assert_eq(dump.processes[0].windows[0].frame_count, 1);
    cr_assert_str_eq(dump.processes[0].windows[1].title, "b");
    cr_assert_eq(dump.processes[0].windows[1].frame_count, 1);
    cr_assert_eq(dump.processes[1].stats.stats.counter[DJ_COUNTER_TOTAL], 3);
    cr_assert_eq(report.warning_count, 2);
}

/* ---- the simple dump ---- */

Test(parse, simple_dumps_old_and_new)
{
    cr_assert_eq(
        parse("Profile data in ms:\n\n\ta "
              "(visibility=0)\n\tDraw\tPrepare\tProcess\tExecute\n"
              "\t1.25\t0.30\t12.00\t50.00\n\t0,35 0,01 2,00 3\n\n\tb (visibility=0)\n"
              "\tDraw\tProcess\tExecute\n\t1.00\t2.00\t3.00\n\t1.00\t2.00\n"
              "View hierarchy:\n  12 13 14\n"),
        0);
    const struct dj_dump_process *process = &dump.processes[0];
    cr_assert_eq(process->window_count, 2);
    const struct dj_dump_window *window = &process->windows[0];
    cr_assert(window->has_profile);
    cr_assert_eq(window->profile_count, 2);
    cr_assert_float_eq(window->profile[0].draw_ms, 1.25F, 1e-6F);
    cr_assert_float_eq(window->profile[0].execute_ms, 50.0F, 1e-6F);
    cr_assert_float_eq(window->profile[1].draw_ms, 0.35F, 1e-6F);
    cr_assert_float_eq(window->profile[1].execute_ms, 3.0F, 1e-6F);
    window = &process->windows[1];
    cr_assert_eq(window->profile_count, 1);
    cr_assert_lt(window->profile[0].prepare_ms, 0);
    cr_assert_float_eq(window->profile[0].process_ms, 2.0F, 1e-6F);
    cr_assert_eq(report.rows_bad, 1);
}

/* ---- notes ---- */

Test(parse, notes_of_ours)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [a] **\nPipeline=GLX\n"
                       "Note: frame interval: 16666666ns (assumed)\n"
                       "Note: not recorded: HandleInputStart, DrawStart, Sparkle\n"
                       "Note: 12 frames were not recorded\n"
                       "Note: rows kept: 65536\n"
                       "Note: recovered 598 of 600 frames\n"
                       "Note: recording stopped: no more room\n"
                       "Note: collection stopped: device 'a b' offline\n"
                       "Note: Data has been filtered!\n"
                       "Note: process has ended\n"),
                 0);
    const struct dj_dump_process *process = &dump.processes[0];
    cr_assert_str_eq(process->pipeline, "GLX");
    cr_assert_eq(process->interval_ns, 16666666);
    cr_assert(process->interval_assumed);
    cr_assert_eq(process->not_recorded, DJ_COLUMN_BIT(DJ_COLUMN_HANDLE_INPUT_START) |
                                            DJ_COLUMN_BIT(DJ_COLUMN_DRAW_START));
    cr_assert_eq(process->dropped, 12);
    cr_assert_eq(process->rows_kept, 65536);
    cr_assert_eq(process->recovered, 598);
    cr_assert_eq(process->expected, 600);
    cr_assert_str_eq(process->disabled, "no more room");
    cr_assert_str_eq(process->cut_short, "device 'a b' offline");
    cr_assert(process->ended);
    cr_assert_eq(report.warning_count, 1);
}

Test(parse, broken_notes_are_warnings)
{
    cr_assert_eq(
        parse("** Graphics info for pid 1 [a] **\nNote: frame interval: -5ns\n"
              "Note: rows kept: all\nNote: rows kept: 4294967296\n"
              "Note: recovered all of them\nNote: process has ended, they say\n"),
        0);
    cr_assert_eq(report.warning_count, 5);
    cr_assert_eq(dump.processes[0].rows_kept, 0);
    cr_assert_eq(dump.processes[0].interval_ns, 0);
    cr_assert_eq(dump.processes[0].expected, -1);
    cr_assert_not(dump.processes[0].ended);
}

/* ---- hostile text ---- */

Test(parse, nul_bytes_and_escapes)
{
    static const char text[] =
        "** Graphics info for pid 1 [a\0b\x1b[2J] **\nTotal frames rendered: 1\0\n";
    cr_assert_eq(parse_bytes(text, sizeof(text) - 1), 0);
    cr_assert_str_eq(dump.processes[0].name, "a b\x1b[2J");
    cr_assert_eq(dump.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL], 1);
}

Test(parse, a_million_columns)
{
    struct dj_text text = {0};
    dj_text_string(&text, "---PROFILEDATA---\nIntendedVsync,FrameCompleted,");
    for (int i = 0; i < 1000000; i++) {
        dj_text_append(&text, "x,", 2);
    }
    dj_text_string(&text, "\n10,20,");
    for (int i = 0; i < 1000000; i++) {
        dj_text_append(&text, "1,", 2);
    }
    dj_text_string(&text, "\n---PROFILEDATA---\n");
    cr_assert_eq(parse_bytes(text.data, text.length), 0);
    cr_assert_eq(only_window()->frame_count, 1);
    cr_assert_eq(only_window()->frames[0].value[DJ_COLUMN_FRAME_COMPLETED], 20);
    cr_assert_eq(report.warning_count, 1000000);
    dj_text_finish(&text);
}

Test(parse, more_windows_than_anybody_has)
{
    struct dj_text text = {0};
    dj_text_string(&text, "** Graphics info for pid 1 [a] **\n");
    for (int i = 0; i < 70000; i++) {
        dj_text_string(&text, "\tw (visibility=0)\n");
    }
    cr_assert_eq(parse_bytes(text.data, text.length), 0);
    cr_assert_eq(dump.processes[0].window_count, 65536);
    cr_assert(warned_of("more than 65536 windows"));
    dj_text_finish(&text);
}
