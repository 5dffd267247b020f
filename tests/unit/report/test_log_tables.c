#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/dump/log_tables.h"
#include "support.h"

static struct dj_document document;
static struct dj_log_tables tables;
static struct dj_dump dump;

static void finish(void)
{
    dj_document_finish(&document);
    dj_log_tables_finish(&tables);
    dj_gfxinfo_dump_finish(&dump);
}

TestSuite(log_tables, .fini = finish);

static void add_entry(const char *package, uint32_t frames, uint32_t janky)
{
    struct dj_graphicsstats *entry = dj_gfxinfo_dump_add_graphicsstats(&dump);
    cr_assert_not_null(entry);
    entry->package = package != NULL ? copy_string(package) : NULL;
    entry->version = 35;
    entry->start_ms = INT64_C(1743864382378);
    entry->stats.present = true;
    entry->stats.lines = UINT32_MAX;
    entry->stats.stats.counter[DJ_COUNTER_TOTAL] = frames;
    entry->stats.stats.counter[DJ_COUNTER_JANKY] = janky;
    entry->stats.printed_janky_pct = frames > 0 ? 100.0 * janky / frames : (double)NAN;
    entry->stats.printed_percentile_ms[3] = 40;
}

static void add_davey(size_t line, int64_t pid)
{
    struct dj_davey *davey = dj_gfxinfo_dump_add_davey(&dump);
    cr_assert_not_null(davey);
    davey->line = line;
    davey->pid = pid;
    davey->duration_ms = 800;
}

static const char *get_cell(const struct dj_block *block, size_t row, size_t column)
{
    const struct dj_table *table = &block->table;
    cr_assert_eq(block->kind, DJ_BLOCK_TABLE);
    return dj_text_get(&table->cells[row * table->column_count + column].text);
}

Test(log_tables, the_worst_package_is_the_verdict)
{
    add_entry("com.good", 100, 1);
    add_entry("com.bad", 100, 30);
    add_entry("com.few", 3, 3);
    dj_log_tables_read(&tables, &dump);
    dj_log_tables_add_verdict(&document, &tables, "a.txt");
    cr_assert_eq(document.block_count, 3);
    cr_expect_str_eq(document.blocks[0].text,
                     "JANKY: com.bad: 30 of 100 frames janky (30.00 %)");
    cr_expect_eq(document.blocks[0].tone, DJ_TONE_BAD);
    cr_expect_str_eq(document.blocks[1].text,
                     "This is the worst package. SMOOTH: at most 2 % of frames janky. "
                     "UNEVEN: at most 10 %. JANKY: more.");
    cr_expect_str_eq(document.blocks[2].text, "a.txt · graphicsstats of 3 packages");
}

/* Dumps arrive one by one, and the worst package of all is kept. */
Test(log_tables, a_later_dump_may_have_a_worse_package)
{
    add_entry("com.first", 100, 5);
    dj_log_tables_read(&tables, &dump);
    dj_gfxinfo_dump_finish(&dump);
    dump = (struct dj_dump){0};
    add_entry("com.second", 100, 6);
    dj_log_tables_read(&tables, &dump);
    cr_expect_str_eq(tables.worst.name, "com.second");
    cr_expect_eq(tables.package_count, 2);
}

Test(log_tables, packages_are_rows)
{
    add_entry("com.x", 200, 50);
    add_entry(NULL, 0, 0);
    dj_log_tables_read(&tables, &dump);
    dj_log_tables_add(&document, &tables);
    cr_assert_eq(document.block_count, 2);
    const struct dj_block *table = &document.blocks[1];
    static const char *const cells[] = {"2025-04-05", "200", "50", "25.00",   "0",
                                        "0",          "0",   "40", "com.x 35"};
    for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
        cr_expect_str_eq(get_cell(table, 0, i), cells[i]);
    }
    cr_expect_str_eq(get_cell(table, 1, 2), "", "without frames nothing is known");
    cr_expect_str_eq(get_cell(table, 1, 7), "");
    cr_expect_str_eq(get_cell(table, 1, 8), "(no package) 35");
}

Test(log_tables, long_frames_beyond_twenty_are_counted)
{
    for (size_t i = 0; i < 23; i++) {
        add_davey(i + 1, i == 0 ? -1 : 7);
    }
    dj_log_tables_read(&tables, &dump);
    dj_log_tables_add_verdict(&document, &tables, "a.txt");
    cr_expect_str_eq(document.blocks[0].text,
                     "NOT JUDGED: the log names 23 frames of 0.7 s or more");
    cr_expect_str_eq(document.blocks[2].text, "a.txt");
    dj_document_finish(&document);
    dj_log_tables_add(&document, &tables);
    cr_assert_eq(document.block_count, 3);
    cr_expect_eq(document.blocks[1].table.cell_count, 20 * 3);
    cr_expect_str_eq(get_cell(&document.blocks[1], 0, 2), "", "unknown pid");
    cr_expect_str_eq(get_cell(&document.blocks[1], 1, 1), "800");
    cr_expect_str_eq(document.blocks[2].text, "… and 3 more");
}

Test(log_tables, nothing_read_adds_nothing)
{
    dj_log_tables_read(&tables, &dump);
    dj_log_tables_add(&document, &tables);
    cr_expect_eq(document.block_count, 0);
}
