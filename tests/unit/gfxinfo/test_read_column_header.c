#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

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

TestSuite(parse_header, .fini = finish_reading);

Test(parse_header, columns_are_identified_by_the_header)
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

Test(parse_header, the_first_of_two_equal_names_is_used)
{
    cr_assert_eq(
        parse("---PROFILEDATA---\nIntendedVsync,Vsync,Vsync,FrameCompleted\n1,2,3,4\n"),
        0);
    cr_assert_eq(only_window()->frames[0].value[DJ_COLUMN_VSYNC], 2);
    cr_assert_eq(only_window()->frames[0].value[DJ_COLUMN_FRAME_COMPLETED], 4);
    cr_assert(warned_of("duplicate column"));
    cr_assert(warned_of("without a closing"));
}

Test(parse_header, columns_without_a_header_follow_from_their_number)
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
        dj_text_add(&text, "---PROFILEDATA---\n");
        for (size_t k = 0; k < sets[i].count; k++) {
            dj_text_format(&text, "%zu,", 2000000000 + k);
        }
        dj_text_add(&text, "\n---PROFILEDATA---\n");
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
        dj_gfxinfo_dump_finish(&dump);
    }
}

Test(parse_header, rows_with_an_unknown_number_of_columns_are_counted)
{
    cr_assert_eq(parse("---PROFILEDATA---\n1,2,3,4,5,\n---PROFILEDATA---\n"), 0);
    cr_assert_eq(only_window()->frame_count, 0);
    cr_assert(only_window()->has_frames);
    cr_assert_eq(report.rows_bad, 1);
    cr_assert(warned_of("columns, found 5, so these rows cannot be read"));
}

/* A line that begins with a number is a row or a part of one. A header with such a name
 * could be printed, but not parsed again. */
Test(parse_header, no_name_begins_with_a_digit)
{
    cr_assert_eq(parse("---PROFILEDATA---\n0,922337Vsync,IntendedVsync,FrameCompleted,\n"
                       "1,2,3,4,\n---PROFILEDATA---\n"),
                 0);
    cr_assert_eq(only_window()->columns.count, 0);
    cr_assert_eq(only_window()->frame_count, 0);
    cr_assert(report.warning_count > 0);
    finish_reading();
    parse("---PROFILEDATA---\n\r1,IntendedVsync,FrameCompleted,\n---PROFILEDATA---\n");
    cr_assert_eq(only_window()->columns.count, 0);
}

/* All real dumps of Android 12 and 13 exchange the names. 16 has the right names. */
Test(parse_header, swapped_labels_are_corrected_by_value)
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
    dj_gfxinfo_dump_finish(&dump);
    cr_assert_eq(parse(right), 0);
    cr_assert_eq(only_window()->frames[0].value[DJ_COLUMN_FRAME_INTERVAL], 16666666);
    cr_assert_eq(only_window()->columns.column[10], DJ_COLUMN_FRAME_INTERVAL);
}

Test(parse_header, rows_without_markers_are_read)
{
    cr_assert_eq(parse("Look at this:\n  " NAMES_11 "\n  " ROW_11 "\n\n  " ROW_11
                       "\nbad, isn't it?\n"),
                 0);
    cr_assert_eq(only_window()->frame_count, 2);
    cr_assert(warned_of("without a ---PROFILEDATA---"));
}

Test(parse_header, an_empty_block_is_a_block)
{
    cr_assert_eq(
        parse("x (visibility=8)\n---PROFILEDATA---\n" NAMES_11 "\n---PROFILEDATA---\n"),
        0);
    cr_assert(only_window()->has_frames);
    cr_assert_eq(only_window()->frame_count, 0);
    cr_assert_eq(only_window()->columns.count, 17);
    cr_assert_eq(only_window()->visibility, 8);
    cr_assert_eq(warnings_in(&report), 0);
}

Test(parse_header, a_block_without_its_end_ends_at_the_next_section)
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
    cr_assert_eq(warnings_in(&report), 2);
}

Test(parse_header, a_million_columns_are_ignored)
{
    struct dj_text text = {0};
    dj_text_add(&text, "---PROFILEDATA---\nIntendedVsync,FrameCompleted,");
    for (int i = 0; i < 1000000; i++) {
        dj_text_append(&text, "x,", 2);
    }
    dj_text_add(&text, "\n10,20,");
    for (int i = 0; i < 1000000; i++) {
        dj_text_append(&text, "1,", 2);
    }
    dj_text_add(&text, "\n---PROFILEDATA---\n");
    cr_assert_eq(parse_bytes(text.data, text.length), 0);
    cr_assert_eq(only_window()->frame_count, 1);
    cr_assert_eq(only_window()->frames[0].value[DJ_COLUMN_FRAME_COMPLETED], 20);
    cr_assert_eq(warnings_in(&report), 1);
    cr_assert(warned_of("1000002 columns"));
    cr_assert_eq(only_window()->vendor_count, DJ_PARSE_VENDOR_COLUMNS);
    dj_text_finish(&text);
}

Test(parse_header, rows_of_every_release_are_read_by_header)
{
    for (size_t i = 0; i < COLUMN_SETS; i++) {
        const struct columns *set = &column_sets[i];
        struct dj_text text = {0};
        append_framestats(&text, set, 9);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(only_window()->columns.count, set->count);
        cr_assert_eq(only_window()->columns_inferred, !set->header);
        cr_assert_eq(only_window()->frame_count, 9);
        for (size_t n = 0; n < 9; n++) {
            expect_sample_row(only_window(), set, n);
        }
        cr_assert_str_eq(dump.dialect->name, set->release);
        cr_assert_eq(warnings_in(&report), set->header ? 0 : 1);
        dj_text_finish(&text);
    }
}

/* If a text lacks the header, the number of columns determines the names. */
Test(parse_header, rows_of_every_release_are_read_without_header)
{
    for (size_t i = 0; i < COLUMN_SETS; i++) {
        for (int marked = 0; marked < 2; marked++) {
            struct columns set = column_sets[i];
            struct dj_text text = {0};
            set.header = false;
            append_framestats(&text, &set, 5);
            const char *rows = marked ? text.data : strchr(text.data, '\n') + 1;
            cr_assert_eq(parse(rows), 0);
            cr_assert(only_window()->columns_inferred);
            cr_assert_eq(only_window()->frame_count, 5);
            for (size_t n = 0; n < 5; n++) {
                expect_sample_row(only_window(), &column_sets[i], n);
            }
            cr_assert_not_null(warning_of("inferred"));
            cr_assert_eq(warning_of("inferred")->line, marked ? 2 : 1);
            cr_assert_eq(warning_of("inferred")->byte, marked ? 18 : 0);
            cr_assert_eq(warned_of("without a ---PROFILEDATA---"), !marked);
            dj_text_finish(&text);
        }
    }
}

/* Columns may be in any order, because their names identify them. */
Test(parse_header, columns_may_be_in_another_order)
{
    cr_assert_eq(parse("---PROFILEDATA---\n"
                       "FrameCompleted, GpuCompleted ,IntendedVsync,\tFlags,Vsync\n"
                       "9,8,7,6,5\n---PROFILEDATA---\n"),
                 0);
    const struct dj_frame *frame = &only_window()->frames[0];
    cr_assert_eq(only_window()->vendor_count, 0);
    cr_assert_eq(frame->value[DJ_COLUMN_FRAME_COMPLETED], 9);
    cr_assert_eq(frame->value[DJ_COLUMN_GPU_COMPLETED], 8);
    cr_assert_eq(frame->value[DJ_COLUMN_INTENDED_VSYNC], 7);
    cr_assert_eq(frame->value[DJ_COLUMN_FLAGS], 6);
    cr_assert_eq(frame->value[DJ_COLUMN_VSYNC], 5);
}

Test(parse_header, warnings_name_the_header_line)
{
    cr_assert_eq(parse("hello\n---PROFILEDATA---\nIntendedVsync,Vsync,Vsync,"
                       "FrameCompleted,\n\n\n1,2,3,4,\n---PROFILEDATA---\n"),
                 0);
    cr_assert_eq(warnings_in(&report), 1);
    cr_assert_eq(report.warning[0].line, 3);
    cr_assert_eq(report.warning[0].byte, 24);
    cr_assert(warned_of("duplicate column Vsync"));
}

Test(parse_header, a_header_without_IntendedVsync_gives_no_frames)
{
    cr_assert_eq(parse("---PROFILEDATA---\nFlags,Vsync,FrameCompleted,\n0,1,2,\n"
                       "---PROFILEDATA---\n"),
                 0);
    cr_assert_eq(only_window()->frame_count, 0);
    cr_assert_eq(only_window()->rows_beyond, 1, "a row was counted");
    cr_assert_eq(report.warning[0].line, 2);
    cr_assert(warned_of("not a framestats header"));
}

/* The header is found even if other text is between the marker and the header. */
Test(parse_header, words_before_the_header_are_ignored)
{
    static const char *const words[] = {"see below\n", "one, two, three\n", "\n\n",
                                        "# 1\n", "Flags,Intended\n"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text,
                       "---PROFILEDATA---\n%s" NAMES_11 "\n" ROW_11 "\n" ROW_11
                       "\n---PROFILEDATA---\n",
                       words[i]);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(only_window()->frame_count, 2, "after \"%s\"", words[i]);
        cr_assert_eq(only_window()->vendor_count, 0, "after \"%s\"", words[i]);
        cr_assert_eq(only_window()->columns.count, 17);
        cr_assert_eq(warnings_in(&report), words[i][0] != '\n');
        dj_text_finish(&text);
    }
}

Test(parse_header, words_after_the_header_are_ignored)
{
    static const char *const words[] = {"thanks\n", "a b c\n", "\n\n", "???\n"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(
            &text, "---PROFILEDATA---\n" NAMES_11 "\n%s" ROW_11 "\n---PROFILEDATA---\n",
            words[i]);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(only_window()->frame_count, 1);
        cr_assert_eq(only_window()->vendor_count, 0, "after \"%s\"", words[i]);
        cr_assert_eq(report.rows_bad, 0);
        dj_text_finish(&text);
    }
}

/* A header belongs to the block that follows it, even if the previous block has no
 * end. */
Test(parse_header, blocks_without_an_end_may_follow_each_other)
{
    cr_assert_eq(parse("---PROFILEDATA---\n" NAMES_11 "\n" ROW_11 "\n"
                       "Window: b\nTotal frames rendered: 1\n---PROFILEDATA---\n" NAMES_11
                       "\n" ROW_11 "\n" ROW_11 "\n---PROFILEDATA---\n"),
                 0);
    const struct dj_dump_process *process = only_process();
    cr_assert_eq(process->window_count, 2);
    cr_assert_eq(process->windows[0].frame_count, 1);
    cr_assert_str_eq(process->windows[1].stats_title, "b");
    cr_assert_eq(process->windows[1].frame_count, 2);
    cr_assert_eq(warnings_in(&report), 1);
    cr_assert_eq(report.warning[0].line, 4,
                 "the warning has the line of the next header");
}

/* Other tables are not framestats. */
Test(parse_header, other_tables_are_ignored)
{
    static const char *const tables[] = {
        "1,Anna,12,3,4,5,6,7,8,9,10,11,12,\n2,Berta,1,2,3,4,5,6,7,8,9,10,11,\n",
        "1,2.5,3.5,4.5,5.5,6.5,7.5,8.5,9.5,10.5,11.5,12.5,13.5\n",
        "2024-07-04,1,2,3,4,5,6,7,8,9,10,11,12\n",
        "1,a,b,c,d,e,f,g,h,i,j,k,l,m\n",
        "Flags,IntendedVsync,Vsync,\n1,2,3,\n",
    };
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        cr_assert_eq(parse(tables[i]), DJ_E_NO_DATA, "%s", tables[i]);
        cr_assert_eq(dump.process_count, 0);
        cr_assert_eq(warnings_in(&report), 0);
    }
}

/* Tests a block of Android 12 with and without exchanged names. Truncated rows have one
 * of the two values, or none. */
Test(parse_header, the_majority_of_rows_decides_about_labels)
{
    static const struct {
        size_t swapped, right, cut;
        bool interval_first;
    } blocks[] = {{3, 1, 0, false}, {1, 3, 0, true}, {1, 1, 0, true},
                  {0, 0, 0, true},  {0, 0, 3, true}, {1, 0, 5, false}};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        struct dj_text text = {0};
        dj_text_add(&text, "---PROFILEDATA---\n" NAMES_12 "\n");
        for (size_t n = 0; n < blocks[i].swapped + blocks[i].right + blocks[i].cut; n++) {
            bool swapped = n < blocks[i].swapped;
            dj_text_add(&text, "0,7,76818291087661,76818291087661,0,1,2,3,4,9,");
            dj_text_add(&text, swapped ? "76818291087661,16666666,"
                               : n < blocks[i].swapped + blocks[i].right
                                   ? "16666666,76818291087661,"
                                   : "76818291087661,\n");
            dj_text_add(&text, n < blocks[i].swapped + blocks[i].right
                                   ? "1,2,3,4,5,6,7,8,9,10,\n"
                                   : "");
        }
        dj_text_add(&text, "---PROFILEDATA---\n");
        cr_assert_eq(parse_text(&text), 0);
        const struct dj_dump_window *window = only_window();
        cr_assert_eq(window->columns.column[10],
                     blocks[i].interval_first ? DJ_COLUMN_FRAME_INTERVAL
                                              : DJ_COLUMN_FRAME_START_TIME,
                     "block %zu", i);
        for (size_t n = 0; n < window->frame_count; n++) {
            const struct dj_frame *frame = &window->frames[n];
            bool whole = n < blocks[i].swapped + blocks[i].right;
            cr_assert_eq(dj_frame_has(frame, DJ_COLUMN_FRAME_INTERVAL),
                         whole || blocks[i].interval_first);
            cr_assert_eq(dj_frame_has(frame, DJ_COLUMN_FRAME_START_TIME),
                         whole || !blocks[i].interval_first);
        }
        dj_text_finish(&text);
    }
}

Test(parse_header, a_header_that_never_ends_is_ignored)
{
    struct dj_text text = {0};
    dj_text_add(&text, "---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n");
    for (size_t i = 0; i < 200000; i++) {
        dj_text_add(&text, "moreandmorenames,\n");
    }
    dj_text_add(&text, "---PROFILEDATA---\n");
    cr_assert_eq(parse_text(&text), 0);
    cr_assert(only_window()->has_frames);
    cr_assert_leq(only_window()->vendor_count, DJ_PARSE_VENDOR_COLUMNS);
    cr_assert(warned_of("columns"));
    dj_text_finish(&text);
}

Test(parse_header, markers_without_content_are_accepted)
{
    cr_assert_eq(parse("---PROFILEDATA---\n---PROFILEDATA---\n---PROFILEDATA---\n"), 0);
    cr_assert_eq(only_process()->window_count, 2);
    cr_assert(only_process()->windows[0].has_frames);
    cr_assert_eq(only_process()->windows[0].columns.count, 0);
    cr_assert_eq(warnings_in(&report), 1);
    cr_assert(warned_of("without a closing"));
}
