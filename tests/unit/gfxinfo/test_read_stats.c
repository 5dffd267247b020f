#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "gfxinfo/lines.h"
#include "support.h"

TestSuite(parse_stats, .fini = finish_reading);

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

Test(parse_stats, a_block_of_a_process_is_read)
{
    struct dj_text text = {0};
    dj_text_format(&text, "** Graphics info for pid 2599 [com.example] **\n\n%s", block);
    cr_assert_eq(parse(dj_text_get(&text)), 0);
    cr_assert_eq(dump.process_count, 1);
    cr_assert_eq(dump.processes[0].pid, 2599);
    cr_assert_str_eq(dump.processes[0].name, "com.example");
    expect_block(&dump.processes[0].stats);
    cr_assert_eq(warnings_in(&report), 0);
    dj_text_finish(&text);
}

Test(parse_stats, a_single_block_belongs_to_a_process_without_name)
{
    cr_assert_eq(parse(block), 0);
    cr_assert_eq(dump.process_count, 1);
    cr_assert_eq(dump.processes[0].pid, -1);
    cr_assert_null(dump.processes[0].name);
    expect_block(&dump.processes[0].stats);
}

Test(parse_stats, blocks_pasted_together_stay_separate)
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

Test(parse_stats, a_block_of_a_window_belongs_to_it)
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

Test(parse_stats, a_block_without_frames_has_no_percentage)
{
    cr_assert_eq(parse("Total frames rendered: 0\nJanky frames: 0 (-nan%)\n"), 0);
    cr_assert(isnan(dump.processes[0].stats.printed_janky_pct));
    cr_assert_eq(
        dump.processes[0].stats.lines & dj_gfxinfo_lines_of_kind(DJ_LINE_HISTOGRAM), 0);
}

Test(parse_stats, numbers_that_are_too_large_affect_only_their_line)
{
    cr_assert_eq(parse("Total frames rendered: 4294967296\nNumber Missed Vsync: -1\n"
                       "Number Slow UI thread: many\nNumber Slow bitmap uploads: 3\n"
                       "Stats since: 99999999999999999999ns\n"),
                 0);
    const struct dj_stats_block *got = &dump.processes[0].stats;
    cr_assert_eq(warnings_in(&report), 4);
    cr_assert_eq(report.warning[0].line, 1);
    cr_assert_eq(report.warning[1].byte, 34);
    cr_assert_eq(got->stats.counter[DJ_COUNTER_TOTAL], 0);
    cr_assert_eq(got->stats.counter[DJ_COUNTER_SLOW_BITMAP_UPLOADS], 3);
    cr_assert_eq(__builtin_popcount(got->lines), 1);
}

/* Each line alone sets its own field. */
Test(parse_stats, each_line_sets_its_field)
{
    static const struct {
        const char *line;
        enum dj_counter counter;
        uint32_t want;
    } counters[] = {
        {"Total frames rendered: 4294967295", DJ_COUNTER_TOTAL, 4294967295},
        {"Janky frames: 12 (3.45%)", DJ_COUNTER_JANKY, 12},
        {"Janky frames (legacy): 13 (4.00%)", DJ_COUNTER_JANKY_LEGACY, 13},
        {"Number Missed Vsync: 14", DJ_COUNTER_MISSED_VSYNC, 14},
        {"Number High input latency: 15", DJ_COUNTER_HIGH_INPUT_LATENCY, 15},
        {"Number Slow UI thread: 16", DJ_COUNTER_SLOW_UI_THREAD, 16},
        {"Number Slow bitmap uploads: 17", DJ_COUNTER_SLOW_BITMAP_UPLOADS, 17},
        {"Number Slow draw: 18", DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS, 18},
        {"Number Slow issue draw commands: 19", DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS, 19},
        {"Number Frame deadline missed: 20", DJ_COUNTER_DEADLINE_MISSED, 20},
        {"Number Frame deadline missed (legacy): 21", DJ_COUNTER_DEADLINE_MISSED_LEGACY,
         21},
        {"   Number Missed Vsync:22", DJ_COUNTER_MISSED_VSYNC, 22},
        {"Number Missed Vsync:\t23  ", DJ_COUNTER_MISSED_VSYNC, 23},
        {"Janky frames: 24", DJ_COUNTER_JANKY, 24},
        {"Janky frames: 25 (nan%)", DJ_COUNTER_JANKY, 25},
    };
    for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text, "%s\n", counters[i].line);
        cr_assert_eq(parse_text(&text), 0, "%s", counters[i].line);
        dj_text_finish(&text);
        const struct dj_stats_block *got = &only_process()->stats;
        cr_assert(got->present);
        cr_assert_eq(__builtin_popcount(got->lines), 1);
        for (size_t k = 0; k < DJ_COUNTER_COUNT; k++) {
            cr_assert_eq(got->stats.counter[k],
                         k == (size_t)counters[i].counter ? counters[i].want : 0, "%s",
                         counters[i].line);
        }
    }
}

Test(parse_stats, percentiles_are_read)
{
    static const unsigned percents[] = {50, 90, 95, 99};
    for (size_t i = 0; i < 4; i++) {
        for (int gpu = 0; gpu < 2; gpu++) {
            struct dj_text text = {0};
            dj_text_format(&text, "%uth %spercentile: 4950ms\n", percents[i],
                           gpu ? "gpu " : "");
            cr_assert_eq(parse_text(&text), 0);
            const struct dj_stats_block *got = &only_process()->stats;
            for (size_t k = 0; k < 4; k++) {
                cr_assert_eq(got->printed_percentile_ms[k], k == i && !gpu ? 4950 : 0);
                cr_assert_eq(got->printed_gpu_percentile_ms[k], k == i && gpu ? 4950 : 0);
            }
            dj_text_finish(&text);
        }
    }
}

Test(parse_stats, percentages_are_read)
{
    static const struct {
        const char *text;
        double want;
        bool nan;
    } shares[] = {
        {"Janky frames: 1 (100.00%)", 100, false},
        {"Janky frames: 1 (0.00%)", 0, false},
        {"Janky frames: 1 (33,33%)", 33.33, false},
        {"Janky frames: 1 (5%)", 5, false},
        {"Janky frames: 1 (nan%)", 0, true},
        {"Janky frames: 0 (-nan%)", 0, true},
        {"Janky frames: 0 (NaN%)", 0, true},
        {"Janky frames: 1", 0, true},
        {"Janky frames: 1 (", 0, true},
        {"Janky frames: 1 12.00%", 0, true},
    };
    for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text, "%s\n", shares[i].text);
        cr_assert_eq(parse_text(&text), 0);
        dj_text_finish(&text);
        double got = only_process()->stats.printed_janky_pct;
        cr_assert(shares[i].nan ? isnan(got) : got == shares[i].want, "%s: %f",
                  shares[i].text, got);
        cr_assert_eq(warnings_in(&report), 0);
    }
}

/* A missing, invalid or too large number causes a warning with its position. */
Test(parse_stats, invalid_numbers_cause_warnings)
{
    static const char *const lines[] = {
        "Total frames rendered:",
        "Total frames rendered: ",
        "Total frames rendered: x",
        "Total frames rendered: -1",
        "Total frames rendered: 4294967296",
        "Total frames rendered: 99999999999999999999999",
        "Janky frames: (3.45%)",
        "50th percentile: ms",
        "50th percentile: -5ms",
        "50th gpu percentile: nan",
        "Stats since: ns",
        "Stats since: -1ns",
        "Stats since: 9223372036854775808ns",
        "Number Frame deadline missed (legacy): none",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text, "** Graphics info for pid 1 [a] **\n\n%s\n", lines[i]);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_not(only_process()->stats.present, "%s", lines[i]);
        cr_assert_eq(warnings_in(&report), 1, "%s", lines[i]);
        cr_assert_eq(report.warning[0].line, 3);
        cr_assert_eq(report.warning[0].byte, 35);
        /* If a number is too large, the warning states the range. */
        bool number = strpbrk(strchr(lines[i], ':'), "0123456789") != NULL &&
                      strchr(lines[i], '(') == NULL;
        const char *words = number ? "is not in 0 … " : "expected a number";
        cr_assert_not_null(strstr(report.warning[0].message, words), "%s: %s", lines[i],
                           report.warning[0].message);
        dj_text_finish(&text);
    }
}

/* If the text ends inside a number, the earlier values are read, and no number that may
 * lack digits is read. */
Test(parse_stats, a_block_truncated_anywhere_has_no_wrong_number)
{
    struct dj_stats_block whole;
    cr_assert_eq(parse(block), 0);
    whole = only_process()->stats;
    for (size_t cut = strcspn(block, "\n") + 1; cut < strlen(block); cut++) {
        size_t lines = 0;
        for (size_t i = 0; i < cut; i++) {
            lines += block[i] == '\n';
        }
        cr_assert_eq(parse_bytes(block, cut), 0, "truncated at %zu", cut);
        const struct dj_stats_block *got = &only_process()->stats;
        size_t there = (size_t)__builtin_popcount(got->lines);
        cr_assert(there == lines || there == lines + 1, "truncated at %zu", cut);
        cr_assert_eq(got->lines & ~whole.lines, 0);
        for (size_t i = 0; i < DJ_COUNTER_COUNT; i++) {
            bool small = whole.stats.counter[i] < 10;
            uint32_t count = got->stats.counter[i];
            cr_assert(count == 0 || count == whole.stats.counter[i] || small,
                      "truncated at %zu: counter %zu is %u", cut, i, count);
        }
        for (size_t i = 0; i < DJ_PERCENTILE_COUNT; i++) {
            uint32_t ms = got->printed_percentile_ms[i];
            cr_assert(ms == 0 || ms == whole.printed_percentile_ms[i], "truncated at %zu",
                      cut);
        }
        bool within = isdigit(block[cut - 1]) && isdigit(block[cut]);
        cr_assert(!within || report.warning_count > 0,
                  "truncated at %zu without a warning", cut);
    }
}

/* A parser must not use a window's statistics for the process. */
Test(parse_stats, windows_have_their_own_statistics)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [a] **\nTotal frames rendered: 10\n"
                       "Profile data in ms:\n\ta/a (visibility=0)\nWindow: a\n"
                       "Total frames rendered: 4\n\tb/b (visibility=0)\nWindow: b\n"
                       "Note: Data has been filtered!\nTotal frames rendered: 6\n"),
                 0);
    cr_assert_eq(only_process()->stats.stats.counter[DJ_COUNTER_TOTAL], 10);
    cr_assert_eq(only_process()->window_count, 2);
    cr_assert_eq(only_process()->windows[0].stats.stats.counter[DJ_COUNTER_TOTAL], 4);
    cr_assert_eq(only_process()->windows[1].stats.stats.counter[DJ_COUNTER_TOTAL], 6);
    cr_assert_str_eq(only_process()->windows[1].stats_title, "b");
}

/* Some devices with Android 6.0 print the process's block again after a window. */
Test(parse_stats, a_block_after_a_window_belongs_to_the_window)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [a] **\nTotal frames rendered: 10\n"
                       "Profile data in ms:\n\ta/a (visibility=0)\n"
                       "Stats since: 5ns\nTotal frames rendered: 10\n"),
                 0);
    cr_assert_eq(only_process()->stats.stats.counter[DJ_COUNTER_TOTAL], 10);
    cr_assert_eq(only_window()->stats.stats.counter[DJ_COUNTER_TOTAL], 10);
    cr_assert_null(only_window()->stats_title);
}

/* Before M Preview, the lines were indented below "Frame stats:". */
Test(parse_stats, the_form_before_m_preview_is_read)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [a] **\n\nFrame stats:\n"
                       "  Total frames rendered: 20\n  Janky frames: 2 (10.00%)\n"
                       "  90th percentile: 12ms\n   Number Slow draw: 1\n"),
                 0);
    const struct dj_stats_block *got = &only_process()->stats;
    cr_assert_eq(got->stats.counter[DJ_COUNTER_TOTAL], 20);
    cr_assert_eq(got->stats.counter[DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS], 1);
    cr_assert_eq(got->printed_percentile_ms[1], 12);
    cr_assert_eq(__builtin_popcount(got->lines), 4);
    cr_assert_str_eq(dump.dialect->name, "preview");
}

/* After the view hierarchy, no window is open. */
Test(parse_stats, a_block_after_the_hierarchy_starts_another_process)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [a] **\nTotal frames rendered: 1\n"
                       "Profile data in ms:\n\ta/a (visibility=0)\nView hierarchy:\n"
                       "Total frames rendered: 2\n"),
                 0);
    cr_assert_eq(dump.process_count, 2);
    cr_assert_eq(dump.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL], 1);
    cr_assert_eq(dump.processes[1].stats.stats.counter[DJ_COUNTER_TOTAL], 2);
    cr_assert_null(dump.processes[1].name);
}
