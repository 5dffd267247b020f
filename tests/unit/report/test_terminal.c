#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/dumps.h"
#include "report/escape/name.h"
#include "support.h"

static const char EVIL[] =
    "we<b>ird</b> \"q\" 's'; $(rm) Größe 漢字漢字漢字漢字漢字漢字 \033[31m \xff";

static struct dj_text write_report(const struct dj_dump *dump,
                                   const struct dj_terminal_style *style)
{
    struct dj_text text = {0};
    struct dj_document document = {0};
    struct dj_views views = create_views(dump);
    dj_report_build_views(&document, &views);
    dj_document_write_terminal(&text, &document, style, true);
    cr_assert(!text.failed);
    dj_document_finish(&document);
    dj_report_finish_views(&views);
    return text;
}

static void expect_lines_fit(const struct dj_text *text, int width)
{
    const char *line = dj_text_get(text);
    while (*line != '\0') {
        char copy[2048];
        size_t length = strcspn(line, "\n");
        cr_assert_lt(length, sizeof(copy));
        memcpy(copy, line, length);
        copy[length] = '\0';
        cr_expect_leq(dj_name_count_columns(copy), (size_t)width, "%d columns: '%s'",
                      width, copy);
        cr_expect(length == 0 || copy[length - 1] != ' ', "blanks at the end of '%s'",
                  copy);
        line += length + (line[length] == '\n');
    }
}

static void expect_report(const char *golden, const struct made_dump *spec,
                          const struct dj_terminal_style *style)
{
    struct dj_dump dump = make_dump(spec);
    struct dj_text text = write_report(&dump, style);
    if (!style->color) {
        expect_lines_fit(&text, style->width);
    }
    expect_golden(golden, &text);
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

static const struct made_dump SAMPLE = {.frames = 120,
                                        .freeze = 60,
                                        .process = "com.example.app",
                                        .window = "com.example.app/Main"};

Test(terminal, golden_at_20)
{
    expect_report("terminal-20.txt", &SAMPLE,
                  &(struct dj_terminal_style){20, false, true});
}

Test(terminal, golden_at_40_in_ascii)
{
    expect_report("terminal-40-ascii.txt", &SAMPLE,
                  &(struct dj_terminal_style){40, false, false});
}

Test(terminal, golden_at_80)
{
    expect_report("terminal-80.txt", &SAMPLE,
                  &(struct dj_terminal_style){80, false, true});
}

Test(terminal, golden_at_80_in_colours)
{
    expect_report("terminal-80-color.txt", &SAMPLE,
                  &(struct dj_terminal_style){80, true, true});
}

Test(terminal, golden_at_200_with_5000_frames)
{
    struct made_dump spec = SAMPLE;
    spec.frames = 5000;
    expect_report("terminal-200.txt", &spec,
                  &(struct dj_terminal_style){200, false, true});
}

Test(terminal, golden_without_the_app_s_stages)
{
    struct made_dump spec = {.frames = 90,
                             .freeze = SIZE_MAX,
                             .process = "glxgears",
                             .window = "0x400002",
                             .unknown =
                                 DJ_COLUMN_BIT(DJ_COLUMN_HANDLE_INPUT_START) |
                                 DJ_COLUMN_BIT(DJ_COLUMN_ANIMATION_START) |
                                 DJ_COLUMN_BIT(DJ_COLUMN_PERFORM_TRAVERSALS_START) |
                                 DJ_COLUMN_BIT(DJ_COLUMN_DRAW_START)};
    expect_report("terminal-80-linux.txt", &spec,
                  &(struct dj_terminal_style){80, false, true});
}

Test(terminal, any_width_holds_any_name)
{
    struct made_dump spec = {.frames = 700, .freeze = 3, .process = EVIL, .window = EVIL};
    struct dj_dump dump = make_dump(&spec);
    dump.processes[0].disabled = copy_string(EVIL);
    dump.processes[0].windows[0].stats.stats.counter[DJ_COUNTER_TOTAL] = 4000000000;
    for (int width = DJ_TERMINAL_MIN_WIDTH; width <= DJ_TERMINAL_MAX_WIDTH; width++) {
        for (int unicode = 0; unicode < 2; unicode++) {
            struct dj_terminal_style style = {width, false, unicode == 1};
            struct dj_text text = write_report(&dump, &style);
            expect_lines_fit(&text, width);
            cr_expect_null(memchr(text.data, '\033', text.length),
                           "no escapes from outside");
            for (size_t i = 0; i < text.length && unicode == 0; i++) {
                cr_assert_lt((unsigned char)text.data[i], 0x80);
            }
            dj_text_finish(&text);
        }
    }
    dj_gfxinfo_dump_finish(&dump);
}

Test(terminal, widths_out_of_range_are_limited)
{
    struct dj_dump dump = make_dump(&SAMPLE);
    static const struct {
        int asked, taken;
    } widths[] = {{-5, DJ_TERMINAL_MIN_WIDTH},
                  {0, DJ_TERMINAL_MIN_WIDTH},
                  {9999, DJ_TERMINAL_MAX_WIDTH}};
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
        struct dj_text asked = write_report(
            &dump, &(struct dj_terminal_style){widths[i].asked, false, true});
        struct dj_text taken = write_report(
            &dump, &(struct dj_terminal_style){widths[i].taken, false, true});
        cr_expect_str_eq(asked.data, taken.data);
        dj_text_finish(&asked);
        dj_text_finish(&taken);
    }
    dj_gfxinfo_dump_finish(&dump);
}

Test(terminal, no_frames_never_look_smooth)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 0, .freeze = SIZE_MAX, .process = "p", .window = "w"});
    struct dj_text text =
        write_report(&dump, &(struct dj_terminal_style){80, false, true});
    cr_expect(strstr(text.data, "NO FRAMES") != NULL);
    cr_expect_null(strchr(text.data, '%'));
    cr_expect_null(strstr(text.data, "4950"));
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

Test(terminal, counters_alone_give_hwui_s_histogram)
{
    struct dj_dump dump = make_dump(&SAMPLE);
    dump.processes[0].windows[0].frame_count = 0;
    struct dj_text text =
        write_report(&dump, &(struct dj_terminal_style){80, false, true});
    cr_expect(strstr(text.data, "in hwui's buckets") != NULL);
    cr_expect(strstr(text.data, "deadline 16.67 ms") != NULL);
    cr_expect_null(strstr(text.data, "Stages of each frame"));
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

Test(terminal, the_deadline_is_the_display_s)
{
    struct dj_dump dump = make_dump(&SAMPLE);
    dump.processes[0].interval_ns = 8333333;
    struct dj_text text =
        write_report(&dump, &(struct dj_terminal_style){80, false, true});
    cr_expect(strstr(text.data, "deadline 8.33 ms") != NULL);
    cr_expect_null(strstr(text.data, "deadline 16.67 ms"));
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

/* Rows of 12 ms, every tenth with 20 ms more to execute; 4.x has no Prepare. */
static void add_profile(struct dj_dump_window *window, size_t count, bool prepare)
{
    window->has_profile = true;
    window->profile = calloc(count, sizeof(*window->profile));
    cr_assert_not_null(window->profile);
    window->profile_count = count;
    for (size_t i = 0; i < count; i++) {
        window->profile[i] = (struct dj_profile_row){3.0F, prepare ? 1.0F : -1.0F, 6.0F,
                                                     i % 10 == 9 ? 22.0F : 2.0F};
    }
}

Test(terminal, golden_of_a_simple_dump_alone)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 0, .freeze = SIZE_MAX, .process = "p", .window = "w"});
    add_profile(&dump.processes[0].windows[0], 128, true);
    struct dj_text text =
        write_report(&dump, &(struct dj_terminal_style){60, false, true});
    cr_expect_null(strstr(text.data, "NO FRAMES"));
    expect_golden("terminal-60-simple.txt", &text);
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

Test(terminal, a_part_that_a_release_lacks_is_not_in_the_legend)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 0, .freeze = SIZE_MAX, .process = "p", .window = "w"});
    add_profile(&dump.processes[0].windows[0], 3, false);
    struct dj_text text =
        write_report(&dump, &(struct dj_terminal_style){60, false, true});
    cr_expect(strstr(text.data, "D Draw  P Process  E Execute") != NULL);
    cr_expect_null(strstr(text.data, "Prepare"));
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

/* Of eleven columns two are long: the height grows until at most one is cut. */
Test(terminal, heights_follow_what_most_frames_need)
{
    struct dj_dump dump = make_dump(
        &(struct made_dump){.frames = 11, .freeze = 5, .process = "p", .window = "w"});
    struct dj_frame *late = &dump.processes[0].windows[0].frames[2];
    late->value[DJ_COLUMN_FRAME_COMPLETED] += 60000000;
    struct dj_text text =
        write_report(&dump, &(struct dj_terminal_style){80, false, true});
    cr_expect(strstr(text.data, "83.33 ") != NULL, "six intervals: 100 ms");
    cr_expect(strstr(text.data, "\n1 column reaches beyond the top.\n") != NULL, "%s",
              text.data);
    cr_expect(strstr(text.data, "  6  0.083    400.50 ") != NULL, "the longest frame");
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}
