#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "report/escape/html.h"
#include "report/page/embedded.h"
#include "report/page/html.h"
#include "report/page/report.h"
#include "support.h"

static const char EVIL[] = "</script><script>alert(1)</script><!-- \" ' & \xff \033";

static struct dj_text write_json(const struct dj_dump *dump, const char *source)
{
    struct dj_text text = {0};
    struct dj_views views = create_views(dump);
    struct dj_parsed parsed = *views.view[0].parsed;
    parsed.source = source;
    views.view[0].parsed = &parsed;
    dj_report_write_page_data(&text, &views);
    cr_assert(!text.failed);
    dj_report_finish_views(&views);
    return text;
}

static bool contains(const struct dj_text *text, const char *what)
{
    return strstr(dj_text_get(text), what) != NULL;
}

Test(html, escapes_markup_characters)
{
    struct dj_text text = {0};
    dj_html_escape(&text, "<a href=\"x\" id='y'>&amp;\n\033 Größe");
    cr_expect_str_eq(dj_text_get(&text),
                     "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;\n\\x1b Größe");
    dj_text_finish(&text);
}

Test(html, data_has_no_markup_for_any_name)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 3, .freeze = SIZE_MAX, .process = EVIL, .window = EVIL});
    dump.processes[0].disabled = copy_string(EVIL);
    struct dj_text text = write_json(&dump, EVIL);
    cr_expect_null(strpbrk(text.data, "<>&"));
    cr_expect(contains(&text, "\\u003c/script\\u003e"));
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

Test(html, unknown_stages_are_absent)
{
    uint64_t unknown = DJ_COLUMN_BIT(DJ_COLUMN_HANDLE_INPUT_START) |
                       DJ_COLUMN_BIT(DJ_COLUMN_ANIMATION_START) |
                       DJ_COLUMN_BIT(DJ_COLUMN_PERFORM_TRAVERSALS_START) |
                       DJ_COLUMN_BIT(DJ_COLUMN_DRAW_START);
    struct dj_dump dump = make_dump(&(struct made_dump){.frames = 3,
                                                        .freeze = SIZE_MAX,
                                                        .process = "p",
                                                        .window = "w",
                                                        .unknown = unknown});
    struct dj_text text = write_json(&dump, "x.txt");
    cr_expect(contains(&text, "\"name\":\"App\""));
    cr_expect(!contains(&text, "\"name\":\"Layout\""));
    cr_expect(!contains(&text, "{\"name\":\"DrawStart\",\"ns\""));
    cr_expect(contains(&text, "\"stages_missing\":true"));
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

Test(html, sentinels_are_null_and_stamps_are_offsets)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 2, .freeze = SIZE_MAX, .process = "p", .window = "w"});
    dj_frame_set(&dump.processes[0].windows[0].frames[1], DJ_COLUMN_NEWEST_INPUT_EVENT,
                 dump.processes[0].windows[0].frames[1].value[DJ_COLUMN_INTENDED_VSYNC] -
                     1500);
    struct dj_text text = write_json(&dump, NULL);
    cr_expect(contains(&text, "{\"name\":\"NewestInputEvent\",\"ns\":[null,-1500]}"));
    cr_expect(contains(&text, "{\"name\":\"HandleInputStart\",\"ns\":[300000,300000]}"));
    cr_expect(!contains(&text, "OldestInputEvent\",\"ns\""),
              "a column of sentinels is no column");
    cr_expect(!contains(&text, "9223372036854775807"));
    cr_expect(contains(&text, "\"at_ns\":[0,16666667]"));
    cr_expect(contains(&text, "\"source\":null"));
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

Test(html, simple_rows_keep_unknown_values)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 1, .freeze = SIZE_MAX, .process = "p", .window = "w"});
    struct dj_dump_window *window = &dump.processes[0].windows[0];
    window->has_profile = true;
    window->profile = calloc(1, sizeof(*window->profile));
    cr_assert_not_null(window->profile);
    window->profile[0] = (struct dj_profile_row){1.5F, -1.0F, 2.25F, 50.0F};
    window->profile_count = 1;
    struct dj_text text = write_json(&dump, NULL);
    cr_expect(contains(&text, "\"profile\":[[1.50,null,2.25,50.00]]"));
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

/* Row numbers also count the rows that are not usable frames. */
Test(html, frames_are_named_by_their_rows)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 5, .freeze = SIZE_MAX, .process = "p", .window = "w"});
    struct dj_frame *rows = dump.processes[0].windows[0].frames;
    rows[0].value[DJ_COLUMN_FLAGS] = DJ_FLAG_WINDOW_CHANGED;
    rows[2].value[DJ_COLUMN_FLAGS] = DJ_FLAG_SKIPPED_FRAME;
    struct dj_text text = write_json(&dump, NULL);
    cr_expect(contains(&text, "\"frames\":{\"count\":3,\"row\":[2,4,5],\"at_ns\":[0,"));
    cr_expect(contains(&text, "worst 0.50 ms (row 2)."));
    cr_expect(contains(&text, "\"worst\":0}"), "the first of those drawn");
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

Test(html, an_empty_view_says_so)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 0, .freeze = SIZE_MAX, .process = "p", .window = "w"});
    struct dj_text text = write_json(&dump, NULL);
    cr_expect(contains(&text, "\"verdict\":\"NO FRAMES: no frame was drawn\""));
    cr_expect(contains(&text, "\"figures\":[]"));
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

Test(html, every_slot_of_the_page_is_filled)
{
    struct dj_dump dump = make_dump(&(struct made_dump){
        .frames = 3, .freeze = SIZE_MAX, .process = EVIL, .window = "w"});
    struct dj_views views = create_views(&dump);
    struct dj_text text = {0};
    dj_report_write_html(&text, &views);
    cr_expect(contains(&text, "<title>&lt;/script&gt;"));
    cr_expect(contains(&text, "default-src 'none'"));
    cr_expect(!contains(&text, "<script>alert"));
    cr_expect(!contains(&text, "<!--@"));
    cr_expect(!contains(&text, "src=\"http"));
    cr_expect_str_eq(text.data + text.length - strlen("</html>\n"), "</html>\n");
    dj_text_finish(&text);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}
