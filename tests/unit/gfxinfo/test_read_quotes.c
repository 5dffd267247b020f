/* Tests that a dump is parsed the same if it is quoted, indented, in a log, or
 * wrapped. */
#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

TestSuite(parse_quotes, .fini = finish_reading);

/* Appends a description of the result of parsing a text. */
static void append_description(struct dj_text *out, const struct dj_text *text,
                               unsigned parts)
{
    dj_text_clear(out);
    cr_assert_eq(parse_text(text), 0);
    describe(out, &dump, parts);
}

static void expect_same(const struct dj_text *text, const struct dj_text *want,
                        unsigned parts, const char *context, size_t number)
{
    struct dj_text got = {0};
    append_description(&got, text, parts);
    expect_same_text(&got, want, context, number);
    cr_assert_eq(warnings_in(&report), 0, "%s %zu: line %zu: %s", context, number,
                 report.warning[0].line, report.warning[0].message);
    dj_text_finish(&got);
}

/* Sets without a header are not tested here, because their warnings contain positions. */
enum { FIRST_SET = 1 };

static const struct {
    const char *before, *after;
} prefixes[] = {
    {"> ", "\n"},
    {">", "\n"},
    {">> ", "\n"},
    {"> > ", "\r\n"},
    {"| ", "\n"},
    {"* ", "\n"},
    {"    ", "\n"},
    {"        ", "\r\r\n"},
    {"\t", "\n"},
    {"", "\r\n"},
    {"", "\r\r\n"},
    {"", " \t \n"},
    {"I/gfxinfo( 1234): ", "\n"},
    {"07-04 12:00:00.123  1234  1260 I gfxinfo : ", "\n"},
    {"[2024-07-04T12:00:00.123456Z] stdout: ", "\r\n"},
    {"adb-1 | ", "\n"},
    {"# ", "\n"},
    {"// ", "\n"},
    {"(host) ", "\n"},
    {"  > * ", "\n"},
};

Test(parse_quotes, a_prefix_and_suffix_of_every_line_are_removed)
{
    for (size_t i = FIRST_SET; i < COLUMN_SETS; i++) {
        struct dj_text plain = {0};
        struct dj_text want = {0};
        append_sample(&plain, &column_sets[i], 5);
        append_description(&want, &plain, DESCRIBE_ALL);
        for (size_t k = 0; k < sizeof(prefixes) / sizeof(prefixes[0]); k++) {
            struct dj_text text = {0};
            append_with_prefix(&text, &plain, prefixes[k].before, prefixes[k].after);
            expect_same(&text, &want, DESCRIBE_ALL, prefixes[k].before,
                        column_sets[i].count);
            dj_text_finish(&text);
        }
        dj_text_finish(&plain);
        dj_text_finish(&want);
    }
}

/* Mail programs omit the blank after a quote mark if the line is empty. */
Test(parse_quotes, blank_lines_may_lack_the_blank)
{
    static const char *const marks[] = {"> ", "| ", "I/x( 12): ", "    "};
    for (size_t k = 0; k < 4; k++) {
        struct dj_text plain = {0};
        struct dj_text want = {0};
        struct dj_text text = {0};
        append_sample(&plain, &column_sets[3], 5);
        append_description(&want, &plain, DESCRIBE_ALL);
        const char *at = plain.data;
        while (*at != '\0') {
            size_t length = strcspn(at, "\n");
            size_t mark = strlen(marks[k]) - (length == 0);
            dj_text_append(&text, marks[k], mark);
            dj_text_append(&text, at, length + 1);
            at += length + 1;
        }
        expect_same(&text, &want, DESCRIBE_ALL, marks[k], 0);
        dj_text_finish(&text);
        dj_text_finish(&plain);
        dj_text_finish(&want);
    }
}

enum form { CLOCK, SECONDS, COUNTED, COUNTED_LEFT, ZEROS, FORMS };

static void append_prefix(struct dj_text *out, enum form form, size_t line)
{
    switch (form) {
    case CLOCK:
        dj_text_format(out, "07-04 12:%02zu:%02zu.%03zu  1234  1260 I x: ", line / 60,
                       line % 60, line * 37 % 1000);
        break;
    case SECONDS:
        dj_text_format(out, "[%5zu.%06zu] ", 95 + line, line * 7919 % 1000000);
        break;
    case COUNTED:
        dj_text_format(out, "%6zu\t", line + 1); /* As printed by `cat -n`. */
        break;
    case COUNTED_LEFT:
        dj_text_format(out, "dump.txt:%zu: ", line + 1); /* As printed by `grep -n`. */
        break;
    case ZEROS:
        dj_text_format(out, "%04zu ", line + 1);
        break;
    case FORMS:
        break;
    }
}

Test(parse_quotes, line_numbers_and_times_are_removed)
{
    for (size_t i = FIRST_SET; i < COLUMN_SETS; i++) {
        struct dj_text plain = {0};
        struct dj_text want = {0};
        append_sample(&plain, &column_sets[i], 5);
        append_description(&want, &plain, DESCRIBE_ALL);
        for (int form = 0; form < FORMS; form++) {
            struct dj_text text = {0};
            const char *at = plain.data;
            for (size_t line = 0; *at != '\0'; line++) {
                size_t length = strcspn(at, "\n");
                append_prefix(&text, (enum form)form, line);
                dj_text_append(&text, at, length + 1);
                at += length + 1;
            }
            expect_same(&text, &want, DESCRIBE_ALL, "form", (size_t)form);
            dj_text_finish(&text);
        }
        dj_text_finish(&plain);
        dj_text_finish(&want);
    }
}

Test(parse_quotes, text_around_the_dump_is_ignored)
{
    struct dj_text plain = {0};
    struct dj_text want = {0};
    struct dj_text text = {0};
    append_sample(&plain, &column_sets[3], 5);
    append_description(&want, &plain, 0);
    dj_text_format(&text, "Hi,\n\nis this bad?\n\n```\n%s```\n\nThanks, A.\n",
                   dj_text_get(&plain));
    expect_same(&text, &want, 0, "words", 0);
    dj_text_clear(&text);
    dj_text_format(&text, "On Thu A. wrote:\n");
    append_with_prefix(&text, &plain, "> ", "\n");
    dj_text_add(&text, "That is 100, and not 12!\n");
    expect_same(&text, &want, 0, "a mail", 0);
    dj_text_finish(&text);
    dj_text_finish(&plain);
    dj_text_finish(&want);
}

/* Two dumps in one text may have different prefixes. */
Test(parse_quotes, a_text_may_have_two_prefixes)
{
    static const char *const befores[] = {"> ", "", "I/x( 12): ", "    ", "| "};
    for (size_t i = 0; i < 5; i++) {
        for (size_t k = 0; k < 5; k++) {
            struct dj_text one = {0};
            struct dj_text plain = {0};
            struct dj_text text = {0};
            struct dj_text want = {0};
            append_sample(&one, &column_sets[3], 5);
            dj_text_format(&plain, "%s%s", one.data, one.data);
            append_description(&want, &plain, DESCRIBE_ALL);
            append_with_prefix(&text, &one, befores[i], "\n");
            append_with_prefix(&text, &one, befores[k], "\n");
            expect_same(&text, &want, DESCRIBE_ALL, befores[i], k);
            dj_text_finish(&one);
            dj_text_finish(&plain);
            dj_text_finish(&text);
            dj_text_finish(&want);
        }
    }
}

#define BOM "\xEF\xBB\xBF"

Test(parse_quotes, byte_order_marks_between_joined_files_are_removed)
{
    static const char *const befores[] = {"", "> ", "    ", "I/x( 12): "};
    for (size_t i = 0; i < 4; i++) {
        struct dj_text one = {0};
        struct dj_text plain = {0};
        struct dj_text text = {0};
        struct dj_text want = {0};
        append_sample(&one, &column_sets[3], 5);
        dj_text_format(&plain, "%s%s%s", one.data, one.data, one.data);
        append_description(&want, &plain, DESCRIBE_ALL);
        for (int k = 0; k < 3; k++) {
            dj_text_add(&text, BOM);
            append_with_prefix(&text, &one, befores[i], "\n");
        }
        expect_same(&text, &want, DESCRIBE_ALL, befores[i], i);
        dj_text_finish(&one);
        dj_text_finish(&plain);
        dj_text_finish(&text);
        dj_text_finish(&want);
    }
}

/* A file may have no final newline. */
Test(parse_quotes, a_byte_order_mark_separates_two_lines)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [a] **\nNumber Missed Vsync: 7" BOM
                       "** Graphics info for pid 2 [b] **\nTotal frames rendered: 5\n"),
                 0);
    cr_assert_eq(dump.process_count, 2);
    cr_assert_eq(dump.processes[0].stats.stats.counter[DJ_COUNTER_MISSED_VSYNC], 7);
    cr_assert_str_eq(dump.processes[1].name, "b");
    cr_assert_eq(dump.processes[1].stats.stats.counter[DJ_COUNTER_TOTAL], 5);
    cr_assert_eq(parse(BOM "Total frames rendered: 4\n" BOM "Number Missed Vsync: 2\n"),
                 0);
    cr_assert_eq(only_process()->stats.stats.counter[DJ_COUNTER_MISSED_VSYNC], 2);
}

/* A line inside a dump with the words of a first line has no effect. */
Test(parse_quotes, first_words_inside_a_dump_start_nothing)
{
    static const char *const words[] = {"Package: com.x", "UID: 12",
                                        "Total frames rendered: 66", "Stats since: 66ns"};
    static const char *const befores[] = {"", "> ", "I/x( 12): ", "    "};
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 4; k++) {
            struct dj_text plain = {0};
            struct dj_text text = {0};
            dj_text_format(&plain,
                           "** Graphics info for pid 1 [a] **\n\nCaches:\n  of %s\n"
                           "  more\n\nProfile data in ms:\n\n\ta/a (visibility=0)\n"
                           "---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n"
                           "0,1,2,\n0,3,4,\n---PROFILEDATA---\n",
                           words[i]);
            append_with_prefix(&text, &plain, befores[k], "\n");
            cr_assert_eq(parse_text(&text), 0);
            if (i < 2) {
                cr_assert_eq(only_process()->section_count, 1);
                cr_assert_str_eq(strstr(only_process()->sections[0].text, "  more"),
                                 "  more");
            }
            cr_assert_eq(only_window()->frame_count, 2, "\"%s\" after \"%s\"", words[i],
                         befores[k]);
            cr_assert_eq(warnings_in(&report), 0);
            dj_text_finish(&plain);
            dj_text_finish(&text);
        }
    }
}

Test(parse_quotes, prefixes_that_are_too_long_are_ignored)
{
    struct dj_text text = {0};
    for (int i = 0; i < 100; i++) {
        dj_text_add(&text, "x");
    }
    dj_text_add(&text, ": ** Graphics info for pid 1 [a] **\n");
    cr_assert_eq(parse_text(&text), DJ_E_NO_DATA);
    dj_text_finish(&text);
}

/* Whole dumps are wrapped as by a chat or mail program. Lines of statistics are shorter
 * than the width. */
Test(parse_quotes, wrapped_dumps_are_read)
{
    for (size_t i = FIRST_SET; i < COLUMN_SETS; i++) {
        struct dj_text plain = {0};
        struct dj_text want = {0};
        append_sample(&plain, &column_sets[i], 5);
        append_description(&want, &plain, 0);
        for (size_t width = 48; width <= 200; width++) {
            struct dj_text text = {0};
            struct dj_text quoted = {0};
            wrap(&text, &plain, width, false);
            expect_same(&text, &want, 0, "at", width);
            append_with_prefix(&quoted, &text, "> ", "\r\n");
            expect_same(&quoted, &want, 0, "quoted, at", width);
            dj_text_clear(&text);
            wrap(&text, &plain, width, true);
            expect_same(&text, &want, 0, "at blanks, at", width);
            dj_text_finish(&text);
            dj_text_finish(&quoted);
        }
        dj_text_finish(&plain);
        dj_text_finish(&want);
    }
}

/* The text was quoted first and then wrapped, so only the first part of a line has the
 * mark. */
Test(parse_quotes, dumps_quoted_and_then_wrapped_are_read)
{
    static const char *const befores[] = {"> ", "    ", "| "};
    for (size_t k = 0; k < 3; k++) {
        struct dj_text plain = {0};
        struct dj_text quoted = {0};
        struct dj_text want = {0};
        append_sample(&plain, &column_sets[5], 5);
        append_description(&want, &plain, 0);
        append_with_prefix(&quoted, &plain, befores[k], "\n");
        for (size_t width = 60; width <= 200; width += 7) {
            struct dj_text text = {0};
            wrap(&text, &quoted, width, false);
            expect_same(&text, &want, 0, befores[k], width);
            dj_text_finish(&text);
        }
        dj_text_finish(&plain);
        dj_text_finish(&quoted);
        dj_text_finish(&want);
    }
}

/* Fails the test unless a wrapped title is joined again. Only the title is wrapped,
 * because at small widths other lines of a dump could not be joined. */
static void expect_wrapped_title(const char *title, size_t width, bool soft,
                                 const char *before)
{
    struct dj_text line = {0};
    struct dj_text wrapped = {0};
    struct dj_text text = {0};
    dj_text_format(&line, "\t%s (visibility=8)\n", title);
    dj_text_add(&wrapped, "** Graphics info for pid 1 [a] **\nCaches:\n  one\n\n"
                          "Profile data in ms:\n\n");
    wrap(&wrapped, &line, width, soft);
    dj_text_add(&wrapped, "Total frames rendered: 5\n");
    append_with_prefix(&text, &wrapped, before, "\n");
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_eq(only_process()->window_count, 1, "at %zu: %zu windows", width,
                 only_process()->window_count);
    cr_assert_str_eq(only_window()->title, title, "at %zu: %s", width,
                     only_window()->title);
    cr_assert_eq(only_window()->visibility, 8, "at %zu", width);
    cr_assert_eq(only_window()->stats.stats.counter[DJ_COUNTER_TOTAL], 5);
    cr_assert_eq(only_process()->section_count, 1, "at %zu: %s", width,
                 only_process()->sections[1].text);
    cr_assert_str_eq(only_process()->sections[0].text, "Caches:\n  one");
    dj_text_finish(&line);
    dj_text_finish(&wrapped);
    dj_text_finish(&text);
}

Test(parse_quotes, titles_wrapped_at_any_width_are_joined)
{
    static const char *const titles[] = {
        "com.example.app/com.example.app.ui.VeryLongNameOfAnActivity/"
        "android.view.ViewRootImpl@1d5ddd6",
        "PopupWindow:5f2/android.view.ViewRootImpl@abc",
    };
    for (size_t i = 0; i < 2; i++) {
        for (size_t width = 20; width <= 200; width++) {
            expect_wrapped_title(titles[i], width, false, "");
            expect_wrapped_title(titles[i], width, false, "> ");
            expect_wrapped_title(titles[i], width, true, "");
        }
    }
}
