#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/lines.h"
#include "gfxinfo/print.h"

static struct dj_text text;

static void finish(void)
{
    dj_text_finish(&text);
}

TestSuite(print, .fini = finish);

static struct dj_print_options options(bool framestats, size_t rows)
{
    return (struct dj_print_options){
        .dialect = dj_frame_dialect_default(), .framestats = framestats, .rows = rows};
}

/* Frames of a window. The second one lacks the stages of the UI thread. */
static struct dj_frame frames[3];

static struct dj_dump_window window_of_two(void)
{
    for (size_t i = 0; i < 3; i++) {
        frames[i] = (struct dj_frame){0};
        int64_t stamp = 1000 * (int64_t)(i + 1);
        for (size_t k = 0; k < dj_frame_dialect_default()->columns.count; k++) {
            enum dj_column column =
                (enum dj_column)dj_frame_dialect_default()->columns.column[k];
            bool ui =
                column == DJ_COLUMN_DRAW_START || column == DJ_COLUMN_ANIMATION_START;
            if (i != 1 || !ui) {
                dj_frame_set(&frames[i], column, stamp + (int64_t)k);
            }
        }
    }
    return (struct dj_dump_window){
        .title = "Main",
        .stats_title = "Main",
        .has_frames = true,
        .frames = frames,
        .frame_count = 2,
    };
}

static const char rows_of_two[] =
    "\n\n---PROFILEDATA---\n"
    "Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,"
    "AnimationStart,"
    "PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,IssueDrawCommandsStart,"
    "SwapBuffers,"
    "FrameCompleted,DequeueBufferDuration,QueueBufferDuration,GpuCompleted,"
    "\n1000,1001,1002,1003,1004,1005,1006,1007,1008,1009,1010,1011,1012,1013,1014,1015,"
    "1016,"
    "\n2000,2001,2002,2003,2004,2005,2005,2007,2007,2009,2010,2011,2012,2013,2014,2015,"
    "2016,"
    "\n---PROFILEDATA---\n\n";

Test(print, framestats_are_printed_byte_for_byte)
{
    window_of_two();
    dj_gfxinfo_print_framestats(&text, frames, 2, dj_frame_dialect_default(), 16666666);
    cr_assert_str_eq(dj_text_get(&text), rows_of_two);
}

struct drained {
    struct dj_text all;
    size_t longest, times;
};

static void drain(void *user, struct dj_text *piece)
{
    struct drained *drained = user;
    dj_text_append(&drained->all, dj_text_get(piece), piece->length);
    drained->longest =
        piece->length > drained->longest ? piece->length : drained->longest;
    drained->times++;
    dj_text_clear(piece);
}

Test(print, drained_text_equals_the_whole_text)
{
    enum { ROWS = 5000, LONGEST_ROW = 512 };
    struct dj_dump_window window = window_of_two();
    struct dj_frame *many = calloc(ROWS, sizeof(*many));
    cr_assert_not_null(many);
    for (size_t i = 0; i < ROWS; i++) {
        many[i] = frames[i % 3];
    }
    window.frames = many;
    window.frame_count = ROWS;
    struct dj_dump_process process = {
        .name = "com.example", .windows = &window, .window_count = 1};
    struct dj_dump dump = {.processes = &process, .process_count = 1};
    struct drained drained = {0};
    struct dj_print_options whole = options(true, 0);
    struct dj_print_options pieces = whole;
    pieces.drain = drain;
    pieces.user = &drained;
    dj_gfxinfo_print_dump(&text, &dump, &whole);
    struct dj_text rest = {0};
    dj_gfxinfo_print_dump(&rest, &dump, &pieces);
    drain(&drained, &rest);
    cr_assert_str_eq(dj_text_get(&drained.all), dj_text_get(&text));
    cr_assert_gt(drained.times, 2);
    cr_assert_leq(drained.longest, DJ_PRINT_DRAIN_BYTES + LONGEST_ROW);
    dj_text_finish(&rest);
    dj_text_finish(&drained.all);
    free(many);
}

Test(print, an_empty_block_is_header_and_markers)
{
    dj_gfxinfo_print_framestats(&text, NULL, 0, dj_frame_dialect_default(), 16666666);
    cr_assert_not_null(
        strstr(dj_text_get(&text), "GpuCompleted,\n---PROFILEDATA---\n\n"));
}

Test(print, rows_that_never_reached_the_render_thread_are_omitted)
{
    window_of_two();
    frames[0].value[DJ_COLUMN_SYNC_START] = 0;
    dj_gfxinfo_print_framestats(&text, frames, 2, dj_frame_dialect_default(), 16666666);
    cr_assert_null(strstr(dj_text_get(&text), "\n1000,"));
    cr_assert_not_null(strstr(dj_text_get(&text), "\n2000,"));
}

Test(print, a_process_is_printed_byte_for_byte)
{
    struct dj_dump_window window = window_of_two();
    struct dj_dump_process process = {
        .pid = 42,
        .name = "com.x",
        .pipeline = "GLX",
        .windows = &window,
        .window_count = 1,
        .interval_ns = 16666666,
        .interval_assumed = true,
        .dropped = 3,
        .rows_kept = 4096,
        .recovered = 598,
        .expected = 600,
        .recount = {dj_frame_dialect_find("11"), dj_frame_dialect_find("9"), 4096, 9001},
        .disabled = "no room",
        .cut_short = "device offline",
        .ended = true,
    };
    struct dj_dump dump = {
        .uptime_ms = 11, .realtime_ms = 22, .processes = &process, .process_count = 1};
    struct dj_print_options all = options(true, 0);
    struct dj_text want = {0};
    dj_text_format(&want,
                   "Applications Graphics Acceleration Info:\nUptime: 11 Realtime: 22\n"
                   "\n** Graphics info for pid 42 [com.x] **\n"
                   "\nPipeline=GLX\n"
                   "\nProfile data in ms:\n"
                   "\n\tMain (visibility=0)"
                   "\nWindow: Main\n%s"
                   "Note: frame interval: 16666666ns (assumed)\n"
                   "Note: not recorded: AnimationStart, DrawStart\n"
                   "Note: 3 frames were not recorded\n"
                   "Note: rows kept: 4096\n"
                   "Note: recovered 598 of 600 frames\n"
                   "Note: recorded as Android 11, counted anew as 9 from the 4096 frames "
                   "still kept of 9001\n"
                   "Note: recording stopped: no room\n"
                   "Note: collection stopped: device offline\n"
                   "Note: process has ended\n",
                   rows_of_two);
    dj_gfxinfo_print_dump(&text, &dump, &all);
    cr_assert_str_eq(dj_text_get(&text), dj_text_get(&want));
    dj_text_finish(&want);
}

Test(print, without_framestats_no_rows_and_no_note_are_printed)
{
    struct dj_dump_window window = window_of_two();
    struct dj_dump_process process = {.pid = 42,
                                      .name = "com.x",
                                      .windows = &window,
                                      .window_count = 1,
                                      .expected = -1};
    struct dj_print_options brief = options(false, 0);
    dj_gfxinfo_print_process(&text, &process, &brief);
    cr_assert_str_eq(dj_text_get(&text),
                     "\n** Graphics info for pid 42 [com.x] **\n"
                     "\nProfile data in ms:\n\n\tMain (visibility=0)\n");
}

/* The note names only columns of printed rows. The newest row has all stages. */
Test(print, only_the_newest_rows_of_each_window_are_printed)
{
    struct dj_dump_window window = window_of_two();
    window.frame_count = 3;
    struct dj_dump_process process = {
        .pid = 42, .windows = &window, .window_count = 1, .expected = -1};
    struct dj_print_options newest = options(true, 1);
    dj_gfxinfo_print_process(&text, &process, &newest);
    cr_assert_null(strstr(dj_text_get(&text), "\n1000,"));
    cr_assert_null(strstr(dj_text_get(&text), "\n2000,"));
    cr_assert_not_null(strstr(dj_text_get(&text), "\n3000,"));
    cr_assert_null(strstr(dj_text_get(&text), "Note:"));
}

Test(print, times_of_the_simple_dump_are_limited)
{
    struct dj_profile_row rows[] = {{1.25F, 0.3F, 12, 3}, {51, -2, 0, 50.004F}};
    struct dj_dump_window window = {
        .title = "Main", .has_profile = true, .profile = rows, .profile_count = 2};
    struct dj_dump_process process = {
        .pid = 1, .windows = &window, .window_count = 1, .expected = -1};
    struct dj_print_options brief = options(false, 0);
    dj_gfxinfo_print_process(&text, &process, &brief);
    cr_assert_not_null(strstr(dj_text_get(&text), "\n\tMain (visibility=0)\n"
                                                  "\tDraw\tPrepare\tProcess\tExecute\n"
                                                  "\t1.25\t0.30\t12.00\t3.00\n"
                                                  "\t50.00\t0.00\t0.00\t50.00\n"));
}

Test(print, a_missing_process_prints_only_one_line)
{
    struct dj_dump dump = {.not_found = "com\nx"};
    struct dj_print_options brief = options(false, 0);
    dj_gfxinfo_print_dump(&text, &dump, &brief);
    cr_assert_str_eq(dj_text_get(&text), "No process found for: com x\n");
}

/* A line break in a name must not create another line. */
Test(print, line_ends_in_names_become_blanks)
{
    struct dj_dump_process process = {
        .pid = 1, .name = "a\nNote: process has ended\r", .expected = -1};
    struct dj_print_options brief = options(false, 0);
    dj_gfxinfo_print_process(&text, &process, &brief);
    cr_assert_not_null(strstr(dj_text_get(&text), "[a Note: process has ended ] **\n"));
    cr_assert_null(strstr(dj_text_get(&text), "\nNote:"));
}

Test(print, a_block_without_frames_is_printed)
{
    struct dj_stats stats = {.since_ns = 5};
    dj_gfxinfo_print_stats(&text, &stats, dj_frame_dialect_default());
    cr_assert_eq(strncmp(dj_text_get(&text),
                         "\nStats since: 5ns\nTotal frames rendered: 0\n"
                         "Janky frames: 0 (0.00%)\n50th percentile: 4950ms\n",
                         80),
                 0);
    cr_assert_not_null(strstr(dj_text_get(&text),
                              "\n99th gpu percentile: 4950ms\nGPU HISTOGRAM: 1ms=0"));
    cr_assert_null(strstr(dj_text_get(&text), "legacy"));
    cr_assert_eq(text.data[text.length - 1], '0', "no newline after the last line");
}

/* A block that was read from an older release is printed without statistics that it did
 * not have. */
Test(print, a_read_block_prints_only_its_own_lines)
{
    struct dj_dump_process process = {.pid = 1, .expected = -1};
    process.stats =
        (struct dj_stats_block){.present = true, .printed_percentile_ms = {0, 34, 0, 0}};
    process.stats.stats.counter[DJ_COUNTER_TOTAL] = 7;
    process.stats.lines = (1U << dj_lines_find("Total frames rendered:", 22)) |
                          (1U << dj_lines_find("90th percentile:", 16));
    struct dj_print_options brief = options(false, 0);
    dj_gfxinfo_print_process(&text, &process, &brief);
    cr_assert_str_eq(dj_text_get(&text),
                     "\n** Graphics info for pid 1 **\n"
                     "\nTotal frames rendered: 7\n90th percentile: 34ms"
                     "\nProfile data in ms:\n");
}

Test(lines, android_11_has_its_lines)
{
    uint32_t mask = dj_gfxinfo_lines_of_dialect(dj_frame_dialect_default());
    cr_assert_eq(__builtin_popcount(mask), 19);
    cr_assert_eq(mask & (1U << dj_lines_find("Number Slow draw:", 17)), 0);
    cr_assert_eq(mask & (1U << dj_lines_find("Janky frames (legacy):", 22)), 0);
}

Test(lines, no_prefix_begins_another)
{
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        const char *prefix = dj_gfxinfo_line_at(i)->prefix;
        cr_assert_eq(dj_lines_find(prefix, strlen(prefix)), i, "%s", prefix);
        cr_assert_eq(dj_lines_find(prefix, strlen(prefix) - 1), DJ_LINE_COUNT, "%s",
                     prefix);
    }
}

/* All of these separate lines for a reader. */
Test(print, names_have_no_separators_of_lines)
{
    static char name[] = "\xEF\xBB\xBFone\ntwo\xEF\xBB\xBFthree\rfour \xEF\xBC\xA1";
    struct dj_dump_process process = {.pid = 1, .expected = -1, .name = name};
    struct dj_print_options brief = options(false, 0);
    dj_gfxinfo_print_process(&text, &process, &brief);
    cr_assert_str_eq(
        dj_text_get(&text),
        "\n** Graphics info for pid 1 [ one two three four \xEF\xBC\xA1] **\n"
        "\nProfile data in ms:\n");
}
