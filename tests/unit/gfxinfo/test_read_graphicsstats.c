/* Tests the text form of graphicsstats (docs/format/gfxinfo.md). */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gfxinfo/lines.h"
#include "support.h"

TestSuite(parse_graphicsstats, .fini = finish_reading);

static const struct dj_graphicsstats *only_entry(void)
{
    cr_assert_eq(dump.process_count, 0, "%zu processes", dump.process_count);
    cr_assert_eq(dump.graphicsstats_count, 1, "%zu entries", dump.graphicsstats_count);
    return &dump.graphicsstats[0];
}

#define COUNTERS                                                                         \
    "Total frames rendered: 100\nJanky frames: 12 (12.00%)\n50th percentile: 6ms\n"      \
    "90th percentile: 9ms\n95th percentile: 12ms\n99th percentile: 32ms\n"               \
    "Number Missed Vsync: 1\nNumber High input latency: 2\nNumber Slow UI thread: 3\n"   \
    "Number Slow bitmap uploads: 4\nNumber Slow issue draw commands: 5\n"
#define MISSED "Number Frame deadline missed: 6\n"
#define HISTOGRAM "HISTOGRAM: 5ms=90 6ms=7 7ms=3\n"
#define GPU                                                                              \
    "50th gpu percentile: 1ms\n90th gpu percentile: 2ms\n95th gpu percentile: 3ms\n"     \
    "99th gpu percentile: 4ms\nGPU HISTOGRAM: 1ms=50 2ms=50\n"
#define TIMES "Version: 34\nStats since: 1700000000000ns\nStats end: 1700000100000ns\n"

static void expect_entry(const struct dj_graphicsstats *entry, bool missed, bool gpu)
{
    const struct dj_stats_block *block = &entry->stats;
    cr_assert(block->present);
    cr_assert_eq(block->stats.counter[DJ_COUNTER_TOTAL], 100);
    cr_assert_eq(block->stats.counter[DJ_COUNTER_JANKY], 12);
    cr_assert_float_eq(block->printed_janky_pct, 12, 1e-9);
    cr_assert_eq(block->stats.counter[DJ_COUNTER_MISSED_VSYNC], 1);
    cr_assert_eq(block->stats.counter[DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS], 5);
    cr_assert_eq(block->stats.counter[DJ_COUNTER_DEADLINE_MISSED], missed ? 6 : 0);
    cr_assert_eq(block->printed_percentile_ms[3], 32);
    cr_assert_eq(block->stats.frame_histogram[0], 90);
    cr_assert_eq(block->stats.frame_histogram[2], 3);
    cr_assert_eq(block->printed_gpu_percentile_ms[3], gpu ? 4 : 0);
    cr_assert_eq(block->stats.gpu_histogram[1], gpu ? 50 : 0);
    cr_assert_eq(warnings_in(&report), 0, "%s", report.warning[0].message);
}

/* Android 6 and 7 print no version, and "Stats since" is in ns as in gfxinfo. */
Test(parse_graphicsstats, entries_of_6_and_7_are_read)
{
    cr_assert_eq(
        parse("Package: com.android.systemui\nStats since: 424242ns\n" COUNTERS HISTOGRAM
              "\n"),
        0);
    const struct dj_graphicsstats *entry = only_entry();
    expect_entry(entry, false, false);
    cr_assert_str_eq(entry->package, "com.android.systemui");
    cr_assert_eq(entry->version, -1);
    cr_assert_eq(entry->uid, -1);
    cr_assert_eq(entry->start_ms, -1);
    cr_assert_eq(entry->end_ms, -1);
    cr_assert_eq(entry->stats.stats.since_ns, 424242);
}

/* Android 8 and later print milliseconds since 1970, although the unit says "ns". */
Test(parse_graphicsstats, entries_since_8_are_read)
{
    static const char *const texts[] = {
        "\nPackage: com.x\n" TIMES COUNTERS HISTOGRAM "\n",
        "\nPackage: com.x\n" TIMES COUNTERS MISSED HISTOGRAM "\n",
        "\nPackage: com.x\n" TIMES COUNTERS MISSED HISTOGRAM GPU "\n",
        "\nUID: 10123\nPackage: com.x\n" TIMES COUNTERS MISSED HISTOGRAM GPU "\n",
    };
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(parse(texts[i]), 0);
        const struct dj_graphicsstats *entry = only_entry();
        expect_entry(entry, i > 0, i > 1);
        cr_assert_str_eq(entry->package, "com.x");
        cr_assert_eq(entry->version, 34);
        cr_assert_eq(entry->uid, i == 3 ? 10123 : -1);
        cr_assert_eq(entry->start_ms, INT64_C(1700000000000));
        cr_assert_eq(entry->end_ms, INT64_C(1700000100000));
        cr_assert_eq(entry->stats.stats.since_ns, 0);
        cr_assert_eq(entry->stats.lines & dj_gfxinfo_lines_of_kind(DJ_LINE_SINCE), 0);
    }
}

Test(parse_graphicsstats, many_entries_are_read)
{
    struct dj_text text = {0};
    for (int i = 0; i < 50; i++) {
        dj_text_format(
            &text,
            "\nUID: %d\nPackage: com.x%d\nVersion: %d\nStats since: %dns\n"
            "Stats end: %dns\nTotal frames rendered: %d\nHISTOGRAM: 5ms=%d\n\n",
            10000 + i, i, i, 100 + i, 200 + i, i * 3, i * 3);
    }
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_eq(dump.graphicsstats_count, 50);
    for (int i = 0; i < 50; i++) {
        const struct dj_graphicsstats *entry = &dump.graphicsstats[i];
        char package[16];
        snprintf(package, sizeof(package), "com.x%d", i);
        cr_assert_str_eq(entry->package, package);
        cr_assert_eq(entry->uid, 10000 + i);
        cr_assert_eq(entry->version, i);
        cr_assert_eq(entry->start_ms, 100 + i);
        cr_assert_eq(entry->end_ms, 200 + i);
        cr_assert_eq(entry->stats.stats.counter[DJ_COUNTER_TOTAL], (unsigned)i * 3);
        cr_assert_eq(entry->stats.stats.frame_histogram[0], (unsigned)i * 3);
    }
    dj_text_finish(&text);
}

/* Two users may have different versions of the same package. */
Test(parse_graphicsstats, a_package_may_have_several_entries)
{
    cr_assert_eq(parse("UID: 10001\nPackage: a\n" TIMES "UID: 1010001\nPackage: a\n" TIMES
                       "Package: a\n" TIMES),
                 0);
    cr_assert_eq(dump.graphicsstats_count, 3);
    cr_assert_eq(dump.graphicsstats[0].uid, 10001);
    cr_assert_eq(dump.graphicsstats[1].uid, 1010001);
    cr_assert_eq(dump.graphicsstats[2].uid, -1, "the UID above belongs to another entry");
}

Test(parse_graphicsstats, an_entry_without_frames_has_no_percentage)
{
    cr_assert_eq(parse("Package: a\n" TIMES "Total frames rendered: 0\n"
                       "Janky frames: 0 (nan%)\n"),
                 0);
    cr_assert(isnan(only_entry()->stats.printed_janky_pct));
    cr_assert_eq(warnings_in(&report), 0);
}

Test(parse_graphicsstats, numbers_at_their_limits_are_read)
{
    cr_assert_eq(
        parse("UID: 9223372036854775807\nPackage: a\n"
              "Version: 9223372036854775807\nStats since: 9223372036854775807ns\n"
              "Stats end: 0ns\nTotal frames rendered: 4294967295\n"),
        0);
    const struct dj_graphicsstats *entry = only_entry();
    cr_assert_eq(entry->version, INT64_MAX);
    cr_assert_eq(entry->uid, INT64_MAX);
    cr_assert_eq(entry->start_ms, INT64_MAX);
    cr_assert_eq(entry->end_ms, 0);
    cr_assert_eq(warnings_in(&report), 0);
}

/* An invalid number affects only its own line. */
Test(parse_graphicsstats, numbers_that_are_too_large_affect_only_their_line)
{
    static const char *const lines[][3] = {
        {"Version: 9223372036854775808", "5ns", "6ns"},
        {"Version: -5", "5ns", "6ns"},
        {"Version: x", "5ns", "6ns"},
        {"Version:", "5ns", "6ns"},
        {"Version: 34", "x", "6ns"},
        {"Version: 34", "9223372036854775808ns", "6ns"},
        {"Version: 34", "-5ns", "6ns"},
        {"Version: 34", "5ns", "9223372036854775808ns"},
        {"Version: 34", "5ns", "-6ns"},
        {"Version: 34", "5ns", "6"},
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct dj_text text = {0};
        dj_text_format(&text,
                       "Package: a\n%s\nStats since: %s\nStats end: %s\n"
                       "Total frames rendered: 7\n",
                       lines[i][0], lines[i][1], lines[i][2]);
        cr_assert_eq(parse_text(&text), 0);
        const struct dj_graphicsstats *entry = only_entry();
        cr_assert_eq(entry->version, i < 4 ? -1 : 34, "%s", lines[i][0]);
        cr_assert_eq(entry->end_ms, i < 7 ? 6 : -1, "%zu: %lld", i,
                     (long long)entry->end_ms);
        cr_assert_eq(entry->stats.stats.counter[DJ_COUNTER_TOTAL], 7);
        cr_assert_eq(warnings_in(&report), 1, "%zu: %zu warnings", i,
                     report.warning_count);
        cr_assert_eq(report.warning[0].line, i < 4 ? 2 : i < 7 ? 3 : 4);
        dj_text_finish(&text);
    }
}

/* Many other texts contain "Package:". */
Test(parse_graphicsstats, package_lines_of_other_texts_are_ignored)
{
    static const char *const texts[] = {
        "Package: dejank\n",
        "Package: dejank\nVersion: 1.2\nArchitecture: amd64\n",
        "Package: dejank\nVersion: 12\nArchitecture: amd64\n",
        "Package: com.x\n  versionCode=12\n",
        "Package: com.x v12 (1.2)\nForeground: Yes\n",
        "Package: com.x\nPackage: com.y\nUID: 12\n",
        "UID: 12\nVersion: 12\nStats end: 12ns\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        cr_assert_eq(parse(texts[i]), DJ_E_NO_DATA, "%s", texts[i]);
        cr_assert_eq(dump.graphicsstats_count, 0);
        cr_assert_eq(warnings_in(&report), 0, "%s", report.warning[0].message);
    }
}

/* Statistics that do not follow directly do not belong to the package. */
Test(parse_graphicsstats, a_package_line_far_above_is_ignored)
{
    cr_assert_eq(parse("Package: com.x\nhello\nTotal frames rendered: 5\n"), 0);
    cr_assert_eq(dump.graphicsstats_count, 0);
    cr_assert_eq(only_process()->stats.stats.counter[DJ_COUNTER_TOTAL], 5);
}

Test(parse_graphicsstats, lines_in_a_process_belong_to_it)
{
    cr_assert_eq(
        parse("** Graphics info for pid 1 [a] **\nPackage: com.x\n  in the middle\n"
              "UID: 12\nVersion: 3\nTotal frames rendered: 5\n"),
        0);
    cr_assert_eq(dump.graphicsstats_count, 0);
    cr_assert_eq(only_process()->stats.stats.counter[DJ_COUNTER_TOTAL], 5);
    cr_assert_eq(only_process()->section_count, 1);
    cr_assert_str_eq(only_process()->sections[0].text,
                     "Package: com.x\n  in the middle\nUID: 12\nVersion: 3");
}

/* One file contains the output of both commands. The first lines of the entry do not
 * belong to the process before it. */
Test(parse_graphicsstats, an_entry_may_follow_a_process)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [a] **\nTotal frames rendered: 5\n"
                       "\nCaches:\n  one\nUID: 10123\nPackage: com.x\n" TIMES COUNTERS),
                 0);
    cr_assert_eq(dump.process_count, 1);
    cr_assert_eq(dump.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL], 5);
    cr_assert_eq(dump.processes[0].section_count, 1);
    cr_assert_str_eq(dump.processes[0].sections[0].text, "Caches:\n  one");
    cr_assert_eq(dump.graphicsstats_count, 1);
    cr_assert_eq(dump.graphicsstats[0].uid, 10123);
    cr_assert_eq(dump.graphicsstats[0].stats.stats.counter[DJ_COUNTER_TOTAL], 100);
    cr_assert_eq(
        parse("** Graphics info for pid 1 [a] **\n\nUID: 10123\nPackage: com.x\n" TIMES),
        0);
    cr_assert_eq(dump.processes[0].section_count, 0);
    cr_assert_eq(dump.graphicsstats_count, 1);
}

Test(parse_graphicsstats, an_entry_may_precede_a_process)
{
    cr_assert_eq(parse("Package: com.x\n" TIMES COUNTERS HISTOGRAM
                       "** Graphics info for pid 1 [a] **\nTotal frames rendered: 5\n"),
                 0);
    cr_assert_eq(dump.graphicsstats_count, 1);
    expect_entry(&(struct dj_graphicsstats){.stats = dump.graphicsstats[0].stats}, false,
                 false);
}

/* A second block of the same kind belongs to another entry, which has no name. */
Test(parse_graphicsstats, a_second_block_belongs_to_another_entry)
{
    cr_assert_eq(parse("Package: com.x\n" TIMES "Total frames rendered: 100\n\n"
                       "Total frames rendered: 5\nNumber Missed Vsync: 1\n"),
                 0);
    cr_assert_eq(dump.graphicsstats[0].stats.stats.counter[DJ_COUNTER_TOTAL], 100);
    cr_assert_eq(dump.graphicsstats[0].stats.stats.counter[DJ_COUNTER_MISSED_VSYNC], 0);
    cr_assert_eq(only_process()->stats.stats.counter[DJ_COUNTER_TOTAL], 5);
}

Test(parse_graphicsstats, entries_are_read_with_every_prefix_and_line_end)
{
    static const struct {
        const char *before, *after;
    } dresses[] = {{"> ", "\n"},   {"    ", "\r\n"},     {"| ", "\n"},
                   {"", "\r\r\n"}, {"I/x( 12): ", "\n"}, {"12:00:01.5 ", "\n"},
                   {"* ", " \t\n"}};
    struct dj_text plain = {0};
    dj_text_add(&plain, "UID: 10123\nPackage: com.x\n" TIMES COUNTERS MISSED HISTOGRAM GPU
                        "\nUID: 10124\nPackage: com.y\n" TIMES COUNTERS MISSED HISTOGRAM);
    for (size_t i = 0; i < sizeof(dresses) / sizeof(dresses[0]); i++) {
        struct dj_text text = {0};
        append_with_prefix(&text, &plain, dresses[i].before, dresses[i].after);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(dump.graphicsstats_count, 2, "after \"%s\"", dresses[i].before);
        expect_entry(&dump.graphicsstats[0], true, true);
        cr_assert_eq(dump.graphicsstats[0].uid, 10123);
        cr_assert_eq(dump.graphicsstats[1].uid, 10124);
        cr_assert_str_eq(dump.graphicsstats[1].package, "com.y");
        cr_assert_eq(dump.graphicsstats[1].end_ms, INT64_C(1700000100000));
        dj_text_finish(&text);
    }
    dj_text_finish(&plain);
}

/* If the text is truncated anywhere, the first entry is complete, and there is no third
 * one. */
Test(parse_graphicsstats, text_truncated_anywhere_keeps_complete_entries)
{
    static const char text[] =
        "UID: 10123\nPackage: com.x\n" TIMES COUNTERS MISSED HISTOGRAM GPU
        "\nUID: 10124\nPackage: com.y\n" TIMES COUNTERS MISSED HISTOGRAM GPU;
    size_t second = (size_t)(strstr(text, "UID: 10124") - text);
    for (size_t cut = second; cut < sizeof(text); cut++) {
        cr_assert_eq(parse_bytes(text, cut), 0);
        cr_assert_leq(dump.graphicsstats_count, 2);
        const struct dj_graphicsstats *entry = &dump.graphicsstats[0];
        cr_assert_eq(entry->stats.stats.gpu_histogram[1], 50);
        cr_assert_eq(entry->stats.stats.counter[DJ_COUNTER_TOTAL], 100);
        cr_assert_eq(entry->end_ms, INT64_C(1700000100000));
        if (dump.graphicsstats_count == 2) {
            entry = &dump.graphicsstats[1];
            cr_assert_str_eq(entry->package, "com.y");
            cr_assert(entry->end_ms == -1 || entry->end_ms == INT64_C(1700000100000));
            cr_assert(entry->start_ms == -1 || entry->start_ms == INT64_C(1700000000000));
            cr_assert(entry->stats.stats.counter[DJ_COUNTER_TOTAL] == 0 ||
                      entry->stats.stats.counter[DJ_COUNTER_TOTAL] == 100);
        }
    }
}
