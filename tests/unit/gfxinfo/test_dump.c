/* Tests a dump as a tree: adding elements, and queries. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/buckets.h"
#include "gfxinfo/column_sets.h"
#include "gfxinfo/lines.h"
#include "support.h"

static struct dj_dump tree;

static void finish_tree(void)
{
    dj_gfxinfo_dump_finish(&tree);
}

TestSuite(dump, .fini = finish_tree);

Test(dump, every_array_grows_and_is_freed)
{
    for (size_t i = 0; i < 100; i++) {
        struct dj_dump_process *process = dj_gfxinfo_dump_add_process(&tree);
        cr_assert_not_null(process);
        cr_assert_eq(process->pid, -1);
        cr_assert_eq(process->recovered, -1);
        cr_assert_eq(process->expected, -1);
        cr_assert_null(process->name);
        process->pid = (int64_t)i;
        process->name = strdup("a");
        process->pipeline = strdup("b");
        process->disabled = strdup("c");
        process->cut_short = strdup("d");
        for (size_t k = 0; k < i % 9; k++) {
            struct dj_dump_window *window = dj_gfxinfo_dump_add_window(process);
            cr_assert_not_null(window);
            cr_assert_eq(window->visibility, -1);
            cr_assert_eq(window->frame_count, 0);
            window->title = strdup("w");
            window->stats_title = strdup("x");
            window->frames = calloc(3, sizeof(*window->frames));
            window->profile = calloc(3, sizeof(*window->profile));
            window->vendor = calloc(1, sizeof(*window->vendor));
            window->vendor[0].name = strdup("v");
            window->vendor_count = 1;
            window->vendor_values = calloc(3, sizeof(*window->vendor_values));
            struct dj_dump_section *section = dj_gfxinfo_dump_add_section(process);
            cr_assert_not_null(section);
            section->text = strdup("s");
        }
        struct dj_graphicsstats *entry = dj_gfxinfo_dump_add_graphicsstats(&tree);
        cr_assert_not_null(entry);
        cr_assert(entry->version == -1 && entry->uid == -1 && entry->start_ms == -1 &&
                  entry->end_ms == -1);
        entry->package = strdup("p");
        struct dj_davey *davey = dj_gfxinfo_dump_add_davey(&tree);
        cr_assert_not_null(davey);
        cr_assert_eq(davey->pid, -1);
        davey->duration_ms = (int64_t)i;
    }
    tree.not_found = strdup("n");
    cr_assert_eq(tree.process_count, 100);
    for (size_t i = 0; i < 100; i++) {
        cr_assert_eq(tree.processes[i].pid, (int64_t)i,
                     "growing the array keeps its elements");
        cr_assert_eq(tree.processes[i].window_count, i % 9);
        cr_assert_eq(tree.processes[i].section_count, i % 9);
        cr_assert_eq(tree.daveys[i].duration_ms, (int64_t)i);
    }
    dj_gfxinfo_dump_finish(&tree);
    cr_assert_eq(tree.process_count, 0);
    cr_assert_null(tree.processes);
    cr_assert_null(tree.not_found);
}

Test(dump, an_empty_dump_may_be_finished_twice)
{
    dj_gfxinfo_dump_finish(&tree);
    dj_gfxinfo_dump_finish(&tree);
}

/* Checks the order of columns (c) and vendor columns (v) in a row. */
static void expect_order(const size_t *positions, size_t vendors, size_t columns,
                         const char *want)
{
    struct dj_vendor_column vendor[8] = {{0}};
    struct dj_dump_window window = {.vendor = vendor, .vendor_count = vendors};
    char got[64] = "";
    size_t length = 0;
    window.columns.count = (uint8_t)columns;
    for (size_t i = 0; i < vendors; i++) {
        vendor[i].position = positions[i];
    }
    size_t seen_columns = 0;
    size_t seen_vendors = 0;
    while (seen_columns < columns || seen_vendors < vendors) {
        bool next = dj_gfxinfo_dump_vendor_next(&window, seen_columns, seen_vendors);
        cr_assert(next || seen_columns < columns);
        got[length++] = next ? 'v' : 'c';
        seen_vendors += next;
        seen_columns += !next;
    }
    cr_assert_str_eq(got, want);
    cr_assert_not(dj_gfxinfo_dump_vendor_next(&window, seen_columns, seen_vendors));
}

Test(dump, vendor_columns_keep_their_positions)
{
    expect_order(NULL, 0, 3, "ccc");
    expect_order((size_t[]){0}, 1, 3, "vccc");
    expect_order((size_t[]){1}, 1, 3, "cvcc");
    expect_order((size_t[]){3}, 1, 3, "cccv");
    expect_order((size_t[]){0, 1}, 2, 3, "vvccc");
    expect_order((size_t[]){0, 2}, 2, 3, "vcvcc");
    expect_order((size_t[]){1, 2, 5}, 3, 3, "cvvccv");
    expect_order((size_t[]){0, 1, 2}, 3, 0, "vvv");
    expect_order((size_t[]){60}, 1, 3, "cccv");
}

Test(dump, columns_that_were_not_recorded_are_not_required)
{
    struct dj_dump_process process = {.not_recorded =
                                          DJ_COLUMN_BIT(DJ_COLUMN_DRAW_START)};
    struct dj_dump_window window = {.has_frames = true};
    cr_assert_eq(dj_gfxinfo_dump_required_columns(&process, &window), 0);
    window.columns = (struct dj_column_list){
        {DJ_COLUMN_FLAGS, DJ_COLUMN_DRAW_START, DJ_COLUMN_FRAME_COMPLETED}, 3};
    cr_assert_eq(dj_gfxinfo_dump_required_columns(&process, &window),
                 DJ_COLUMN_BIT(DJ_COLUMN_FLAGS) |
                     DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED));
    process.not_recorded = 0;
    cr_assert_eq(
        __builtin_popcountll(dj_gfxinfo_dump_required_columns(&process, &window)), 3);
}

/* No prefix is the beginning of another one, so at most one prefix matches. */
Test(dump, no_line_prefix_begins_another)
{
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        const char *prefix = dj_gfxinfo_line_at(i)->prefix;
        cr_assert_eq(dj_lines_find(prefix, strlen(prefix)), i, "%s", prefix);
        cr_assert_eq(dj_lines_find(prefix, strlen(prefix) - 1), DJ_LINE_COUNT, "%s",
                     prefix);
        cr_assert_eq(prefix[strlen(prefix) - 1], ':');
        for (size_t k = 0; k < DJ_LINE_COUNT; k++) {
            cr_assert(k == i || strncmp(dj_gfxinfo_line_at(k)->prefix, prefix,
                                        strlen(prefix)) != 0,
                      "%s begins %s", prefix, dj_gfxinfo_line_at(k)->prefix);
        }
    }
    cr_assert_eq(dj_lines_find("", 0), DJ_LINE_COUNT);
    cr_assert_eq(dj_lines_find("HISTOGRAM", 9), DJ_LINE_COUNT);
    cr_assert_eq(dj_lines_find("xHISTOGRAM:", 11), DJ_LINE_COUNT);
}

Test(dump, each_kind_has_its_lines)
{
    uint32_t all = 0;
    for (int kind = DJ_LINE_SINCE; kind <= DJ_LINE_GPU_HISTOGRAM; kind++) {
        uint32_t lines = dj_gfxinfo_lines_of_kind((enum dj_line_kind)kind);
        cr_assert_neq(lines, 0);
        cr_assert_eq(all & lines, 0, "a line has two kinds");
        all |= lines;
    }
    cr_assert_eq(__builtin_popcount(all), DJ_LINE_COUNT);
}

/* The number of lines that each release prints. Source: JankTracker.cpp and
 * ProfileData.cpp of each release. */
Test(dump, each_release_prints_its_number_of_lines)
{
    static const struct {
        const char *release;
        int lines;
    } releases[] = {
        {"5", 0},    {"preview", 11}, {"6.0", 11}, {"7.0", 13}, {"7.1", 13},
        {"8", 13},   {"9", 14},       {"10", 14},  {"11", 19},  {"12", 21},
        {"12L", 21}, {"13", 21},      {"14", 21},  {"15", 21},  {"16", 21},
    };
    for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++) {
        const struct dj_dialect *dialect = dj_frame_dialect_find(releases[i].release);
        cr_assert_not_null(dialect, "%s", releases[i].release);
        cr_assert_eq(__builtin_popcount(dj_gfxinfo_lines_of_dialect(dialect)),
                     releases[i].lines, "%s: %d", releases[i].release,
                     __builtin_popcount(dj_gfxinfo_lines_of_dialect(dialect)));
    }
}

Test(dump, every_bucket_is_found_by_its_label)
{
    size_t found = 0;
    for (uint32_t label_ms = 0; label_ms < 6000; label_ms++) {
        size_t bucket;
        if (dj_buckets_find(false, label_ms, &bucket)) {
            cr_assert_eq(bucket, found, "the order is different");
            cr_assert_eq(dj_frame_bucket_label_ms(bucket), label_ms);
            found++;
        }
    }
    cr_assert_eq(found, 154);
    found = 0;
    for (uint32_t label_ms = 0; label_ms < 6000; label_ms++) {
        size_t bucket;
        if (dj_buckets_find(true, label_ms, &bucket)) {
            cr_assert_eq(bucket, found);
            cr_assert_eq(dj_frame_gpu_bucket_label_ms(bucket), label_ms);
            found++;
        }
    }
    cr_assert_eq(found, 26);
    size_t bucket;
    cr_assert_not(dj_buckets_find(false, UINT32_MAX, &bucket));
    cr_assert_not(dj_buckets_find(true, UINT32_MAX, &bucket));
}

/* Tests each number of columns. The names are repeated in the test. */
Test(dump, each_number_of_columns_has_one_set)
{
    for (size_t count = 0; count < 70; count++) {
        const struct dj_column_list *set = dj_column_sets_find(count);
        const struct columns *want = NULL;
        for (size_t i = 0; i < COLUMN_SETS; i++) {
            want = column_sets[i].count == count ? &column_sets[i] : want;
        }
        cr_assert_eq(set != NULL, want != NULL, "%zu columns", count);
        if (set == NULL) {
            continue;
        }
        const char *at = want->names;
        cr_assert_eq(set->count, count);
        for (size_t i = 0; i < count; i++) {
            const char *name = dj_frame_column_name((enum dj_column)set->column[i]);
            size_t length = strcspn(at, ",");
            /* Android 12 and 13 exchange two names. The set has the right ones. */
            bool swapped = (count == 22 || count == 23) && (i == 10 || i == 11);
            bool same = strlen(name) == length && memcmp(name, at, length) == 0;
            cr_assert_eq(same, !swapped, "%zu columns, column %zu is %s", count, i, name);
            at += length + 1;
        }
    }
}

Test(dump, windows_of_one_title_are_numbered)
{
    static const char *const titles[] = {"a", "b", NULL, "a", "a", NULL};
    static const size_t ordinals[] = {0, 0, 0, 1, 2, 1};
    struct dj_dump_process *process = dj_gfxinfo_dump_add_process(&tree);
    for (size_t i = 0; i < COUNT_OF(titles); i++) {
        struct dj_dump_window *window = dj_gfxinfo_dump_add_window(process);
        char **title = i % 2 == 0 ? &window->title : &window->stats_title;
        *title = titles[i] != NULL ? strdup(titles[i]) : NULL;
    }
    for (size_t i = 0; i < COUNT_OF(titles); i++) {
        cr_expect_eq(dj_gfxinfo_dump_window_ordinal(process, i), ordinals[i], "%zu", i);
    }
    cr_expect_str_eq(dj_gfxinfo_dump_window_title(&process->windows[3]), "a");
    cr_expect_str_eq(dj_gfxinfo_dump_window_title(&process->windows[2]), "");
}
