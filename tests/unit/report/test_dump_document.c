#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "report/dump/document.h"
#include "report/dump/verdict.h"
#include "support.h"

static struct dj_document document;

static void finish(void)
{
    dj_document_finish(&document);
}

TestSuite(dump_document, .fini = finish);

static const struct made_dump CALM = {
    .frames = 8, .freeze = SIZE_MAX, .process = "calm", .window = "calm/Main"};

/* Adds a process with a window of that many frames; 9 frames have a janky one. */
static void add_process(struct dj_dump *dump, const char *name, size_t frames)
{
    struct dj_dump_process *process = dj_gfxinfo_dump_add_process(dump);
    cr_assert_not_null(process);
    process->name = copy_string(name);
    process->pid = (int64_t)dump->process_count;
    process->interval_ns = INTERVAL_NS;
    process->stats.present = true;
    process->stats.lines = UINT32_MAX;
    add_window(process, &(struct made_dump){.frames = frames,
                                            .freeze = SIZE_MAX,
                                            .process = name,
                                            .window = name});
}

static void build(const struct dj_dump *dump, size_t worst, bool is_brief)
{
    const struct dj_parsed *parsed = compute_facts(dump);
    struct dj_views views = {0};
    dj_report_add_views(&views, parsed);
    document.is_brief = is_brief;
    dj_dump_add(&document, parsed, &views, worst);
    dj_report_finish_views(&views);
}

static size_t count_texts(enum dj_block_kind kind, const char *part)
{
    size_t count = 0;
    for (size_t i = 0; i < document.block_count; i++) {
        count += document.blocks[i].kind == kind &&
                 (document.blocks[i].text == NULL ||
                  strstr(document.blocks[i].text, part) != NULL);
    }
    return count;
}

static const char *get_text(size_t index)
{
    cr_assert_lt(index, document.block_count);
    return document.blocks[index].text;
}

Test(dump_document, one_process_starts_with_its_verdict)
{
    struct dj_dump dump = make_dump(&CALM);
    build(&dump, 0, true);
    cr_expect_eq(document.blocks[0].kind, DJ_BLOCK_VERDICT);
    cr_expect_eq(document.blocks[0].tone, DJ_TONE_MUTED);
    cr_expect_str_eq(get_text(0),
                     "TOO FEW FRAMES TO JUDGE: calm: 0 of 8 frames janky (0.00 %)");
    cr_expect_str_eq(get_text(1), "hwui's count and the rows of the dump agree.");
    cr_expect_str_eq(get_text(2), "A verdict needs at least 30 frames.");
    cr_expect_eq(strncmp(get_text(3), "pid 4242 · Android 11 · ", 25), 0);
    cr_expect_eq(count_texts(DJ_BLOCK_NOTE, "Window calm/Main."), 1);
    dj_gfxinfo_dump_finish(&dump);
}

Test(dump_document, several_processes_are_a_table_worst_first)
{
    struct dj_dump dump = make_dump(&CALM);
    add_process(&dump, "idle", 0);
    add_process(&dump, "janky", 90);
    build(&dump, 2, true);
    cr_expect_str_eq(get_text(0), "2 of 3 processes drew frames; the worst is JANKY: "
                                  "janky");
    cr_expect_eq(document.blocks[0].tone, DJ_TONE_BAD);
    cr_expect(strstr(get_text(1), "UNEVEN: at most 10 %") != NULL);
    const struct dj_table *table = &document.blocks[2].table;
    cr_assert_eq(document.blocks[2].kind, DJ_BLOCK_TABLE);
    cr_assert_eq(table->cell_count, 2 * table->column_count);
    cr_expect_str_eq(dj_text_get(&table->cells[0].text), "janky");
    cr_expect_str_eq(dj_text_get(&table->cells[3].text), "11.11");
    cr_expect_eq(table->cells[4].tone, DJ_TONE_BAD);
    cr_expect_str_eq(dj_text_get(&table->cells[table->column_count].text), "calm");
    cr_expect_str_eq(get_text(3), "No frames: idle.");
    cr_expect_eq(count_texts(DJ_BLOCK_VERDICT, ""), 2, "the dump's and the worst one's");
    cr_expect_eq(count_texts(DJ_BLOCK_DETAILS, "the other processes"), 1);
    cr_expect_eq(count_texts(DJ_BLOCK_PARAGRAPH, "UNEVEN: at most"), 1, "said once");
    dj_gfxinfo_dump_finish(&dump);
}

Test(dump_document, the_other_processes_are_details)
{
    struct dj_dump dump = make_dump(&CALM);
    add_process(&dump, "janky", 90);
    build(&dump, 1, false);
    cr_expect_eq(count_texts(DJ_BLOCK_DETAILS, "the other process"), 1);
    cr_expect_eq(count_texts(DJ_BLOCK_VERDICT, "calm: 0 of 8 frames"), 1);
    cr_expect_eq(count_texts(DJ_BLOCK_VERDICT, "JANKY: janky: 10 of 90 frames"), 1);
    dj_gfxinfo_dump_finish(&dump);
}

Test(dump_document, many_processes_without_frames_share_a_line)
{
    struct dj_dump dump = make_dump(&CALM);
    for (size_t i = 0; i < 40; i++) {
        char name[16];
        snprintf(name, sizeof(name), "idle%zu", i);
        add_process(&dump, name, 0);
    }
    build(&dump, 0, false);
    cr_expect_eq(
        count_texts(DJ_BLOCK_PARAGRAPH, "No frames: idle0, idle1, idle2 and 37 more."),
        1);
    cr_expect_eq(count_texts(DJ_BLOCK_DETAILS, "processes without frames"), 1);
    cr_expect_eq(count_texts(DJ_BLOCK_PARAGRAPH, ", idle38, idle39."), 1);
    dj_gfxinfo_dump_finish(&dump);
}

Test(dump_document, the_window_with_the_most_rows_is_shown)
{
    struct made_dump spec = CALM;
    struct dj_dump dump = make_dump(&spec);
    spec.window = "calm/Dialog";
    spec.frames = 60;
    add_window(&dump.processes[0], &spec);
    spec.window = "Toast";
    spec.frames = 0;
    add_window(&dump.processes[0], &spec);
    build(&dump, 0, true);
    cr_expect_eq(count_texts(DJ_BLOCK_HEADING, "Window calm/Dialog"), 1);
    cr_expect_eq(count_texts(DJ_BLOCK_HEADING, "Window calm/Main"), 0);
    cr_expect_eq(count_texts(DJ_BLOCK_DETAILS, "the other window"), 1);
    cr_expect_eq(count_texts(DJ_BLOCK_NOTE, "Window Toast drew no frames of its own."),
                 1);
    dj_document_finish(&document);
    build(&dump, 0, false);
    cr_expect_eq(count_texts(DJ_BLOCK_HEADING, "Window calm/Main"), 1);
    dj_gfxinfo_dump_finish(&dump);
}

/* A truncated dump may have sums of the process that no window shows. */
Test(dump_document, sums_that_no_window_shows_have_a_section)
{
    struct made_dump spec = CALM;
    struct dj_dump dump = make_dump(&spec);
    dump.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL] = 500;
    build(&dump, 0, true);
    cr_expect_eq(count_texts(DJ_BLOCK_HEADING, "Whole process"), 1);
    cr_expect_eq(count_texts(DJ_BLOCK_VERDICT, "SMOOTH: calm: 0 of 500 frames"), 1);
    dj_gfxinfo_dump_finish(&dump);
}

/* Notes that all windows share are written once. */
Test(dump_document, a_note_of_all_windows_is_shown_once)
{
    struct made_dump spec = CALM;
    struct dj_dump dump = make_dump(&spec);
    add_window(&dump.processes[0], &spec);
    dump.processes[0].ended = true;
    build(&dump, 0, false);
    cr_expect_eq(count_texts(DJ_BLOCK_NOTE, "The process has ended."), 1);
    dj_gfxinfo_dump_finish(&dump);
}

Test(dump_document, the_rule_of_the_guide_is_a_figure_and_the_rate_a_note)
{
    struct made_dump spec = CALM;
    spec.frames = 90;
    struct dj_dump dump = make_dump(&spec);
    build(&dump, 0, true);
    cr_expect_eq(count_texts(DJ_BLOCK_PARAGRAPH, "as printed: "), 1);
    cr_expect_eq(count_texts(DJ_BLOCK_NOTE,
                             "Frame rate without pauses: 60.0" DJ_NBSP "fps. 0 display "
                             "intervals had no new frame."),
                 1);
    dj_gfxinfo_dump_finish(&dump);
}

/* Its outcome is the verdict. */
Test(dump_document, a_dump_without_processes_says_why)
{
    struct dj_dump dump = {0};
    build(&dump, 0, false);
    cr_assert_eq(document.block_count, 1);
    cr_expect_eq(document.blocks[0].kind, DJ_BLOCK_VERDICT);
    cr_expect_eq(document.blocks[0].tone, DJ_TONE_WARNING);
    cr_expect_eq(strncmp(get_text(0), "NO FRAMES: dump.txt: no frame was drawn", 39), 0,
                 "%s", get_text(0));
}

Test(dump_document, grades_have_their_tones)
{
    cr_expect_eq(dj_verdict_get_tone(DJ_GRADE_JANKY), DJ_TONE_BAD);
    cr_expect_eq(dj_verdict_get_tone(DJ_GRADE_UNEVEN), DJ_TONE_WARNING);
    cr_expect_eq(dj_verdict_get_tone(DJ_GRADE_SMOOTH), DJ_TONE_GOOD);
    cr_expect_eq(dj_verdict_get_tone(DJ_GRADE_NO_FRAMES), DJ_TONE_MUTED);
}
