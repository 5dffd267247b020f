#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "report/picture.h"
#include "support.h"

typedef int writer(struct dj_text *text, const struct dj_views *views,
                   struct dj_error *err);

/* Returns false without cairo in this build or on this machine: then the error names the
 * command that installs it, and nothing is written. */
static bool draw_views(writer *write, const struct dj_views *views, struct dj_text *text)
{
    struct dj_error err = {0};
    int result = write(text, views, &err);
    if (result == DJ_E_UNSUPPORTED) {
        cr_expect(strstr(err.message, "run: ") != NULL);
        cr_expect_eq(text->length, 0);
        return false;
    }
    cr_assert_eq(result, 0, "%s", err.message);
    return true;
}

static struct dj_dump simple_dump(size_t frames)
{
    return make_dump(&(struct made_dump){.frames = frames,
                                         .freeze = frames / 2,
                                         .process = "com.example.app",
                                         .window = "com.example.app/.Main"});
}

static uint32_t read_big_endian(const struct dj_text *text, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)text->data + at;
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           bytes[3];
}

Test(picture, a_png_is_one_and_twice_as_sharp)
{
    struct dj_dump dump = simple_dump(120);
    struct dj_views views = create_views(&dump);
    struct dj_text text = {0};
    if (draw_views(dj_report_write_png, &views, &text)) {
        cr_assert_gt(text.length, 1000);
        cr_expect_eq(memcmp(text.data, "\x89PNG\r\n\x1a\n", 8), 0);
        cr_expect_eq(memcmp(text.data + 12, "IHDR", 4), 0);
        cr_expect_eq(read_big_endian(&text, 16), 2400);
        cr_expect_gt(read_big_endian(&text, 20), 1500);
        cr_expect_lt(read_big_endian(&text, 20), 4000);
        cr_expect_eq(memcmp(text.data + text.length - 8, "IEND", 4), 0);
    }
    dj_text_finish(&text);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(picture, the_same_input_gives_the_same_bytes)
{
    static writer *const writers[] = {dj_report_write_svg, dj_report_write_png};
    struct dj_dump dump = simple_dump(50);
    struct dj_views views = create_views(&dump);
    for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
        struct dj_text first = {0};
        struct dj_text second = {0};
        if (draw_views(writers[i], &views, &first) &&
            draw_views(writers[i], &views, &second)) {
            cr_expect_eq(first.length, second.length);
            cr_expect_eq(memcmp(first.data, second.data, first.length), 0);
        }
        dj_text_finish(&first);
        dj_text_finish(&second);
    }
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(picture, an_svg_says_its_verdict_in_its_title)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 90, .freeze = SIZE_MAX, .process = "a<b>&c", .window = "w"});
    struct dj_views views = create_views(&dump);
    struct dj_text text = {0};
    if (draw_views(dj_report_write_svg, &views, &text)) {
        const char *title = strstr(text.data, "<title>");
        cr_assert_not_null(title);
        const char expected[] = "<title>a&lt;b&gt;&amp;c — w: JANKY: 10 of 90 "
                                "frames janky (11.11 %)</title>";
        cr_expect_eq(strncmp(title, expected, sizeof(expected) - 1), 0, "%.120s", title);
        cr_expect(strstr(text.data, "width=\"1200px\"") != NULL);
        cr_expect_str_eq(text.data + text.length - strlen("</svg>\n"), "</svg>\n");
    }
    dj_text_finish(&text);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

/* No name contains characters that cairo refuses, and no name makes a picture wider. */
Test(picture, any_name_is_drawn)
{
    static char longest[5000];
    memset(longest, 'W', sizeof(longest) - 1);
    static const char *const names[] = {"",
                                        " ",
                                        "\xff\xfe",
                                        "\033[2J\n\t",
                                        "漢字 العربية 🙂",
                                        "\u202edrawkcab",
                                        longest};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct dj_dump dump = make_dump(&(struct made_dump){
            .frames = 2, .freeze = SIZE_MAX, .process = names[i], .window = names[i]});
        struct dj_views views = create_views(&dump);
        struct dj_text svg = {0};
        struct dj_text png = {0};
        if (draw_views(dj_report_write_svg, &views, &svg) &&
            draw_views(dj_report_write_png, &views, &png)) {
            cr_expect_eq(read_big_endian(&png, 16), 2400);
        }
        dj_text_finish(&svg);
        dj_text_finish(&png);
        dj_report_finish_views(&views);
        dj_gfxinfo_dump_finish(&dump);
    }
}

static uint32_t read_png_height(const struct dj_dump *dump)
{
    struct dj_views views = create_views(dump);
    struct dj_text text = {0};
    uint32_t height = draw_views(dj_report_write_png, &views, &text)
                          ? read_big_endian(&text, 20)
                          : UINT32_MAX;
    dj_text_finish(&text);
    dj_report_finish_views(&views);
    return height;
}

Test(picture, an_empty_view_is_a_sentence)
{
    struct dj_dump empty = simple_dump(0);
    struct dj_dump full = simple_dump(1);
    uint32_t height = read_png_height(&empty);
    if (height != UINT32_MAX) {
        cr_expect_gt(height, 200);
        cr_expect_lt(height, read_png_height(&full) / 3);
    }
    dj_gfxinfo_dump_finish(&empty);
    dj_gfxinfo_dump_finish(&full);
}

/* At most 480 bars are drawn, so more rows need no more space. */
Test(picture, a_long_ring_is_no_taller)
{
    struct dj_dump some = simple_dump(121);
    struct dj_dump many = simple_dump(4096);
    cr_expect_eq(read_png_height(&some), read_png_height(&many));
    dj_gfxinfo_dump_finish(&some);
    dj_gfxinfo_dump_finish(&many);
}

Test(picture, too_many_windows_for_one_png_are_left_out)
{
    struct made_dump spec = {
        .frames = 3, .freeze = SIZE_MAX, .process = "p", .window = "w"};
    struct dj_dump dump = make_dump(&spec);
    for (size_t i = 1; i < 40; i++) {
        add_window(&dump.processes[0], &spec);
    }
    uint32_t height = read_png_height(&dump);
    if (height != UINT32_MAX) {
        cr_expect_leq(height, 16000);
        cr_expect_gt(height, 13000);
    }
    dj_gfxinfo_dump_finish(&dump);
}
