/* Tests that graphicsstats printed in the form of each release can be parsed. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/lines.h"
#include "gfxinfo/parse.h"
#include "gfxinfo/print.h"

enum { ENTRIES = 3, ROUNDS = 100 };

static uint64_t random_state;

static uint64_t next_random(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * UINT64_C(2685821657736338717);
}

static struct dj_graphicsstats some_entry(char *package)
{
    struct dj_graphicsstats entry = {
        .package = package,
        .version = (int64_t)(next_random() >> 30),
        .uid = (int64_t)(next_random() % 100000),
        .start_ms = (int64_t)(next_random() >> 22),
        .stats = {.present = true, .lines = ~UINT32_C(0)},
    };
    entry.end_ms = entry.start_ms + (int64_t)(next_random() % 100000000);
    entry.stats.stats.since_ns = (int64_t)(next_random() >> 1);
    for (size_t i = 0; i < DJ_COUNTER_COUNT; i++) {
        entry.stats.stats.counter[i] = (uint32_t)(next_random() >> (32 + i));
    }
    entry.stats.stats.counter[DJ_COUNTER_TOTAL] = 1 + (uint32_t)(next_random() >> 40);
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        entry.stats.stats.frame_histogram[i] =
            (uint32_t)(next_random() >> (32 + next_random() % 32));
    }
    for (size_t i = 0; i < DJ_GPU_BUCKETS; i++) {
        entry.stats.stats.gpu_histogram[i] =
            (uint32_t)(next_random() >> (32 + next_random() % 32));
    }
    return entry;
}

static void expect_read(const struct dj_graphicsstats *got,
                        const struct dj_graphicsstats *want,
                        const struct dj_dialect *dialect)
{
    bool days = dialect->api >= 26;
    cr_assert_str_eq(got->package, want->package);
    cr_assert_eq(got->version, days ? want->version : -1, "%s", dialect->name);
    cr_assert_eq(got->uid, dialect->api >= 35 ? want->uid : -1, "%s", dialect->name);
    cr_assert_eq(got->start_ms, days ? want->start_ms : -1);
    cr_assert_eq(got->end_ms, days ? want->end_ms : -1);
    struct dj_stats printed = want->stats.stats;
    dj_frame_dialect_apply_quirks(dialect, &printed);
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        const struct dj_line *line = dj_gfxinfo_line_at(i);
        bool counter = line->kind == DJ_LINE_COUNTER || line->kind == DJ_LINE_JANKY;
        if (counter && (got->stats.lines >> i & 1) != 0) {
            cr_assert_eq(got->stats.stats.counter[line->field],
                         printed.counter[line->field], "%s: %s", dialect->name,
                         line->prefix);
        }
    }
    uint32_t expected = dj_gfxinfo_lines_of_dialect(dialect);
    for (size_t i = 0; days && i < DJ_LINE_COUNT; i++) {
        if (strstr(dj_gfxinfo_line_at(i)->prefix, "(legacy)") != NULL ||
            dj_gfxinfo_line_at(i)->kind == DJ_LINE_SINCE) {
            expected &= ~(UINT32_C(1) << i);
        }
    }
    cr_assert_eq(got->stats.lines, expected, "%s: lines %x, want %x", dialect->name,
                 got->stats.lines, expected);
    if ((expected & dj_gfxinfo_lines_of_kind(DJ_LINE_HISTOGRAM)) != 0) {
        cr_assert_arr_eq(got->stats.stats.frame_histogram, printed.frame_histogram,
                         sizeof(printed.frame_histogram));
    }
    if ((expected & dj_gfxinfo_lines_of_kind(DJ_LINE_GPU_HISTOGRAM)) != 0) {
        cr_assert_arr_eq(got->stats.stats.gpu_histogram, printed.gpu_histogram,
                         sizeof(printed.gpu_histogram));
    }
}

static void round_trip(const struct dj_dialect *dialect)
{
    static char names[ENTRIES][32] = {"com.x", "it's \"quoted\"; $(x) `y`", "Grüße 世界"};
    struct dj_graphicsstats want[ENTRIES];
    struct dj_text text = {0};
    struct dj_dump got;
    struct dj_parse_report report;
    struct dj_error err = {0};
    for (size_t i = 0; i < ENTRIES; i++) {
        char version[24];
        want[i] = some_entry(names[i]);
        snprintf(version, sizeof(version), "%lld", (long long)want[i].version);
        dj_gfxinfo_print_graphicsstats(&text, &want[i], version, dialect);
    }
    cr_assert_eq(
        dj_gfxinfo_parse_dump(dj_text_get(&text), text.length, &got, &report, &err), 0,
        "%s: %s", dialect->name, err.message);
    cr_assert_eq(report.warning_count, 0, "%s, line %zu: %s", dialect->name,
                 report.warning[0].line, report.warning[0].message);
    cr_assert_eq(got.graphicsstats_count, ENTRIES, "%s", dialect->name);
    cr_assert_eq(got.process_count, 0);
    for (size_t i = 0; i < ENTRIES; i++) {
        expect_read(&got.graphicsstats[i], &want[i], dialect);
    }
    dj_gfxinfo_dump_finish(&got);
    dj_text_finish(&text);
}

Test(print_graphicsstats, entries_of_every_release_are_read_back)
{
    random_state = 4711;
    for (size_t k = 0; dj_frame_dialect_at(k) != NULL; k++) {
        for (int i = 0;
             i < ROUNDS && dj_gfxinfo_has_graphicsstats(dj_frame_dialect_at(k)); i++) {
            round_trip(dj_frame_dialect_at(k));
        }
    }
}

Test(print_graphicsstats, graphicsstats_exists_since_android_6)
{
    cr_assert_not(dj_gfxinfo_has_graphicsstats(dj_frame_dialect_find("5")));
    cr_assert(dj_gfxinfo_has_graphicsstats(dj_frame_dialect_find("6.0")));
}

Test(print_graphicsstats, entries_are_printed_byte_for_byte)
{
    struct dj_text text = {0};
    struct dj_graphicsstats entry = {.package = "com.x",
                                     .uid = 10387,
                                     .start_ms = 1743864382378,
                                     .end_ms = 1743877537475,
                                     .stats = {.present = true, .lines = ~UINT32_C(0)}};
    entry.stats.stats.counter[DJ_COUNTER_TOTAL] = 8;
    entry.stats.stats.counter[DJ_COUNTER_JANKY] = 3;
    dj_gfxinfo_print_graphicsstats(&text, &entry, "35", dj_frame_dialect_find("16"));
    static const char head[] =
        "\nUID: 10387\nPackage: com.x\nVersion: 35\n"
        "Stats since: 1743864382378ns\nStats end: 1743877537475ns\n"
        "Total frames rendered: 8\nJanky frames: 3 (37.50%)\n"
        "50th percentile: ";
    cr_assert_eq(strncmp(dj_text_get(&text), head, sizeof(head) - 1), 0, "%s",
                 dj_text_get(&text));
    cr_assert_eq(dj_text_get(&text)[text.length - 1], '\n');
    dj_text_finish(&text);
}
