#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "report/document/render.h"
#include "report/dumps.h"
#include "report/escape/markdown.h"
#include "support.h"

static struct dj_text write_markdown(const struct dj_dump *dump)
{
    struct dj_text text = {0};
    struct dj_document document = {0};
    struct dj_views views = create_views(dump);
    dj_report_build_views(&document, &views);
    dj_document_write_markdown(&text, &document);
    dj_document_finish(&document);
    dj_report_finish_views(&views);
    return text;
}

static bool contains(const struct dj_text *text, const char *what)
{
    return strstr(dj_text_get(text), what) != NULL;
}

static void expect_code(const char *string, const char *expected)
{
    struct dj_text text = {0};
    dj_markdown_write_code(&text, string);
    cr_expect_str_eq(dj_text_get(&text), expected);
    dj_text_finish(&text);
}

Test(markdown, any_name_is_a_code_span)
{
    expect_code("com.example.app", "`com.example.app`");
    expect_code("a|b", "`a|b`");
    expect_code("a`b", "``a`b``");
    expect_code("`", "`` ` ``");
    expect_code("a``b`", "``` a``b` ```");
    expect_code("", "`  `");
    expect_code("two\nlines\033[2J", "`two\\x0Alines\\x1B[2J`");
}

Test(markdown, text_is_never_markup)
{
    struct dj_text text = {0};
    dj_markdown_escape(&text, "<b>_x_</b> *y* [z](u) #1 ~~w~~ a|b !$&`\\ Größe");
    cr_expect_str_eq(dj_text_get(&text),
                     "\\<b\\>\\_x\\_\\</b\\> \\*y\\* \\[z\\](u) \\#1 \\~\\~w\\~\\~ a\\|b "
                     "\\!\\$\\&\\`\\\\ Größe");
    dj_text_finish(&text);
}

Test(markdown, golden)
{
    struct dj_dump dump =
        make_dump(&(struct made_dump){.frames = 90,
                                      .freeze = 40,
                                      .process = "com.example.app",
                                      .window = "com.example.app/.Main"});
    dump.dialect_inferred = true;
    struct dj_text text = write_markdown(&dump);
    expect_golden("report.md", &text);
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

Test(markdown, golden_of_counters_alone)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 90, .freeze = 40, .process = "com.example.app", .window = "w"});
    dump.processes[0].windows[0].frame_count = 0;
    struct dj_text text = write_markdown(&dump);
    expect_golden("report-counters.md", &text);
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

Test(markdown, no_frames_say_so_and_show_no_figure)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 0, .freeze = SIZE_MAX, .process = "p", .window = "w"});
    struct dj_text text = write_markdown(&dump);
    cr_expect(contains(&text, "**NO FRAMES: no frame was drawn**"));
    cr_expect(contains(&text, "So the smoothness of the app is unknown."));
    cr_expect(!contains(&text, "%"));
    cr_expect(!contains(&text, "```"));
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

Test(markdown, worst_frames_come_slowest_first)
{
    struct dj_dump dump = make_dump(
        &(struct made_dump){.frames = 60, .freeze = 33, .process = "p", .window = "w"});
    struct dj_text text = write_markdown(&dump);
    const char *table = strstr(dj_text_get(&text), "| row | at, s | time, ms |");
    cr_assert_not_null(table);
    const char *row = strstr(table, "|---|\n");
    cr_assert_not_null(row);
    cr_expect_eq(strncmp(row, "|---|\n| 34 | 0.550 | 401.30 ", 27), 0, "%.60s", row);
    size_t rows = 0;
    for (row = strchr(row, '\n'); row != NULL && row[1] == '|'; rows++) {
        row = strchr(row + 1, '\n');
    }
    cr_expect_eq(rows, 5);
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

Test(markdown, a_view_of_each_window_has_its_own_head)
{
    struct made_dump spec = {
        .frames = 3, .freeze = SIZE_MAX, .process = "p*q", .window = "first|one"};
    struct dj_dump dump = make_dump(&spec);
    spec.window = "second";
    add_window(&dump.processes[0], &spec);
    struct dj_text text = write_markdown(&dump);
    cr_expect(contains(&text, "## p\\*q — first\\|one\n"));
    cr_expect(contains(&text, "## p\\*q — second\n"));
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}
