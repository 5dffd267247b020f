#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "memory/memory.h"
#include "report/document/render.h"

struct record {
    const char *name;
    double ms;
};

static void get_name(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", ((const struct record *)record)->name);
}

static void get_ms(struct dj_cell *cell, const void *record)
{
    dj_cell_set_number(cell, ((const struct record *)record)->ms, 2);
}

static void get_remark(struct dj_cell *cell, const void *record)
{
    cell->tone = DJ_TONE_BAD;
    dj_cell_format(cell, "about %s, in words that need several lines",
                   ((const struct record *)record)->name);
}

static const struct dj_table_column columns[] = {
    {"stage", NULL, false, get_name},
    {"time", "ms", true, get_ms},
    {"remark", NULL, false, get_remark},
};

static void add_words(struct dj_document *document,
                      void (*add)(struct dj_document *, struct dj_text *),
                      const char *string)
{
    struct dj_text words = {0};
    dj_text_add(&words, string);
    add(document, &words);
}

static struct dj_document document;
static struct dj_text text;

static void build(void)
{
    struct dj_text words = {0};
    dj_document_set_title(&document, "A <title>");
    dj_text_add(&words, "JANKY: 3 of 10 frames");
    dj_document_add_verdict(&document, DJ_TONE_BAD, &words);
    dj_text_add(&words, "com.example");
    dj_document_add_field(&document, "app", &words);
    dj_document_add_field(&document, "unknown", &words);
    dj_document_begin_table(&document, columns, COUNT_OF(columns));
    dj_document_add_row(&document, &(struct record){"Draw", 1.5});
    dj_document_add_row(&document, &(struct record){"Sync", NAN});
    dj_text_add(&words, "a\033[2Jnote");
    dj_document_add_note(&document, DJ_TONE_WARNING, &words);
    dj_document_begin_details(&document, "other figures", true);
    add_words(&document, dj_document_add_paragraph, "hidden words");
    dj_document_end_details(&document);
    dj_document_begin_details(&document, "nothing", true);
    dj_document_end_details(&document);
    dj_document_add_command(&document, "dejank parse FILE", "reads FILE");
}

static void finish(void)
{
    dj_document_finish(&document);
    dj_text_finish(&text);
}

TestSuite(document, .init = build, .fini = finish);

static bool shows(const char *what)
{
    return strstr(dj_xtext(&text), what) != NULL;
}

static void write_terminal(int width, bool unicode, bool with_details)
{
    const struct dj_terminal_style style = {.width = width, .unicode = unicode};
    dj_text_clear(&text);
    dj_document_write_terminal(&text, &document, &style, with_details);
}

Test(document, the_terminal_starts_with_the_verdict_and_ends_with_commands)
{
    write_terminal(80, true, false);
    cr_expect_str_eq(dj_xtext(&text),
                     "JANKY: 3 of 10 frames\n"
                     "\n"
                     "app  com.example\n"
                     "\n"
                     "stage  time, ms  remark\n"
                     "Draw       1.50  about Draw, in words that need several lines\n"
                     "Sync          –  about Sync, in words that need several lines\n"
                     "\n"
                     "• a\\x1b[2Jnote\n"
                     "\n"
                     "Not shown: other figures (--all shows everything).\n"
                     "\n"
                     "next:\n"
                     "  dejank parse FILE  reads FILE\n");
}

Test(document, the_last_column_wraps_before_the_table_becomes_records)
{
    write_terminal(45, true, false);
    cr_expect(shows("Draw       1.50  about Draw, in words that\n"
                    "                 need several lines\n"));
    write_terminal(30, false, false);
    cr_expect(shows("Draw\n  time 1.50 ms, remark about\n"));
    cr_expect(shows("Sync\n  remark about Sync"));
}

Test(document, no_line_is_wider_than_the_terminal)
{
    for (int width = 20; width <= 100; width += 5) {
        write_terminal(width, false, true);
        for (const char *line = dj_xtext(&text); *line != '\0';) {
            size_t length = strcspn(line, "\n");
            bool is_command = strstr(line, "dejank parse") == line + 2;
            cr_expect(length <= (size_t)width || is_command, "%d: %.*s", width,
                      (int)length, line);
            line += length + 1;
        }
    }
}

Test(document, details_are_shown_on_request)
{
    write_terminal(80, true, true);
    cr_expect(shows("other figures\nhidden words\n"));
    cr_expect_not(shows("Not shown"));
    cr_expect_not(shows("nothing"));
}

Test(document, markdown_escapes_and_folds)
{
    dj_document_write_markdown(&text, &document);
    cr_expect(shows("**JANKY: 3 of 10 frames**\n"));
    cr_expect(shows("| stage | time, ms | remark |\n|---|--:|---|\n| Draw | 1.50 |"));
    cr_expect(shows("<details><summary>other figures</summary>\n\nhidden words\n"));
    cr_expect(shows("* `dejank parse FILE`: reads FILE\n"));
}

Test(document, the_page_escapes_everything)
{
    dj_document_write_page(&text, &document);
    cr_expect(shows("<h1>A &lt;title&gt;</h1>"));
    cr_expect(shows("<p class=\"verdict bad\">JANKY: 3 of 10 frames</p>"));
    cr_expect(shows("<td class=\"plain number\" data-label=\"time, ms\">1.50</td>"));
    cr_expect(shows("<dt>app</dt><dd>com.example</dd>"));
    cr_expect(shows("<li class=\"warning\">a\\x1b[2Jnote</li>"));
}

/* ---- charts ---- */

static struct dj_chart *create_chart(void)
{
    struct dj_chart *chart = dj_chart_create("Frame times");
    dj_chart_set_x(chart, "frame time", "ms");
    dj_chart_set_y(chart, "frames", "", true);
    dj_chart_add_series(chart, "frames", DJ_MARK_BAR, DJ_ROLE_GOOD);
    dj_chart_add_bar(chart, 0, 10, 4, NULL);
    dj_chart_add_bar(chart, 10, 20, 2, NULL);
    dj_chart_add_bar(chart, 20, NAN, 1, "late");
    dj_chart_add_point(chart, NAN, 1, NULL);
    dj_chart_add_threshold(chart, true, 16.67, DJ_ROLE_DEADLINE, "deadline");
    return chart;
}

Test(document, bars_are_lines_with_the_deadline_between_them)
{
    dj_document_finish(&document);
    dj_document_add_chart(&document, create_chart());
    write_terminal(40, false, false);
    cr_expect_str_eq(dj_xtext(&text), "Frame times\n"
                                      "         0-10      4  ##################\n"
                                      "        10-20      2  #########\n"
                                      "-- deadline ----------------------------\n"
                                      "          20-      1  #####\n");
}

Test(document, stacks_are_columns_of_letters_up_to_their_sum)
{
    struct dj_chart *chart = dj_chart_create("Stages");
    dj_chart_set_x(chart, "frame", "");
    dj_chart_set_y(chart, "time", "ms", true);
    dj_chart_add_series(chart, "Layout", DJ_MARK_STACK, DJ_ROLE_STAGE);
    dj_chart_set_letter(chart, 'L');
    dj_chart_add_point(chart, 1, 8, NULL);
    dj_chart_add_point(chart, 2, 4, NULL);
    dj_chart_add_series(chart, "Draw", DJ_MARK_STACK, DJ_ROLE_STAGE + 1);
    dj_chart_set_letter(chart, 'D');
    dj_chart_add_point(chart, 2, 12, NULL);
    dj_chart_add_threshold(chart, false, 16, DJ_ROLE_DEADLINE, "deadline");
    dj_document_finish(&document);
    dj_document_add_chart(&document, chart);
    write_terminal(40, false, false);
    cr_expect(shows("\n 16.00___\n        D\n"), "%s", dj_xtext(&text));
    cr_expect(shows("       LD\n       LD\n  0.00 LL\nL Layout  D Draw\n"), "%s",
              dj_xtext(&text));
    cr_expect_eq(dj_chart_find_base(document.blocks[0].chart, 1, 2), 4);
}

Test(document, points_are_marked_on_a_grid_with_their_interval)
{
    struct dj_chart *chart = dj_chart_create("Runs");
    dj_chart_set_x(chart, "run", "");
    dj_chart_set_y(chart, "p95", "ms", false);
    dj_chart_add_series(chart, "A", DJ_MARK_INTERVAL, DJ_ROLE_FIRST);
    dj_chart_add_interval(chart, 1, 10, 9, 11, NULL);
    dj_chart_add_interval(chart, 2, 20, 19, 21, NULL);
    dj_chart_add_series(chart, "B", DJ_MARK_POINT, DJ_ROLE_SECOND);
    dj_chart_add_point(chart, 1.5, 15, NULL);
    dj_document_finish(&document);
    dj_document_add_chart(&document, chart);
    write_terminal(40, false, false);
    cr_expect(shows("Runs\np95, ms; o A; x B\n"));
    cr_expect(shows("\n  21.72 |"));
    cr_expect(shows("|               x\n"));
    cr_expect(shows("         1                             2\n"));
}

Test(document, a_chart_without_points_disappears)
{
    dj_document_finish(&document);
    dj_document_add_chart(&document, dj_chart_create("Nothing"));
    cr_expect_eq(document.block_count, 0);
}

Test(document, the_script_gets_every_number_of_a_chart)
{
    struct dj_chart *chart = create_chart();
    dj_chart_write_json(&text, NULL, chart);
    cr_expect(shows("\"series\":[{\"name\":\"frames\",\"mark\":\"bar\",\"role\":\"good\","
                    "\"points\":[[0,4,10,null,null,null],"));
    cr_expect(shows("[20,1,null,null,null,\"late\"]]"));
    cr_expect(shows("\"thresholds\":[{\"at\":16.67,\"vertical\":true,"));
    dj_chart_free(chart);
}

Test(document, pictures_contain_title_and_verdict)
{
    struct dj_error err = {0};
    dj_document_add_chart(&document, create_chart());
    cr_assert_eq(dj_document_write_svg(&text, &document, &err), 0, "%s", err.message);
    cr_expect(shows("<title>A &lt;title&gt;\nJANKY: 3 of 10 frames</title>"));
    dj_text_clear(&text);
    cr_assert_eq(dj_document_write_png(&text, &document, &err), 0, "%s", err.message);
    cr_expect(text.length > 1000 && memcmp(text.data, "\x89PNG", 4) == 0);
}

Test(document, the_suffix_of_a_file_chooses_the_format)
{
    cr_expect_not_null(dj_document_find_format("a.md"));
    cr_expect_not_null(dj_document_find_format("a.HTML"));
    cr_expect_null(dj_document_find_format("a.pdf"));
}

Test(document, a_page_in_parts_equals_the_whole_page)
{
    struct dj_text whole = {0};
    struct dj_text after = {0};
    const struct dj_document_format *format = dj_document_find_format("x.html");
    cr_expect(dj_document_has_parts(format));
    cr_expect(!dj_document_has_parts(dj_document_find_format("x.svg")));
    cr_assert_eq(dj_document_write(&whole, &document, format, NULL), 0);
    dj_text_clear(&text);
    dj_document_write_frame(&text, &after, &document, format);
    dj_document_write_part(&text, &document, format);
    dj_text_add(&text, dj_xtext(&after));
    cr_expect_str_eq(dj_xtext(&text), dj_xtext(&whole));
    dj_text_finish(&whole);
    dj_text_finish(&after);
}

Test(document, append_moves_blocks_and_drops_empty_tables)
{
    static const struct dj_table_column names[] = {{"name", NULL, false, NULL}};
    struct dj_document first = {0}, second = {0};
    struct dj_text words = {0};
    dj_document_begin_table(&first, names, 1);
    dj_text_add(&words, "moved");
    dj_document_add_paragraph(&second, &words);
    dj_document_begin_table(&second, names, 1);
    dj_document_append(&first, &second);
    cr_assert_eq(first.block_count, 1);
    cr_expect_str_eq(first.blocks[0].text, "moved");
    cr_expect_eq(second.block_count, 0);
    cr_expect_null(second.blocks);
    dj_document_append(&first, &second);
    cr_expect_eq(first.block_count, 1);
    dj_document_finish(&first);
}

static void add_paragraph(struct dj_document *to, const char *string)
{
    add_words(to, dj_document_add_paragraph, string);
}

Test(document, blocks_are_inserted_before_the_first_details)
{
    struct dj_document first = {0}, second = {0};
    add_paragraph(&first, "answer");
    dj_document_begin_details(&first, "more", true);
    add_paragraph(&first, "detail");
    dj_document_end_details(&first);
    add_paragraph(&second, "inserted");
    dj_document_insert_before_details(&first, &second);
    cr_assert_eq(first.block_count, 5);
    cr_expect_str_eq(first.blocks[0].text, "answer");
    cr_expect_str_eq(first.blocks[1].text, "inserted");
    cr_expect_eq(first.blocks[2].kind, DJ_BLOCK_DETAILS);
    cr_expect_str_eq(first.blocks[3].text, "detail");
    cr_expect_null(second.blocks);
    add_paragraph(&second, "only");
    dj_document_finish(&first);
    dj_document_insert_before_details(&first, &second);
    cr_assert_eq(first.block_count, 1);
    cr_expect_str_eq(first.blocks[0].text, "only");
    dj_document_finish(&first);
}

Test(document, commands_are_removed_and_other_blocks_stay)
{
    struct dj_document made = {0};
    dj_document_add_command(&made, "dejank list", "all batches");
    add_paragraph(&made, "stays");
    dj_document_add_command(&made, "dejank show x", "one batch");
    dj_document_remove_commands(&made);
    cr_assert_eq(made.block_count, 1);
    cr_expect_str_eq(made.blocks[0].text, "stays");
    dj_document_finish(&made);
}

Test(document, a_sparkline_reaches_from_the_least_to_the_greatest_value)
{
    struct dj_cell cell = {.tone = DJ_TONE_PLAIN};
    dj_cell_set_sparkline(&cell, (const double[]){10, 20, 15, 10}, 4);
    cr_expect_str_eq(dj_xtext(&cell.text), "▁█▅▁");
    dj_text_clear(&cell.text);
    dj_cell_set_sparkline(&cell, (const double[]){7, 7}, 2);
    cr_expect_str_eq(dj_xtext(&cell.text), "▁▁");
    dj_text_finish(&cell.text);
}

Test(document, a_form_offers_choices_and_keeps_a_value_that_is_none_of_them)
{
    struct dj_document made = {0};
    struct dj_text html = {0};
    struct dj_web_field fields[] = {
        {.name = "a",
         .label = "A",
         .value = "x1",
         .choices = "\tchoose\nx1\tBuild <1>\nx2\n"},
        {.name = "b", .label = "B", .value = "gone", .choices = "\nx2\n"},
        {.name = "csrf", .value = "secret"},
        {.name = "why", .label = "reason"},
        {.name = "build",
         .label = "build",
         .value = "old",
         .choices = "1.8\n",
         .kind = DJ_FIELD_ANY},
        {.name = "c",
         .label = "C",
         .value = "x2\ngone\n",
         .choices = "x1\tOne\nx2\tTwo\nx22\tThree\n",
         .kind = DJ_FIELD_SEVERAL},
    };
    dj_document_add_form(&made, &(struct dj_web_form){.action = "/compare",
                                                      .submit = "Compare",
                                                      .fields = fields,
                                                      .field_count = COUNT_OF(fields)});
    dj_document_write_html(&html, &made);
    static const char *const expected[] = {
        "<option value=\"\">choose</option>",
        "<option value=\"x1\" selected>Build &lt;1&gt;</option>",
        "<option value=\"x2\">x2</option>",
        "<option value=\"\">any</option>",
        "<option selected value=\"gone\">gone</option>",
        "<input type=\"hidden\" name=\"csrf\" value=\"secret\">",
        "<input name=\"why\" value=\"\">",
        "<input name=\"build\" list=\"choices-build\" value=\"old\">",
        "<datalist id=\"choices-build\"><option value=\"1.8\">1.8</option>",
        "<input type=\"checkbox\" name=\"c\" value=\"gone\" checked><span>gone</span>",
        "<input type=\"checkbox\" name=\"c\" value=\"x1\"><span>One</span>",
        "<input type=\"checkbox\" name=\"c\" value=\"x2\" checked><span>Two</span>",
        "<input type=\"checkbox\" name=\"c\" value=\"x22\"><span>Three</span>",
    };
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        cr_expect_not_null(strstr(dj_xtext(&html), expected[i]), "%s", expected[i]);
    }
    dj_text_finish(&html);
    dj_document_finish(&made);
}

static void get_label(struct dj_cell *cell, const void *record)
{
    get_name(cell, record);
    cell->is_label = true;
    cell->tone = DJ_TONE_BAD;
}

Test(document, a_label_is_a_label_only_on_a_page)
{
    static const struct dj_table_column labels[] = {{"state", NULL, false, get_label}};
    struct dj_document made = {0};
    struct dj_text written = {0};
    dj_document_begin_table(&made, labels, 1);
    dj_document_add_row(&made, &(struct record){"<worse>", 0});
    dj_document_write_html(&written, &made);
    cr_expect_not_null(
        strstr(dj_xtext(&written), "<span class=\"label bad\">&lt;worse&gt;</span>"));
    dj_text_clear(&written);
    dj_document_write_markdown(&written, &made);
    cr_expect_null(strstr(dj_xtext(&written), "span"));
    dj_text_finish(&written);
    dj_document_finish(&made);
}

Test(document, the_script_gets_the_page_about_a_point)
{
    struct dj_chart *chart = dj_chart_create("c");
    struct dj_text json = {0};
    dj_chart_add_series(chart, "s", DJ_MARK_POINT, DJ_ROLE_FIRST);
    dj_chart_add_point(chart, 1, 2, "one");
    dj_chart_add_point(chart, 2, 3, "two");
    dj_chart_set_target(&chart->series[0].points[1], "/batches/wrong");
    dj_chart_set_target(&chart->series[0].points[1], "/batches/x");
    dj_chart_write_json(&json, NULL, chart);
    cr_expect_not_null(strstr(dj_xtext(&json), "\"one\"]"));
    cr_expect_not_null(strstr(dj_xtext(&json), "\"two\",\"/batches/x\"]"));
    dj_text_finish(&json);
    dj_chart_free(chart);
}
