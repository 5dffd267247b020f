#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

TestSuite(parse_rows, .fini = finish_reading);

static void expect_known(const struct dj_frame *frame, bool flags, bool intended,
                         bool completed)
{
    cr_expect_eq(dj_frame_has(frame, DJ_COLUMN_FLAGS), flags);
    cr_expect_eq(dj_frame_has(frame, DJ_COLUMN_INTENDED_VSYNC), intended);
    cr_expect_eq(dj_frame_has(frame, DJ_COLUMN_FRAME_COMPLETED), completed);
}

Test(parse_rows, malformed_rows_do_not_affect_others)
{
    /* Valid. */
    cr_assert_eq(
        parse("---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n"
              "0,1,2,\n"
              "0,1,\n"                      /* Too few columns. */
              "0,1,2,3,\n"                  /* Too many columns. */
              "0,1,99999999999999999999,\n" /* Too large for an int64. */
              "0,x,2,\n"                    /* Not a number. */
              "\n"                          /* An empty line. */
              /* Blanks, and truncated, because the other rows end with a comma. */
              "0, 3 ,4\n"
              "-0,-9223372036854775808,9223372036854775807,\n"
              "what is this?\n"
              "0,5,6,\n"
              "---PROFILEDATA---\n"),
        0);
    const struct dj_dump_window *window = only_window();
    cr_assert_eq(window->frame_count, 8, "readable values of a malformed row are stored");
    expect_known(&window->frames[0], true, true, true);
    expect_known(&window->frames[1], true, true, false);
    expect_known(&window->frames[2], false, false, false);
    expect_known(&window->frames[3], true, true, false);
    expect_known(&window->frames[4], true, false, true);
    cr_assert_eq(window->frames[5].value[DJ_COLUMN_INTENDED_VSYNC], 3);
    expect_known(&window->frames[5], true, true, false);
    cr_assert_eq(window->frames[6].value[DJ_COLUMN_INTENDED_VSYNC], INT64_MIN);
    cr_assert_eq(window->frames[6].value[DJ_COLUMN_FRAME_COMPLETED], INT64_MAX);
    cr_assert_eq(window->frames[7].value[DJ_COLUMN_INTENDED_VSYNC], 5);
    cr_assert_eq(report.rows, 8);
    cr_assert_eq(report.rows_bad, 5);
    cr_assert_eq(warnings_in(&report), 6);
    cr_assert_eq(report.warning[0].line, 4);
    cr_assert_eq(report.warning[4].line, 9);
    cr_assert_eq(report.warning[5].line, 11);
}

Test(parse_rows, the_last_row_of_a_truncated_text_may_lack_digits)
{
    cr_assert_eq(
        parse("---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n0,1,2,\n0,3,4"),
        0);
    cr_assert_eq(only_window()->frame_count, 2);
    expect_known(&only_window()->frames[1], true, true, false);
    cr_assert(warned_of("the last one is truncated"));
    cr_assert(warned_of("without a closing"));
    dj_gfxinfo_dump_finish(&dump);
    /* The last row is complete, because no row ends with a comma. */
    cr_assert_eq(
        parse("---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted\n0,1,2\n0,3,4"), 0);
    cr_assert_eq(only_window()->frame_count, 2);
}

enum { ROWS = 7 };

/* Appends a title, a header, and rows of this release, each truncated after `width`
 * characters. */
static void append_cut_rows(struct dj_text *out, const struct columns *set, size_t width)
{
    struct dj_text row = {0};
    dj_text_format(out, "\ta/a.Main (visibility=0)\n---PROFILEDATA---\n%s\n", set->names);
    for (size_t i = 0; i < ROWS; i++) {
        dj_text_clear(&row);
        append_row(&row, set, i);
        dj_text_append(out, dj_text_get(&row), row.length < width ? row.length : width);
        dj_text_add(out, "\n");
    }
    dj_text_add(out, "---PROFILEDATA---\n");
    dj_text_finish(&row);
}

/* Fails the test unless the known values are those of the sample and truncated values
 * are unknown. */
static void expect_beginning(const struct dj_dump_window *window,
                             const struct columns *set, size_t n, size_t width)
{
    struct dj_text row = {0};
    size_t fields = 0;
    append_row(&row, set, n);
    for (size_t i = 0; i < width && i < row.length; i++) {
        fields += row.data[i] == ',';
    }
    cr_assert_eq((size_t)__builtin_popcountll(window->frames[n].known), fields,
                 "%zu columns, truncated at %zu, row %zu", set->count, width, n);
    cr_assert(dj_frame_get(&window->frames[n], DJ_COLUMN_FLAGS, -1) ==
              (fields > 0 ? sample_value("Flags", n) : -1));
    if (dj_frame_has(&window->frames[n], DJ_COLUMN_INTENDED_VSYNC)) {
        cr_assert_eq(window->frames[n].value[DJ_COLUMN_INTENDED_VSYNC],
                     sample_value("IntendedVsync", n));
    }
    dj_text_finish(&row);
}

static size_t row_length(const struct columns *set, size_t n)
{
    struct dj_text row = {0};
    append_row(&row, set, n);
    size_t length = row.length;
    dj_text_finish(&row);
    return length;
}

/* Returns the offset at which the last column of the shortest row begins. If a row lacks
 * only some of its last digits, it may as well have lost its comma. */
static size_t shortest_row(const struct columns *set)
{
    size_t shortest = SIZE_MAX;
    for (size_t i = 0; i < ROWS; i++) {
        struct dj_text row = {0};
        append_row(&row, set, i);
        size_t comma = row.length - 1;
        while (row.data[comma - 1] != ',') {
            comma--;
        }
        shortest = comma < shortest ? comma : shortest;
        dj_text_finish(&row);
    }
    return shortest;
}

/* Each truncated row is counted, none is complete, and each has a warning with its
 * position. */
Test(parse_rows, rows_truncated_to_any_width_are_reported)
{
    for (size_t i = 1; i < COLUMN_SETS; i++) {
        const struct columns *set = &column_sets[i];
        size_t shortest = shortest_row(set);
        for (size_t width = 2; width <= shortest; width++) {
            struct dj_text text = {0};
            append_cut_rows(&text, set, width);
            cr_assert_eq(parse_text(&text), 0);
            cr_assert_eq(only_window()->frame_count, ROWS,
                         "%zu columns truncated at %zu: %zu", set->count, width,
                         only_window()->frame_count);
            cr_assert_eq(report.rows, ROWS);
            cr_assert_eq(report.rows_bad, ROWS);
            cr_assert_eq(warnings_in(&report), ROWS);
            for (size_t n = 0; n < ROWS; n++) {
                expect_beginning(only_window(), set, n, width);
                cr_assert_eq(report.warning[n].line, 4 + n,
                             "%zu columns truncated at %zu", set->count, width);
            }
            dj_text_finish(&text);
        }
    }
}

Test(parse_rows, warnings_of_truncated_rows_name_their_bytes)
{
    cr_assert_eq(parse("---PROFILEDATA---\nFlags,IntendedVsync,Vsync,FrameCompleted,\n"
                       "0,100,100,1\n"
                       "0,200,200\n"
                       "0,300,300,390,\n"
                       "0,99999999999999999999\n"
                       "0,500,\n"
                       "---PROFILEDATA---\n"),
                 0);
    static const struct {
        size_t line, byte;
    } places[] = {{3, 60}, {4, 72}, {6, 97}, {7, 120}};
    cr_assert_eq(warnings_in(&report), 4);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(report.warning[i].line, places[i].line, "%s",
                     report.warning[i].message);
        cr_expect_eq(report.warning[i].byte, places[i].byte, "%s",
                     report.warning[i].message);
    }
    cr_assert_eq(only_window()->frame_count, 5);
    cr_assert_eq(report.rows_bad, 4);
}

Test(parse_rows, a_truncated_row_does_not_affect_the_next_one)
{
    for (size_t i = 1; i < COLUMN_SETS; i++) {
        const struct columns *set = &column_sets[i];
        size_t length = row_length(set, 1);
        for (size_t width = 2; width < length - 1; width++) {
            struct dj_text row = {0};
            struct dj_text text = {0};
            append_row(&row, set, 1);
            dj_text_format(&text, "---PROFILEDATA---\n%s\n", set->names);
            append_row(&text, set, 0);
            dj_text_add(&text, "\n");
            dj_text_append(&text, row.data, width);
            dj_text_add(&text, "\n");
            append_row(&text, set, 2);
            dj_text_add(&text, "\n---PROFILEDATA---\n");
            cr_assert_eq(parse_text(&text), 0);
            cr_assert_eq(only_window()->frame_count, 3, "%zu columns truncated at %zu",
                         set->count, width);
            cr_assert_eq(report.rows_bad, 1);
            expect_sample_row(only_window(), set, 0);
            expect_beginning(only_window(), set, 1, width);
            expect_sample_row(only_window(), set, 2);
            cr_assert_eq(warnings_in(&report), 1);
            cr_assert_eq(report.warning[0].line, 4);
            dj_text_finish(&text);
            dj_text_finish(&row);
        }
    }
}

/* Two rows truncated at different positions are two rows, even if together they have the
 * number of columns of one row and the second could be a stage of the first. */
Test(parse_rows, two_truncated_rows_are_not_joined)
{
    for (size_t i = 1; i < COLUMN_SETS; i++) {
        const struct columns *set = &column_sets[i];
        size_t stages = set->count;
        for (const char *at = strstr(set->names, "FrameCompleted"); *at != '\0'; at++) {
            stages -= *at == ',';
        }
        for (size_t first = 1; first <= stages; first++) {
            /* A single digit may also be the end of the previous row. */
            for (size_t comma = first + 1 == set->count; comma < 2; comma++) {
                struct dj_text text = {0};
                struct dj_text row = {0};
                dj_text_format(&text, "---PROFILEDATA---\n%s\n", set->names);
                for (size_t n = 0; n < 2; n++) {
                    size_t fields = n == 0 ? first : set->count - first;
                    size_t length = 0;
                    dj_text_clear(&row);
                    append_row(&row, set, n);
                    for (size_t k = 0; k < fields; k++) {
                        length += strcspn(row.data + length, ",") + 1;
                    }
                    dj_text_append(&text, row.data, length - (n == 1 && comma == 0));
                    dj_text_add(&text, "\n");
                }
                dj_text_add(&text, "---PROFILEDATA---\n");
                cr_assert_eq(parse_text(&text), 0);
                cr_expect_eq(only_window()->frame_count, 2, "%zu columns, %zu + %zu",
                             set->count, first, set->count - first);
                cr_expect_eq(report.rows_bad, 2, "%zu columns, %zu + %zu", set->count,
                             first, set->count - first);
                dj_text_finish(&text);
                dj_text_finish(&row);
            }
        }
    }
}

/* If the text is truncated anywhere, the complete rows before that are right. The
 * incomplete row is counted, and a warning reports it. */
Test(parse_rows, a_text_truncated_anywhere_keeps_complete_rows)
{
    for (size_t i = 0; i < COLUMN_SETS; i++) {
        const struct columns *set = &column_sets[i];
        struct dj_text text = {0};
        dj_text_format(&text, "\ta/a.Main (visibility=0)\n---PROFILEDATA---\n");
        if (set->header) {
            dj_text_format(&text, "%s\n", set->names);
        }
        size_t first = text.length;
        for (size_t n = 0; n < 3; n++) {
            append_row(&text, set, n);
            dj_text_add(&text, "\n");
        }
        for (size_t length = first; length <= text.length; length++) {
            size_t whole = 0;
            bool begun = length > first && text.data[length - 1] != '\n';
            for (size_t at = first; at < length; at++) {
                whole += text.data[at] == '\n';
            }
            /* The comma after the last number completes a row. */
            bool last = begun && text.data[length] == '\n';
            cr_assert_eq(parse_bytes(text.data, length), 0);
            size_t kept = only_window()->frame_count;
            if (!set->header && whole == 0 && !last) {
                cr_assert_eq(kept, 0,
                             "without a header no row is read before it is complete");
                continue;
            }
            cr_assert_eq(kept, whole + begun, "%zu columns truncated at %zu: %zu rows",
                         set->count, length, kept);
            for (size_t n = 0; n < whole + last; n++) {
                expect_sample_row(only_window(), set, n);
            }
            cr_assert_eq(report.rows, kept);
            cr_assert_eq(report.rows_bad, begun && !last);
            cr_assert_eq(warned_of(" columns"), (begun && !last) || !set->header,
                         "%zu columns truncated at %zu", set->count, length);
            cr_assert(warned_of("without a closing"));
        }
        dj_text_finish(&text);
    }
}

/* Fails the test unless a header and rows wrapped at any width are joined again. */
static void expect_wrapped(const struct columns *set, size_t width, const char *before,
                           const char *after)
{
    struct dj_text block = {0};
    struct dj_text wrapped = {0};
    struct dj_text text = {0};
    dj_text_add(&text, "** Graphics info for pid 1 [a] **\n");
    append_framestats(&block, set, ROWS);
    wrap(&wrapped, &block, width, false);
    append_with_prefix(&text, &wrapped, before, after);
    dj_text_add(&text, "View hierarchy:\n");
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_eq(only_window()->frame_count, ROWS, "%zu columns at %zu: %zu rows, %s",
                 set->count, width, only_window()->frame_count,
                 report.warning[0].message);
    cr_assert_eq(only_window()->columns.count, set->count);
    cr_assert_eq(only_window()->vendor_count, 0);
    for (size_t n = 0; n < ROWS; n++) {
        expect_sample_row(only_window(), set, n);
    }
    cr_assert_eq(warnings_in(&report), 0, "%zu columns at %zu: %s", set->count, width,
                 report.warning[0].message);
    dj_text_finish(&text);
    dj_text_finish(&wrapped);
    dj_text_finish(&block);
}

Test(parse_rows, rows_wrapped_at_any_width_are_joined)
{
    for (size_t i = 1; i < COLUMN_SETS; i++) {
        for (size_t width = 20; width <= 340; width++) {
            expect_wrapped(&column_sets[i], width, "", "\n");
        }
    }
}

Test(parse_rows, wrapped_and_quoted_rows_are_joined)
{
    for (size_t i = 1; i < COLUMN_SETS; i++) {
        for (size_t width = 20; width <= 200; width += 3) {
            expect_wrapped(&column_sets[i], width, "> ", "\r\n");
            expect_wrapped(&column_sets[i], width, "    ", "\r\r\n");
            expect_wrapped(&column_sets[i], width, "| ", "  \n");
            expect_wrapped(&column_sets[i], width, "\t> > ", "\n");
        }
    }
}

/* Without a header, the first row has no meaning before it is complete. */
Test(parse_rows, wrapped_rows_without_a_header_are_joined)
{
    for (size_t width = 20; width <= 200; width++) {
        struct dj_text block = {0};
        struct dj_text text = {0};
        append_framestats(&block, &column_sets[0], ROWS);
        wrap(&text, &block, width, false);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(only_window()->frame_count, ROWS, "at %zu: %zu rows", width,
                     only_window()->frame_count);
        for (size_t n = 0; n < ROWS; n++) {
            expect_sample_row(only_window(), &column_sets[0], n);
        }
        cr_assert_eq(report.rows_bad, 0);
        dj_text_finish(&block);
        dj_text_finish(&text);
    }
}

Test(parse_rows, a_wrapped_last_number_is_joined)
{
    cr_assert_eq(parse("---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n"
                       "0,1000000,12345\n67,\n0,2000000,2345678\n,\n0,3000000,3456789,\n"
                       "---PROFILEDATA---\n"),
                 0);
    cr_assert_eq(only_window()->frame_count, 3);
    cr_assert_eq(only_window()->frames[0].value[DJ_COLUMN_FRAME_COMPLETED], 1234567);
    cr_assert_eq(only_window()->frames[1].value[DJ_COLUMN_FRAME_COMPLETED], 2345678);
    cr_assert_eq(only_window()->frames[2].value[DJ_COLUMN_FRAME_COMPLETED], 3456789);
    cr_assert_eq(warnings_in(&report), 0, "%s", report.warning[0].message);
}

/* The header ends with a comma, but the rows of the table do not. */
Test(parse_rows, rows_may_lack_the_final_comma)
{
    for (size_t i = 1; i < COLUMN_SETS; i++) {
        struct dj_text text = {0};
        dj_text_format(&text, "---PROFILEDATA---\n%s\n", column_sets[i].names);
        for (size_t n = 0; n < ROWS; n++) {
            append_row(&text, &column_sets[i], n);
            text.length--;
            dj_text_add(&text, "\n");
        }
        dj_text_add(&text, "---PROFILEDATA---\n");
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(only_window()->frame_count, ROWS);
        for (size_t n = 0; n < ROWS; n++) {
            expect_sample_row(only_window(), &column_sets[i], n);
        }
        cr_assert_eq(warnings_in(&report), 0);
        dj_text_finish(&text);
    }
}

Test(parse_rows, other_lines_between_rows_are_reported)
{
    for (size_t i = 1; i < COLUMN_SETS; i++) {
        struct dj_text text = {0};
        dj_text_format(&text, "---PROFILEDATA---\n%s\n", column_sets[i].names);
        for (size_t n = 0; n < 4; n++) {
            append_row(&text, &column_sets[i], n);
            dj_text_add(&text, n == 1 ? "\n\n\nthis one is slow!\n" : "\n");
        }
        dj_text_add(&text, "---PROFILEDATA---\n");
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(only_window()->frame_count, 4);
        for (size_t n = 0; n < 4; n++) {
            expect_sample_row(only_window(), &column_sets[i], n);
        }
        cr_assert_eq(warnings_in(&report), 1);
        cr_assert_eq(report.warning[0].line, 7);
        dj_text_finish(&text);
    }
}

Test(parse_rows, numbers_at_their_limits_are_read)
{
    cr_assert_eq(
        parse("---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n"
              "0,9223372036854775807,-9223372036854775808,\n"
              "0,9223372036854775808,1,\n"
              "0,-9223372036854775809,2,\n"
              "0,00000000000000000000000000001,3,\n"
              "0,+1,4,\n0,0x10,5,\n0,1e3,6,\n0,--1,7,\n0,-,8,\n0,,9,\n"
              "0,100000000000000000000000000000000000000,10,\n---PROFILEDATA---\n"),
        0);
    const struct dj_dump_window *window = only_window();
    cr_assert_eq(window->frame_count, 11);
    cr_assert_eq(window->frames[0].value[DJ_COLUMN_INTENDED_VSYNC], INT64_MAX);
    cr_assert_eq(window->frames[0].value[DJ_COLUMN_FRAME_COMPLETED], INT64_MIN);
    for (size_t i = 1; i < 11; i++) {
        expect_known(&window->frames[i], true, false, true);
        cr_assert_eq(window->frames[i].value[DJ_COLUMN_FRAME_COMPLETED], (int64_t)i);
        cr_assert_eq(report.warning[i - 1].line, 3 + i);
    }
    cr_assert_eq(report.rows_bad, 10);
}

Test(parse_rows, rows_beyond_the_maximum_are_counted)
{
    enum { MORE = 5 };
    struct dj_text text = {0};
    dj_text_add(&text, "---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n");
    for (size_t i = 0; i < (size_t)DJ_PARSE_ROWS_MOST + MORE; i++) {
        dj_text_add(&text, "0,1,2,\n");
    }
    dj_text_add(&text, "0,1,\n---PROFILEDATA---\n");
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_eq(only_window()->frame_count, DJ_PARSE_ROWS_MOST);
    cr_assert_eq(only_window()->rows_beyond, MORE + 1);
    cr_assert_eq(report.rows, (size_t)DJ_PARSE_ROWS_MOST + MORE + 1);
    cr_assert_eq(warnings_in(&report), 1);
    cr_assert_eq(report.warning[0].line, 3 + (size_t)DJ_PARSE_ROWS_MOST);
    dj_text_finish(&text);
}

/* The buffer has a maximum size, so an endless line of digits is not a row. */
Test(parse_rows, a_row_that_never_ends_is_limited)
{
    struct dj_text text = {0};
    dj_text_add(&text, "---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n0,1\n");
    for (size_t i = 0; i < 100000; i++) {
        dj_text_add(&text, "12345678901234567890\n");
    }
    dj_text_add(&text, "0,1,2,\n---PROFILEDATA---\n");
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_leq(only_window()->frame_count, 3);
    const struct dj_frame *last = &only_window()->frames[only_window()->frame_count - 1];
    expect_known(last, true, true, true);
    dj_text_finish(&text);
}
