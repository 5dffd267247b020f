#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "report/dumps.h"
#include "report/view/document.h"
#include "support.h"

static struct dj_document document;

static void finish(void)
{
    dj_document_finish(&document);
}

TestSuite(view_document, .fini = finish);

static struct dj_dump create_dump(size_t frames)
{
    return make_dump(&(struct made_dump){
        .frames = frames, .freeze = SIZE_MAX, .process = "p", .window = "w"});
}

static void build(const struct dj_dump *dump)
{
    struct dj_views views = create_views(dump);
    dj_view_add_figures(&document, &views.view[0], true);
    dj_report_finish_views(&views);
}

static const struct dj_block *find_block(enum dj_block_kind kind, const char *start)
{
    for (size_t i = 0; i < document.block_count; i++) {
        const struct dj_block *block = &document.blocks[i];
        if (block->kind == kind &&
            (start == NULL || strncmp(block->text, start, strlen(start)) == 0)) {
            return block;
        }
    }
    return NULL;
}

static size_t count_blocks(enum dj_block_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < document.block_count; i++) {
        count += document.blocks[i].kind == kind;
    }
    return count;
}

static const char *get_cell(const struct dj_block *block, size_t row, size_t column)
{
    const struct dj_table *table = &block->table;
    cr_assert_lt(row * table->column_count + column, table->cell_count);
    return dj_text_get(&table->cells[row * table->column_count + column].text);
}

Test(view_document, six_figures_come_first)
{
    static const char *const names[] = {"Total frames rendered", "Janky frames",
                                        "50th percentile",       "90th percentile",
                                        "95th percentile",       "99th percentile"};
    struct dj_dump dump = create_dump(90);
    build(&dump);
    const struct dj_block *table = &document.blocks[0];
    cr_assert_eq(table->kind, DJ_BLOCK_TABLE);
    cr_assert_eq(table->table.column_count, 4);
    cr_assert_eq(table->table.cell_count, 6 * 4);
    cr_expect_str_eq(table->table.columns[1].label, "as printed");
    for (size_t i = 0; i < 6; i++) {
        cr_expect_str_eq(get_cell(table, i, 0), names[i]);
    }
    cr_expect_str_eq(get_cell(table, 1, 2), "10 (11.11%)");
    cr_expect_str_eq(get_cell(table, 2, 3), "9.10 ms");
    dj_gfxinfo_dump_finish(&dump);
}

Test(view_document, counters_alone_have_one_column)
{
    struct dj_dump dump = create_dump(90);
    dump.processes[0].windows[0].frame_count = 0;
    build(&dump);
    cr_expect_eq(document.blocks[0].table.column_count, 2);
    cr_expect_eq(count_blocks(DJ_BLOCK_CHART), 1, "hwui's histogram");
    cr_expect_null(find_block(DJ_BLOCK_HEADING, NULL), "no rows, no findings");
    cr_expect_null(find_block(DJ_BLOCK_DETAILS, "longest frames"));
    dj_gfxinfo_dump_finish(&dump);
}

/* Zero figures share a line. */
Test(view_document, other_figures_are_details_without_zeros)
{
    struct dj_dump dump = create_dump(90);
    build(&dump);
    const struct dj_block *details = find_block(DJ_BLOCK_DETAILS, "other figures");
    cr_assert_not_null(details);
    cr_expect(details->folded);
    const struct dj_block *table = details + 1;
    cr_assert_eq(table->kind, DJ_BLOCK_TABLE);
    for (size_t i = 0; i < table->table.cell_count / table->table.column_count; i++) {
        cr_expect_str_neq(get_cell(table, i, 0), "Number Missed Vsync");
        cr_expect_str_neq(get_cell(table, i, 0), "Total frames rendered");
    }
    const struct dj_block *zeros = find_block(DJ_BLOCK_PARAGRAPH, "Zero: ");
    cr_assert_not_null(zeros);
    cr_expect(strstr(zeros->text, "Number Missed Vsync") != NULL);
    dj_gfxinfo_dump_finish(&dump);
}

Test(view_document, high_input_latency_is_explained_where_it_is_printed)
{
    static const char start[] = "High input latency does not make a frame janky.";
    struct dj_dump dump = create_dump(90);
    build(&dump);
    cr_expect_not_null(find_block(DJ_BLOCK_PARAGRAPH, start));
    dj_document_finish(&document);
    dump.processes[0].windows[0].stats.stats.counter[DJ_COUNTER_HIGH_INPUT_LATENCY] = 0;
    dump.processes[0].windows[0].frame_count = 0;
    build(&dump);
    cr_expect_null(find_block(DJ_BLOCK_PARAGRAPH, start));
    dj_gfxinfo_dump_finish(&dump);
}

Test(view_document, stages_have_their_spread)
{
    struct dj_dump dump = create_dump(40);
    build(&dump);
    const struct dj_block *table = NULL;
    for (size_t i = 0; i < document.block_count && table == NULL; i++) {
        const struct dj_block *block = &document.blocks[i];
        bool is_stages = block->kind == DJ_BLOCK_TABLE &&
                         strcmp(block->table.columns[0].label, "stage") == 0;
        table = is_stages ? block : NULL;
    }
    cr_assert_not_null(table);
    cr_expect_str_eq(get_cell(table, 4, 0), "Draw");
    cr_expect_str_eq(get_cell(table, 4, 1), "2.95", "the median");
    cr_expect_str_eq(get_cell(table, 4, 5), "3.90", "the largest");
    dj_gfxinfo_dump_finish(&dump);
}

/* Less severe findings have their advice in the details. */
Test(view_document, findings_are_notes_and_the_rest_is_fine_or_unknown)
{
    struct dj_dump dump = create_dump(90);
    build(&dump);
    cr_assert_not_null(find_block(DJ_BLOCK_HEADING, "Findings, most severe first"));
    cr_expect_gt(count_blocks(DJ_BLOCK_NOTE), 0);
    cr_expect_not_null(find_block(DJ_BLOCK_PARAGRAPH, "Checked and fine: "));
    cr_expect_not_null(find_block(DJ_BLOCK_PARAGRAPH, "Could not check: "));
    const struct dj_block *details =
        find_block(DJ_BLOCK_DETAILS, "how findings are measured");
    cr_assert_not_null(details);
    cr_assert_eq(details[1].kind, DJ_BLOCK_TABLE);
    cr_expect_eq(details[1].table.cell_count / details[1].table.column_count,
                 count_blocks(DJ_BLOCK_NOTE));
    for (size_t i = 0; i < count_blocks(DJ_BLOCK_NOTE); i++) {
        cr_expect_gt(strlen(get_cell(&details[1], i, 3)), 20, "advice");
        cr_expect(strstr(get_cell(&details[1], i, 2), "→") != NULL, "what is measured");
    }
    dj_gfxinfo_dump_finish(&dump);
}

Test(view_document, the_longest_frames_are_a_table)
{
    struct dj_dump dump = create_dump(90);
    build(&dump);
    const struct dj_block *details = find_block(DJ_BLOCK_DETAILS, "longest frames");
    cr_assert_not_null(details);
    cr_expect_eq(details[1].table.cell_count / details[1].table.column_count, 5);
    cr_expect_str_eq(get_cell(&details[1], 0, 5), "janky");
    cr_expect_str_eq(get_cell(&details[1], 0, 4), "Layout 20.50" DJ_NBSP "ms");
    cr_expect_eq(details[2].kind, DJ_BLOCK_CHART, "the worst frames");
    dj_gfxinfo_dump_finish(&dump);
}

/* A brief document names the same details, and does not build them. */
Test(view_document, a_brief_document_only_names_its_details)
{
    struct dj_dump dump = create_dump(90);
    dump.processes[0].windows[0].stats.stats.counter[DJ_COUNTER_TOTAL] = 900;
    build(&dump);
    struct dj_document complete = document;
    document = (struct dj_document){.is_brief = true};
    build(&dump);
    cr_expect_eq(count_blocks(DJ_BLOCK_CHART), 1);
    for (size_t i = 0; i < complete.block_count; i++) {
        if (complete.blocks[i].kind == DJ_BLOCK_DETAILS) {
            const struct dj_block *block =
                find_block(DJ_BLOCK_DETAILS, complete.blocks[i].text);
            cr_assert_not_null(block, "%s", complete.blocks[i].text);
            cr_expect_eq(block[1].kind, DJ_BLOCK_END);
        }
    }
    dj_document_finish(&complete);
    dj_gfxinfo_dump_finish(&dump);
}

Test(view_document, a_picture_has_three_findings_and_all_charts)
{
    struct dj_dump dump = make_dump(
        &(struct made_dump){.frames = 90, .freeze = 3, .process = "p", .window = "w"});
    dump.processes[0].windows[0].stats.stats.counter[DJ_COUNTER_TOTAL] = 900;
    struct dj_views views = create_views(&dump);
    dj_report_build_picture(&document, &views);
    cr_expect_eq(document.blocks[0].kind, DJ_BLOCK_HEADING);
    cr_expect_str_eq(document.blocks[0].text, "p — w");
    cr_expect_eq(document.blocks[1].kind, DJ_BLOCK_VERDICT);
    cr_expect_eq(document.blocks[1].tone, DJ_TONE_BAD);
    cr_expect_eq(count_blocks(DJ_BLOCK_DETAILS), 0);
    cr_expect_eq(count_blocks(DJ_BLOCK_TABLE), 1);
    cr_expect_eq(count_blocks(DJ_BLOCK_CHART), 4);
    cr_expect_not_null(find_block(DJ_BLOCK_HEADING, "About this data"));
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(view_document, notes_have_a_heading_if_there_are_any)
{
    struct dj_dump dump = create_dump(10);
    struct dj_views views = create_views(&dump);
    dj_view_add_notes(&document, &views.view[0]);
    cr_expect_eq(document.block_count, 0);
    dj_report_finish_views(&views);
    dump.processes[0].ended = true;
    views = create_views(&dump);
    dj_view_add_notes(&document, &views.view[0]);
    cr_assert_eq(document.block_count, 2);
    cr_expect_str_eq(document.blocks[0].text, "About this data");
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

/* On Android 4.x a dump may contain nothing else. */
Test(view_document, a_simple_dump_alone_is_the_main_chart)
{
    struct dj_dump dump = create_dump(0);
    struct dj_dump_window *window = &dump.processes[0].windows[0];
    window->has_profile = true;
    window->profile = calloc(1, sizeof(*window->profile));
    cr_assert_not_null(window->profile);
    window->profile_count = 1;
    window->profile[0] = (struct dj_profile_row){1, -1, 3, 4};
    document.is_brief = true;
    build(&dump);
    cr_assert_eq(document.block_count, 1);
    cr_expect_eq(document.blocks[0].kind, DJ_BLOCK_CHART);
    dj_gfxinfo_dump_finish(&dump);
}

Test(view_document, windows_without_frames_share_a_line_of_a_report)
{
    struct dj_dump dump = create_dump(40);
    for (size_t i = 0; i < 3; i++) {
        add_window(&dump.processes[0], &(struct made_dump){.frames = 0,
                                                           .freeze = SIZE_MAX,
                                                           .process = "p",
                                                           .window = "empty"});
    }
    struct dj_views views = create_views(&dump);
    dj_report_build_views(&document, &views);
    cr_expect_not_null(
        find_block(DJ_BLOCK_PARAGRAPH, "3 of 4 windows and processes have no frames."));
    const struct dj_block *details =
        find_block(DJ_BLOCK_DETAILS, "windows without frames");
    cr_assert_not_null(details);
    cr_expect_str_eq(details[1].text, "p — empty");
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}
