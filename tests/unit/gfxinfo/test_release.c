/* Tests which release is inferred for a dump. */
#include <criterion/criterion.h>
#include <string.h>

#include "gfxinfo/lines.h"
#include "gfxinfo/print.h"
#include "gfxinfo/release.h"
#include "support.h"

TestSuite(release, .fini = finish_reading);

/* Several releases print the same dump. If so, one of them is used for all. */
static const struct {
    const char *release; /* Release that prints the dump. */
    const char *whole;   /* Release that is inferred from a dump with rows. */
    const char *all;     /* All releases that print the same dump. */
} releases[] = {
    {"preview", "preview", "preview"},
    {"6.0", "6.0", "6.0"},
    {"7.0", "7.0", "7.0"},
    {"7.1", "7.1", "7.1 or 8"}, /* Statistics of windows may have been omitted. */
    {"8", "8", "8"},
    {"9", "9", "9, 9-10 or 10"},
    {"9-10", "9", "9, 9-10 or 10"},
    {"10", "9", "9, 9-10 or 10"},
    {"11", "11", "11"},
    {"12", "12", "12 or 12L"},
    {"12L", "12", "12 or 12L"},
    {"13", "13", "13, 14 or 15"},
    {"14", "13", "13, 14 or 15"},
    {"15", "13", "13, 14 or 15"},
    {"16", "16", "16"},
};
enum { RELEASES = sizeof(releases) / sizeof(releases[0]) };

/* Appends a dump of one process and one window, printed in a dialect. */
static void append_dump(struct dj_text *out, const struct dj_dialect *dialect, bool rows)
{
    struct dj_frame frame = {.known = 0};
    for (size_t i = 0; i < dialect->columns.count; i++) {
        enum dj_column column = (enum dj_column)dialect->columns.column[i];
        dj_frame_set(&frame, column, sample_value(dj_frame_column_name(column), 1));
    }
    struct dj_stats_block block = {.present = true, .lines = ~UINT32_C(0)};
    block.stats.counter[DJ_COUNTER_TOTAL] = 100;
    struct dj_dump_window window = {
        .title = "w", .frames = &frame, .frame_count = 1, .has_frames = true};
    if (dialect->window_stats) {
        window.stats_title = "w";
        window.stats = block;
    }
    struct dj_dump_process process = {.pid = 1,
                                      .name = "a",
                                      .stats = block,
                                      .windows = &window,
                                      .window_count = 1,
                                      .expected = -1};
    struct dj_dump printed = {.processes = &process, .process_count = 1};
    struct dj_print_options options = {.dialect = dialect, .framestats = rows};
    dj_gfxinfo_print_dump(out, &printed, &options);
}

static void expect_words(const char *want)
{
    struct dj_text words = {0};
    dj_gfxinfo_release_describe(&words, &dump.evidence);
    cr_assert_str_eq(dj_text_get(&words), want);
    dj_text_finish(&words);
}

static uint32_t bit_of(const char *release)
{
    for (size_t i = 0; dj_frame_dialect_at(i) != NULL; i++) {
        if (strcmp(dj_frame_dialect_at(i)->name, release) == 0) {
            return UINT32_C(1) << i;
        }
    }
    cr_assert_fail("no release %s", release);
    return 0;
}

Test(release, each_release_is_inferred)
{
    size_t seen = 0;
    for (size_t i = 0; i < RELEASES; i++) {
        struct dj_text text = {0};
        const struct dj_dialect *dialect = dj_frame_dialect_find(releases[i].release);
        cr_assert_not_null(dialect, "%s", releases[i].release);
        append_dump(&text, dialect, true);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_not_null(dump.dialect, "%s", releases[i].release);
        cr_assert_str_eq(dump.dialect->name, releases[i].whole);
        cr_assert(dump.dialect_inferred);
        cr_assert_eq(only_process()->dialect, dump.dialect);
        cr_assert_eq(dump.evidence.hints, DJ_HINT_COLUMNS | DJ_HINT_LINES);
        cr_assert_eq(dump.evidence.columns, dialect->columns.count);
        cr_assert_neq(dump.evidence.fitting & bit_of(releases[i].release), 0);
        struct dj_text want = {0};
        dj_text_format(&want, "%u columns, the lines of its statistics: %s",
                       dialect->columns.count, releases[i].all);
        expect_words(dj_text_get(&want));
        dj_text_finish(&want);
        dj_text_finish(&text);
        seen++;
    }
    size_t dialects = 0;
    while (dj_frame_dialect_at(dialects) != NULL) {
        dialects++;
    }
    cr_assert_eq(seen, dialects - 1, "all releases except 5, which prints no statistics");
}

/* Without rows, only the lines show the release. 7.0 … 8 print the same lines. */
Test(release, each_release_is_inferred_from_its_lines)
{
    static const struct {
        const char *release, *inferred, *all;
    } alone[] = {
        {"preview", "preview", "preview"},
        {"6.0", "6.0", "6.0"},
        {"7.0", "7.0", "7.0, 7.1 or 8"},
        {"7.1", "7.0", "7.0, 7.1 or 8"},
        {"8", "7.0", "7.0, 7.1 or 8"},
        {"9", "9", "9, 9-10, 10 or 11"},
        {"11", "11", "11"},
        {"12L", "12", "12, 12L, 13, 14, 15 or 16"},
        {"16", "12", "12, 12L, 13, 14, 15 or 16"},
    };
    for (size_t i = 0; i < sizeof(alone) / sizeof(alone[0]); i++) {
        struct dj_text text = {0};
        struct dj_text want = {0};
        append_dump(&text, dj_frame_dialect_find(alone[i].release), false);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(dump.evidence.hints, DJ_HINT_LINES, "%s", alone[i].release);
        cr_assert_str_eq(dump.dialect->name, alone[i].inferred);
        dj_text_format(&want, "the lines of its statistics: %s", alone[i].all);
        expect_words(dj_text_get(&want));
        dj_text_finish(&want);
        dj_text_finish(&text);
    }
}

Test(release, a_release_is_inferred_from_the_number_of_columns)
{
    static const struct {
        const char *inferred, *words;
    } sets[COLUMN_SETS] = {
        {"preview", "13 columns: preview"},
        {"6.0", "14 columns: 6.0 or 7.0"},
        {"7.1", "16 columns: 7.1, 8, 9, 9-10 or 10"},
        {"11", "17 columns: 11"},
        {"12", "22 columns: 12 or 12L"},
        {"13", "23 columns: 13, 14 or 15"},
        {"16", "24 columns: 16"},
        {"16", "25 columns, more than any known release: 16"},
    };
    for (size_t i = 0; i < COLUMN_SETS; i++) {
        for (size_t rows = 0; rows < 3; rows += 2) {
            struct dj_text text = {0};
            append_framestats(&text, &column_sets[i], rows);
            cr_assert_eq(parse_text(&text), 0);
            if (rows > 0 || column_sets[i].header) {
                cr_assert_str_eq(dump.dialect->name, sets[i].inferred);
                expect_words(sets[i].words);
                cr_assert_eq((dump.evidence.hints & DJ_HINT_NEWER) != 0, i == 7);
            } else {
                cr_assert_null(dump.dialect, "neither a header nor a row");
            }
            dj_text_finish(&text);
        }
    }
}

/* Tests texts with only some lines of a block. */
Test(release, a_release_is_inferred_from_some_lines)
{
    static const struct {
        const char *text, *inferred; /* NULL if there is no evidence. */
    } selections[] = {
        {"Total frames rendered: 5\n", NULL},
        {"Total frames rendered: 5\nJanky frames: 1 (20.00%)\n", NULL},
        {"90th percentile: 5ms\n95th percentile: 5ms\n99th percentile: 5ms\n", NULL},
        {"50th percentile: 5ms\n", "7.0"},
        {"Number Slow draw: 1\n", "preview"},
        {"Number Slow issue draw commands: 1\n", "6.0"},
        {"HISTOGRAM: 5ms=1\n", "7.0"},
        {"Number Frame deadline missed: 1\n", "9"},
        {"50th gpu percentile: 5ms\n", "11"},
        {"GPU HISTOGRAM: 1ms=1\n", "11"},
        {"Janky frames (legacy): 1 (1.00%)\n", "12"},
        {"Number Frame deadline missed (legacy): 1\n", "12"},
        {"Number Slow draw: 1\nGPU HISTOGRAM: 1ms=1\n", NULL},
    };
    for (size_t i = 0; i < sizeof(selections) / sizeof(selections[0]); i++) {
        cr_assert_eq(parse(selections[i].text), 0);
        if (selections[i].inferred == NULL) {
            cr_assert_null(dump.dialect, "%s", selections[i].text);
            cr_assert_not(dump.dialect_inferred);
            cr_assert_eq(dump.evidence.hints, 0);
            cr_assert_eq(dump.evidence.fitting, 0);
            expect_words("");
        } else {
            cr_assert_not_null(dump.dialect, "%s", selections[i].text);
            cr_assert_str_eq(dump.dialect->name, selections[i].inferred, "%s",
                             selections[i].text);
        }
    }
}

/* Returns whether a release prints exactly these lines. */
static bool is_whole(uint32_t lines)
{
    for (size_t i = 0; dj_frame_dialect_at(i) != NULL; i++) {
        if (dj_gfxinfo_lines_of_dialect(dj_frame_dialect_at(i)) == lines) {
            return true;
        }
    }
    return false;
}

/* The release is inferred even if one line of the block is missing. */
Test(release, a_release_is_inferred_if_one_line_is_missing)
{
    for (size_t i = 0; i < RELEASES; i++) {
        const struct dj_dialect *dialect = dj_frame_dialect_find(releases[i].release);
        struct dj_text whole = {0};
        struct dj_stats stats = {.since_ns = 1};
        dj_gfxinfo_print_stats(&whole, &stats, dialect);
        const char *at = dj_text_get(&whole);
        while (*at == '\n') {
            const char *end = at + 1 + strcspn(at + 1, "\n");
            struct dj_text text = {0};
            dj_text_append(&text, whole.data, (size_t)(at - whole.data));
            dj_text_format(&text, "%s\n", end);
            cr_assert_eq(parse_text(&text), 0);
            cr_assert(dump.evidence.hints == 0 || is_whole(only_process()->stats.lines) ||
                          (dump.evidence.fitting & bit_of(releases[i].release)) != 0 ||
                          __builtin_popcount(only_process()->stats.lines) < 9,
                      "%s without \"%.*s\"", releases[i].release, (int)(end - at - 1),
                      at + 1);
            dj_text_finish(&text);
            at = end;
        }
        dj_text_finish(&whole);
    }
}

/* Android 8 and later print "Window: TITLE". */
Test(release, statistics_of_a_window_show_8_or_later)
{
    struct dj_text text = {0};
    dj_text_add(&text, "** Graphics info for pid 1 [a] **\n\ta (visibility=0)\n"
                       "Window: a\n50th percentile: 5ms\nHISTOGRAM: 5ms=1\n");
    append_framestats(&text, &column_sets[2], 1);
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_str_eq(dump.dialect->name, "8",
                     "and not 7.1, whose columns these are, too");
    dj_text_finish(&text);
}

Test(release, missing_statistics_show_android_5)
{
    static const struct {
        const char *text;
        bool five;
    } dumps[] = {
        {"** Graphics info for pid 1 [a] **\n\nCaches:\n  x\nTotal memory usage:\n  1 "
         "bytes\n",
         true},
        {"** Graphics info for pid 1 [a] **\n\nProfile data in ms:\n\n\ta "
         "(visibility=0)\n"
         "\tDraw\tPrepare\tProcess\tExecute\n\t1.00\t2.00\t3.00\t4.00\n",
         true},
        /* Nothing was drawn, so it may be any release. */
        {"** Graphics info for pid 1 [a] **\n\nProfile data in ms:\n", false},
        /* Android 4. */
        {"** Graphics info for pid 1 [a] **\n\nProfile data in ms:\n\n\ta "
         "(visibility=0)\n"
         "\tDraw\tProcess\tExecute\n\t1.00\t2.00\t3.00\n",
         false},
        {"** Graphics info for pid 1 [a] **\n\nRecent DisplayList operations\n"
         "  DrawDisplayList\n\nCaches:\nTotal memory usage:\n  1 bytes\n",
         false},
        /* There are statistics, or rows. */
        {"** Graphics info for pid 1 [a] **\nTotal frames rendered: 1\n\nCaches:\n"
         "Total memory usage:\n  1 bytes\n",
         false},
        /* The rest of the dump is unknown. */
        {"\tDraw\tPrepare\tProcess\tExecute\n\t1.00\t2.00\t3.00\t4.00\n", false},
    };
    for (size_t i = 0; i < sizeof(dumps) / sizeof(dumps[0]); i++) {
        cr_assert_eq(parse(dumps[i].text), 0);
        cr_assert_eq(dump.dialect != NULL, dumps[i].five, "%s", dumps[i].text);
        if (dumps[i].five) {
            cr_assert_str_eq(dump.dialect->name, "5");
            expect_words("frames but no statistics: 5");
        }
    }
}

#define OF_11 "GPU HISTOGRAM: 1ms=1\n"
#define OF_12 "Janky frames (legacy): 1 (1.00%)\n"

Test(release, several_processes_narrow_the_possible_releases)
{
    struct dj_text text = {0};
    dj_text_add(&text, "** Graphics info for pid 1 [a] **\n50th percentile: 5ms\n"
                       "** Graphics info for pid 2 [b] **\n"
                       "** Graphics info for pid 3 [c] **\n");
    append_framestats(&text, &column_sets[5], 1);
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_str_eq(dump.dialect->name, "13");
    cr_assert_eq(dump.evidence.columns, 23);
    expect_words("23 columns, the lines of its statistics: 13, 14 or 15");
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(dump.processes[i].dialect, dump.dialect, "process %zu", i);
    }
    dj_text_finish(&text);
}

/* Dumps of two devices in one text without their first lines. */
Test(release, processes_that_disagree_have_different_releases)
{
    struct dj_text text = {0};
    dj_text_add(&text, "** Graphics info for pid 1 [a] **\n" OF_11);
    append_framestats(&text, &column_sets[3], 1);
    dj_text_add(&text, "** Graphics info for pid 2 [b] **\n" OF_12);
    append_framestats(&text, &column_sets[6], 1);
    dj_text_add(&text, "** Graphics info for pid 3 [c] **\n");
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_str_eq(dump.dialect->name, "11", "the first process with evidence");
    cr_assert_str_eq(dump.processes[0].dialect->name, "11");
    cr_assert_str_eq(dump.processes[1].dialect->name, "16");
    cr_assert_str_eq(dump.processes[2].dialect->name, "11", "its dump's");
    dj_text_finish(&text);
}

/* If no release with these columns prints these lines, for example lines of a vendor,
 * the columns decide. */
Test(release, columns_have_precedence_over_lines)
{
    struct dj_text text = {0};
    dj_text_add(&text, "** Graphics info for pid 1 [a] **\n" OF_12);
    append_framestats(&text, &column_sets[1], 1);
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_str_eq(dump.dialect->name, "6.0");
    cr_assert_eq(dump.evidence.hints, DJ_HINT_COLUMNS);
    dj_text_finish(&text);
}

Test(release, more_columns_than_known_give_the_newest_release)
{
    cr_assert_eq(parse("---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n0,1,2,\n"
                       "---PROFILEDATA---\n"),
                 0);
    cr_assert_null(dump.dialect);
    cr_assert_eq(dump.evidence.columns, 3);
    expect_words("");
}

Test(release, a_given_release_applies_to_all_processes)
{
    struct dj_text text = {0};
    const struct dj_dialect *known = dj_frame_dialect_find("14");
    dj_text_add(&text, "** Graphics info for pid 1 [a] **\n" OF_11
                       "** Graphics info for pid 2 [b] **\n" OF_12);
    cr_assert_eq(parse_text(&text), 0);
    dj_gfxinfo_release_set(&dump, known);
    cr_assert_eq(dump.dialect, known);
    cr_assert_not(dump.dialect_inferred);
    cr_assert_eq(dump.processes[0].dialect, known);
    cr_assert_eq(dump.processes[1].dialect, known);
    dj_text_finish(&text);
}

Test(release, no_evidence_gives_no_release)
{
    struct dj_dump empty = {.uptime_ms = -1, .realtime_ms = -1};
    dj_release_infer(&empty, 0);
    cr_assert_null(empty.dialect);
    cr_assert_not(empty.dialect_inferred);
    cr_assert_eq(empty.evidence.hints, 0);
    dj_gfxinfo_release_set(&empty, dj_frame_dialect_find("11"));
    cr_assert_str_eq(empty.dialect->name, "11");
    dj_gfxinfo_dump_finish(&empty);
}

static void expect_release_of(const char *fingerprint, const char *names)
{
    struct dj_text text = {0};
    uint32_t fitting = dj_release_of_fingerprint(fingerprint, strlen(fingerprint));
    for (size_t i = 0; dj_frame_dialect_at(i) != NULL; i++) {
        if ((fitting & (UINT32_C(1) << i)) != 0) {
            dj_text_format(&text, "%s ", dj_frame_dialect_at(i)->name);
        }
    }
    cr_expect_str_eq(dj_text_get(&text), names, "%s", fingerprint);
    dj_text_finish(&text);
}

Test(release, fingerprints_name_releases)
{
    expect_release_of(" 'google/sailfish/sailfish:10/QP1A.190711.020/5801335:user/x'",
                      "10 ");
    expect_release_of("a/b/c:8.1.0/OPM1/1:user/release-keys", "8 ");
    expect_release_of("a/b/c:7.1.2/N2G47Z/1:user/release-keys", "7.1 ");
    expect_release_of("a/b/c:7.0/NRD90M/1:user/release-keys", "7.0 ");
    expect_release_of("a/b/c:6.0.1/M4B30Z/1:user/release-keys", "6.0 ");
    expect_release_of("a/b/c:5.1.1/LMY49J/1:user/release-keys", "5 ");
    expect_release_of("a/b/c:12/SP1A/1:user/release-keys", "12 12L ");
    expect_release_of("a/b/c:1/X/1:user/release-keys", "");
    expect_release_of("a/b/c:100/X/1:user/release-keys", "");
    expect_release_of("a/b/c:/X/1", "");
    expect_release_of("a/b/c:10", "");
    expect_release_of("", "");
}

/* The fingerprint selects among the releases that print such a dump. It applies until
 * the end of the text. */
Test(release, the_fingerprint_decides_unless_contradicted)
{
    static const char rows[] = "---PROFILEDATA---\n"
                               "0,2,2,1,1,2,2,2,2,2,2,2,2,3,0,0,\n---PROFILEDATA---\n";
    struct dj_text text = {0};
    dj_text_format(&text, "Build fingerprint: 'a/b/c:9/X/1:user/y'\n%s%s", rows, rows);
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_str_eq(dump.dialect->name, "9");
    cr_assert_not(dump.dialect_inferred);
    dj_text_clear(&text);
    dj_text_format(&text, "Build fingerprint: 'a/b/c:13/X/1:user/y'\n%s", rows);
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_str_eq(dump.dialect->name, "7.1");
    cr_assert(dump.dialect_inferred);
    cr_assert_neq(dump.evidence.hints & DJ_HINT_CONTRADICTION, 0);
    dj_text_finish(&text);
}
