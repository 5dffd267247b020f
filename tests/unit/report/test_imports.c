#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/imports.h"
#include "support.h"

static struct dj_import_batches *batches;

static void setup(void)
{
    batches = calloc(1, sizeof(*batches));
    cr_assert_not_null(batches);
}

static void add_batch(char *package, const char *id, int64_t runs)
{
    struct dj_import_batch *batch = &batches->batch[batches->count++];
    batch->package = package;
    batch->runs = runs;
    snprintf(batch->id, sizeof(batch->id), "%s", id);
}

static void expect_runs(const char *store, const char *expected)
{
    struct dj_document document = {0};
    dj_report_build_imported_runs(&document, batches, store);
    expect_document(&document, 80, expected);
    free(batches);
}

TestSuite(imports, .init = setup);

Test(imports, one_batch_is_one_sentence)
{
    add_batch("com.x", "aaaa1111aaaa1111", 1);
    expect_runs(NULL, "Imported 1 run of com.x as batch aaaa1111aaaa1111\n\n"
                      "next:\n"
                      "  dejank show aaaa1111aaaa1111  its runs and their figures\n");
}

Test(imports, several_batches_are_a_table)
{
    add_batch("com.x", "aaaa1111aaaa1111", 2);
    add_batch("com.y", "bbbb1111bbbb1111", 10);
    expect_runs("a b.db",
                "Imported 12 runs as 2 batches\n\n"
                "batch             package  runs\n"
                "aaaa1111aaaa1111  com.x       2\n"
                "bbbb1111bbbb1111  com.y      10\n\n"
                "next:\n"
                "  dejank show aaaa1111aaaa1111 --store 'a b.db'  its runs and their "
                "figures\n");
}

Test(imports, an_empty_import_shows_nothing)
{
    expect_runs(NULL, "");
}

Test(imports, series_count_new_and_known_points)
{
    struct dj_text text = {0};
    struct dj_imported_series result = {.project = "com.x"};
    result.file.count = 2;
    result.stored.points = 1;
    dj_report_imported_series_text(&text, &result);
    result.stored.points = 3;
    result.stored.known_points = 4;
    dj_report_imported_series_text(&text, &result);
    cr_expect_str_eq(dj_text_get(&text),
                     "com.x: 1 new point in 2 series\n"
                     "com.x: 3 new points in 2 series, 4 points already in the store\n");
    dj_text_finish(&text);
}
