/* Tests truncated texts, and texts with inserted words. Numbers that may be truncated
 * are not used, and each truncation is reported. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "gfxinfo/lines.h"
#include "support.h"

TestSuite(broken_off, .fini = finish_reading);

static const char sums[] = "** Graphics info for pid 1 [a] **\n"
                           "Stats since: 123456ns\nTotal frames rendered: 120\n"
                           "Janky frames: 12 (10.00%)\n90th percentile: 17ms\n"
                           "Number Missed Vsync: 34\n";

static uint32_t bit_of(const char *prefix)
{
    return UINT32_C(1) << dj_lines_find(prefix, strlen(prefix));
}

/* Fails the test unless every known value is right. */
static void expect_true_as_far_as_known(size_t length)
{
    const struct dj_stats_block *block = &dump.processes[0].stats;
    const uint32_t *counter = block->stats.counter;
    if ((block->lines & bit_of("Stats since:")) != 0) {
        cr_assert_eq(block->stats.since_ns, 123456, "truncated at %zu", length);
    }
    if ((block->lines & bit_of("Total frames rendered:")) != 0) {
        cr_assert_eq(counter[DJ_COUNTER_TOTAL], 120, "truncated at %zu", length);
    }
    if ((block->lines & bit_of("Janky frames:")) != 0) {
        cr_assert_eq(counter[DJ_COUNTER_JANKY], 12, "truncated at %zu", length);
        cr_assert_float_eq(block->printed_janky_pct, 10.0, 1e-9, "truncated at %zu",
                           length);
    }
    if ((block->lines & bit_of("90th percentile:")) != 0) {
        cr_assert_eq(block->printed_percentile_ms[1], 17, "truncated at %zu", length);
    }
}

Test(broken_off, truncated_numbers_are_not_used)
{
    size_t header = strlen("** Graphics info for pid 1 [a] **\n");
    size_t counter = strlen(sums) - strlen("Number Missed Vsync: 34\n");
    for (size_t length = header; length <= strlen(sums); length++) {
        cr_assert_eq(parse_bytes(sums, length), 0);
        if (length < counter) {
            expect_true_as_far_as_known(length);
        }
        bool whole = sums[length - 1] == '\n' || sums[length - 1] == ')' ||
                     (sums[length - 1] == 's' && sums[length] == '\n') ||
                     sums[length - 1] == ':';
        cr_assert(whole || report.warning_count > 0, "no warning about truncation at %zu",
                  length);
        finish_reading();
    }
}

Test(broken_off, a_counter_at_the_end_is_used_and_reported)
{
    cr_assert_eq(parse("Janky frames: 1 (1.00%)\nNumber Missed Vsync: 34"), 0);
    cr_assert_eq(dump.processes[0].stats.stats.counter[DJ_COUNTER_MISSED_VSYNC], 34);
    cr_assert(warned_of("may be truncated"));
}

Test(broken_off, a_refusal_may_follow_half_a_line)
{
    static const char *const texts[] = {
        "** Graphics info for pid 1 [a] **\n\tw (visibility=0)Failure while dumping the "
        "app: ProcessRecord{1 2:a/u0}\n",
        "** Graphics info for pid 1 [a] **\nHISTOGRAM: 5ms=0 6ms=1Failure while dumping "
        "the app: ProcessRecord{1 2:a/u0}\n",
        "** Graphics info for pid 1 [a] **\nNumber Slow UI thread: 1Got a "
        "RemoteException while dumping the app ProcessRecord{1}\n",
        "---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n0,1,2,\n0,3Failure "
        "while "
        "dumping the app: x\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        cr_assert_eq(parse(texts[i]), 0, "text %zu", i);
        cr_assert_eq(report.refusal, DJ_REFUSAL_FAILED, "text %zu", i);
        finish_reading();
    }
    parse(texts[3]);
    cr_assert_eq(only_window()->frame_count, 2,
                 "the row before the marker was truncated");
    cr_assert_not(dj_frame_has(&only_window()->frames[1], DJ_COLUMN_INTENDED_VSYNC));
    cr_assert_eq(report.refusal_line, 4);
}

Test(broken_off, a_denied_permission_for_graphicsstats_is_reported)
{
    cr_assert_eq(parse("Permission Denial: can't dump graphicsstats from from pid=1, "
                       "uid=2000 due to missing android.permission.DUMP permission\n"),
                 DJ_E_NO_DATA);
    cr_assert_eq(report.refusal, DJ_REFUSAL_DENIED);
}

Test(broken_off, a_markdown_table_is_read)
{
    cr_assert_eq(parse("| ** Graphics info for pid 1 [a] ** |\n"
                       "| Total frames rendered: 7 |\n"
                       "| \tw (visibility=4) |\n"
                       "| ---PROFILEDATA--- |\n"
                       "| Flags,IntendedVsync,FrameCompleted, |\n"
                       "| 0,1,2, |\n| ---PROFILEDATA--- |\n"),
                 0);
    cr_assert_eq(dump.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL], 7);
    cr_assert_str_eq(only_window()->title, "w");
    cr_assert_eq(only_window()->frame_count, 1);
    cr_assert_eq(warnings_in(&report), 0);
}

/* Returns whether a truncated text looks complete, because it ends after a whole block
 * or process section. */
static bool may_be_whole(const struct dj_text *text, size_t length)
{
    const char *at = dj_text_get(text);
    const char *last = strstr(at, "Total DisplayList:  3.45 kB");
    return last != NULL &&
           length >= (size_t)(last - at) + strlen("Total DisplayList:  3.45 kB");
}

Test(broken_off, every_truncated_dump_is_reported)
{
    for (size_t i = 0; i < COLUMN_SETS; i++) {
        struct dj_text text = {0};
        append_sample(&text, &column_sets[i], 1000);
        for (size_t length = 1; length <= text.length; length++) {
            int code = parse_bytes(dj_text_get(&text), length);
            bool reported = report.warning_count > 0 || code == DJ_E_NO_DATA ||
                            dump.process_count == 0;
            bool preview = !column_sets[i].header;
            cr_assert_eq(reported, preview ? true : !may_be_whole(&text, length),
                         "%zu columns, truncated at %zu: %s", column_sets[i].count,
                         length,
                         report.warning_count > 0 ? report.warning[0].message : "silent");
            finish_reading();
        }
        dj_text_finish(&text);
    }
}

Test(broken_off, the_warning_names_the_next_line)
{
    static const struct {
        const char *text, *next;
    } cuts[] = {
        {"Stats since: 1ns\n", "expected \"Total frames rendered:\" next"},
        {"Total frames rendered: 9\n", "expected \"Janky frames:\" next"},
        {"Janky frames: 1 (1.00%)\n",
         "\"Janky frames (legacy):\", \"50th percentile:\" or \"90th percentile:\" next"},
        {"Janky frames: 1 (1.00%)\n50th percentile: 5ms\n90th percentile: 5ms\n",
         "expected \"95th percentile:\" next"},
        {"99th percentile: 5ms\n", "expected \"Number Missed Vsync:\" next"},
        {"50th percentile: 5ms\nNumber Slow issue draw commands: 0\n",
         "\"Number Frame deadline missed:\" or \"HISTOGRAM:\" next"},
        {"Number Frame deadline missed (legacy): 0\n", "expected \"HISTOGRAM:\" next"},
        {"50th gpu percentile: 1ms\n", "expected \"90th gpu percentile:\" next"},
        {"99th gpu percentile: 1ms\n", "expected \"GPU HISTOGRAM:\" next"},
        {"GPU HISTOGRAM: 1ms=0 2ms=0\n", "its last buckets are missing"},
        {"Package: a\nVersion: 1\nStats since: 1ns\nTotal frames rendered: 9\n"
         "Janky frames: 1 (1.00%)\n",
         "\"50th percentile:\" or \"90th percentile:\" next"},
        {"Total frames rendered: 9\nJanky frames: 1 (1.00%)\n\nIs that bad?\n",
         "within the statistics"},
        {"** Graphics info for pid 1 [a] **\nCaches:\n", "\"Profile data in ms:\""},
        {"** Graphics info for pid 1 [a] **\nProfile data in ms:\n\n\tw (visibility=0)\n",
         "\"View hierarchy:\""},
        {"Profile data in ms:\nView hierarchy:\n\n", "\"Total ViewRootImpl\""},
        {"Profile data in ms:\nView hierarchy:\n\nTotal ViewRootImpl   : 1\n",
         "\"Total attached Views\""},
        {"Profile data in ms:\nView hierarchy:\n\nTotal ViewRootImpl: 1\nTotal Views:    "
         "    1\n",
         "\"Total DisplayList:\""},
    };
    for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
        parse(cuts[i].text);
        const struct dj_parse_warning *warning = warning_of("the text ends within");
        cr_assert_not_null(warning, "%s", cuts[i].text);
        cr_expect_not_null(strstr(warning->message, cuts[i].next), "%s: %s", cuts[i].text,
                           warning->message);
        cr_expect_eq(warning->line, report.lines);
        cr_expect_eq(warning->byte, report.bytes);
        finish_reading();
    }
}

Test(broken_off, complete_texts_cause_no_warning)
{
    static const char *const texts[] = {
        /* Android 6.0 prints no more lines. */
        "Stats since: 1ns\nTotal frames rendered: 9\nJanky frames: 1 (1.00%)\n"
        "90th percentile: 5ms\n95th percentile: 5ms\n99th percentile: 5ms\n"
        "Number Missed Vsync: 0\nNumber High input latency: 0\n"
        "Number Slow UI thread: 0\nNumber Slow bitmap uploads: 0\n"
        "Number Slow issue draw commands: 0\n",
        /* dejank's process sections end with notes. */
        "** Graphics info for pid 1 [a] **\n\nProfile data in ms:\n"
        "Note: frame interval: 16666666ns (assumed)\n",
        "** Graphics info for pid 1 [a] **\n\nView hierarchy:\n\nTotal ViewRootImpl: 1\n"
        "Total Views:        1\nTotal DisplayList:  1,00 kB",
        "** Graphics info for pid 1 [a] **\n\nView hierarchy:\n\n"
        "Total ViewRootImpl   : 1\nTotal attached Views : 1\n"
        "Total RenderNode     : 1.00 kB (used) / 2.00 kB (capacity)",
        /* A process section is not truncated if another one follows. */
        "** Graphics info for pid 1 [a] **\nTotal frames rendered: 9\n"
        "No process found for: b\n"
        "Applications Graphics Acceleration Info:\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        parse(texts[i]);
        cr_expect_eq(report.warning_count, 0, "%zu: %s", i, report.warning[0].message);
        finish_reading();
    }
    parse("** Graphics info for pid 1 [a] **\nFailure while dumping the app: x\n");
    cr_expect_not(warned_of("the text ends within"), "it says why there is no more");
}

/* Parses rows with columns of Android 12. The two labels are in the order of its
 * header. */
static void read_pair(const char *interval_label, const char *start_label)
{
    char text[400];
    snprintf(text, sizeof(text),
             "---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,FrameInterval,"
             "FrameStartTime,\n0,2000000000,2010000000,%s,%s,\n---PROFILEDATA---\n",
             interval_label, start_label);
    cr_assert_eq(parse(text), 0);
}

Test(broken_off, exchanged_columns_are_corrected_if_one_value_is_zero)
{
    static const struct {
        const char *interval_label, *start_label;
        int64_t interval, start;
    } rows[] = {
        {"2000000000", "16666666", 16666666, 2000000000},
        {"16666666", "2000000000", 16666666, 2000000000},
        {"2000000000", "0", 0, 2000000000},
        {"0", "2000000000", 0, 2000000000},
        {"16666666", "0", 16666666, 0},
        {"0", "16666666", 16666666, 0},
        {"0", "0", 0, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        read_pair(rows[i].interval_label, rows[i].start_label);
        const struct dj_frame *frame = &only_window()->frames[0];
        cr_expect_eq(frame->value[DJ_COLUMN_FRAME_INTERVAL], rows[i].interval, "%zu", i);
        cr_expect_eq(frame->value[DJ_COLUMN_FRAME_START_TIME], rows[i].start, "%zu", i);
        finish_reading();
    }
}

/* If the title were printed again, it would look like a failure message. */
Test(broken_off, a_failure_made_of_blanks_is_not_part_of_a_name)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [a] **\n\tmain Failure\rwhile dumping "
                       "the app: x (visibility=0)\n"),
                 0);
    cr_assert_str_eq(only_window()->title, "main");
    cr_assert_eq(report.refusal, DJ_REFUSAL_NONE);
}
