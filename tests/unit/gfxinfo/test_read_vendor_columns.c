#include <criterion/criterion.h>
#include <string.h>

#include "gfxinfo/print.h"
#include "support.h"

TestSuite(parse_vendor, .fini = finish_reading);

/* A vendor column at any position does not shift other columns. Its name and values are
 * stored. */
Test(parse_vendor, vendor_columns_are_stored)
{
    cr_assert_eq(
        parse("---PROFILEDATA---\nFlags,WallTime,IntendedVsync,FrameCompleted,Mood,\n"
              "1,99,100,110,5,\n2,1.5,200,210,good,\n---PROFILEDATA---\n"),
        0);
    const struct dj_dump_window *window = only_window();
    cr_assert_eq(window->columns.count, 3);
    cr_assert_eq(window->frame_count, 2);
    cr_assert_eq(window->frames[0].value[DJ_COLUMN_FRAME_COMPLETED], 110);
    cr_assert_eq(window->frames[1].value[DJ_COLUMN_INTENDED_VSYNC], 200);
    cr_assert_eq(window->vendor_count, 2);
    cr_assert_str_eq(window->vendor[0].name, "WallTime");
    cr_assert_eq(window->vendor[0].position, 1);
    cr_assert_str_eq(window->vendor[1].name, "Mood");
    cr_assert_eq(window->vendor[1].position, 4);
    const struct dj_number *values = window->vendor_values;
    cr_assert(values[0].known && values[0].value == 99);
    cr_assert(values[1].known && values[1].value == 5);
    cr_assert_not(values[2].known, "1.5 is no integer");
    cr_assert_not(values[3].known, "\"good\" is not a number");
    cr_assert_eq(report.rows_bad, 0);
    cr_assert_null(dump.dialect);
}

Test(parse_vendor, a_name_ends_before_a_colon)
{
    cr_assert_eq(parse("---PROFILEDATA---\nIntendedVsync,FrameCompleted,Mood : good,\n"
                       "1,2,3,\n---PROFILEDATA---\n"),
                 0);
    cr_assert_eq(only_window()->vendor_count, 1);
    cr_assert_str_eq(only_window()->vendor[0].name, "Mood");
}

Test(parse_vendor, replaced_characters_create_no_column)
{
    cr_assert_eq(parse("---PROFILEDATA---\nIntendedVsync,\rVsync\r\r,FrameCompleted,\n"
                       "1,2,3,\n---PROFILEDATA---\n"),
                 0);
    cr_assert_eq(only_window()->vendor_count, 0);
    cr_assert_eq(only_window()->columns.count, 3);
}

/* Prints the dump and parses it again. The result must be the same. */
static void expect_printed_alike(const char *release)
{
    struct dj_print_options options = {.dialect = dj_frame_dialect_find(release),
                                       .framestats = true};
    struct dj_text printed = {0};
    struct dj_text first = {0};
    struct dj_text second = {0};
    dj_gfxinfo_print_dump(&printed, &dump, &options);
    describe(&first, &dump, 0);
    cr_assert_eq(parse_text(&printed), 0);
    describe(&second, &dump, 0);
    const char *want = strstr(dj_text_get(&first), "  framestats");
    const char *got = strstr(dj_text_get(&second), "  framestats");
    cr_assert_not_null(want);
    cr_assert_not_null(got);
    cr_assert_str_eq(got, want);
    dj_text_finish(&printed);
    dj_text_finish(&first);
    dj_text_finish(&second);
}

/* A vendor column at any position of any release does not shift other columns. */
Test(parse_vendor, a_vendor_column_may_be_at_any_position)
{
    for (size_t i = 1; i < COLUMN_SETS; i++) {
        const struct columns *set = &column_sets[i];
        for (size_t place = 0; place <= set->count; place++) {
            struct dj_text text = {0};
            struct dj_text row = {0};
            const char *at = set->names;
            dj_text_add(&text, "---PROFILEDATA---\n");
            for (size_t k = 0; k < place; k++) {
                at = strchr(at, ',') + 1;
            }
            dj_text_append(&text, set->names, (size_t)(at - set->names));
            dj_text_format(&text, "WallTime,%s\n", at);
            for (size_t n = 0; n < 3; n++) {
                dj_text_clear(&row);
                append_row(&row, set, n);
                at = row.data;
                for (size_t k = 0; k < place; k++) {
                    at = strchr(at, ',') + 1;
                }
                dj_text_append(&text, row.data, (size_t)(at - row.data));
                dj_text_format(&text, "%zu,%s\n", 1000 + n, at);
            }
            dj_text_add(&text, "---PROFILEDATA---\n");
            cr_assert_eq(parse_text(&text), 0);
            const struct dj_dump_window *window = only_window();
            cr_assert_eq(window->frame_count, 3, "%zu columns, at %zu", set->count,
                         place);
            cr_assert_eq(window->vendor_count, 1);
            cr_assert_eq(window->vendor[0].position, place);
            cr_assert_str_eq(window->vendor[0].name, "WallTime");
            for (size_t n = 0; n < 3; n++) {
                expect_sample_row(window, set, n);
                cr_assert(window->vendor_values[n].known);
                cr_assert_eq(window->vendor_values[n].value, (int64_t)(1000 + n));
            }
            cr_assert_eq(warnings_in(&report), 0, "%zu columns, at %zu: %s", set->count,
                         place, report.warning[0].message);
            expect_printed_alike(set->release);
            dj_text_finish(&text);
            dj_text_finish(&row);
        }
    }
}

/* Devices by Pico add a 17th column to the 16 of the release. */
Test(parse_vendor, a_release_may_have_one_more_column)
{
    struct dj_text text = {0};
    dj_text_format(&text, "---PROFILEDATA---\n%sFrameCompletedWallTime,\n",
                   column_sets[2].names);
    for (size_t n = 0; n < 4; n++) {
        append_row(&text, &column_sets[2], n);
        dj_text_format(&text, "%zu,\n", 1700000000000 + n);
    }
    dj_text_add(&text, "---PROFILEDATA---\n");
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_str_eq(dump.dialect->name, "7.1", "not 11, which has 17, too");
    cr_assert_eq(only_window()->columns.count, 16);
    cr_assert_eq(only_window()->vendor[0].position, 16);
    cr_assert_eq(only_window()->vendor_values[3].value, INT64_C(1700000000003));
    dj_text_finish(&text);
}

Test(parse_vendor, empty_names_are_stored)
{
    static const char *const headers[] = {
        ",Flags,IntendedVsync,FrameCompleted,",
        "Flags,,IntendedVsync,FrameCompleted,",
        "Flags,IntendedVsync,FrameCompleted,,",
    };
    for (size_t i = 0; i < 3; i++) {
        struct dj_text text = {0};
        dj_text_format(&text,
                       "---PROFILEDATA---\n%s\n1,2,3,4,\n,2,3,4,\n"
                       "---PROFILEDATA---\n",
                       headers[i]);
        cr_assert_eq(parse_text(&text), 0);
        const struct dj_dump_window *window = only_window();
        cr_assert_eq(window->columns.count, 3);
        cr_assert_eq(window->vendor_count, 1, "%s", headers[i]);
        cr_assert_str_eq(window->vendor[0].name, "");
        cr_assert_eq(window->vendor[0].position, i == 0 ? 0 : i == 1 ? 1 : 3);
        cr_assert_eq(window->frame_count, 2);
        cr_assert_eq(window->vendor_values[0].value, i == 0 ? 1 : i == 1 ? 2 : 4);
        cr_assert_eq(window->frames[0].value[DJ_COLUMN_FRAME_COMPLETED], i == 2 ? 3 : 4);
        cr_assert_eq(window->vendor_values[1].known, i != 0);
        cr_assert_eq(dj_frame_has(&window->frames[1], DJ_COLUMN_FLAGS), i == 0);
        expect_printed_alike("11");
        dj_text_finish(&text);
    }
}

/* The value of a vendor column may be no number. It is then unknown, and the row is
 * complete. */
Test(parse_vendor, fields_that_are_not_numbers_are_unknown)
{
    static const char *const fields[] = {
        "main", "0x1f",     "1.5", "", " ", "-", "n/a", "1 2", "9223372036854775808",
        "(12)", "\xc3\xbc", "-0x"};
    static const char *const headers[] = {
        "Mood,Flags,IntendedVsync,FrameCompleted,",
        "Flags,IntendedVsync,Mood,FrameCompleted,",
        "Flags,IntendedVsync,FrameCompleted,Mood,",
    };
    static const char *const rows[] = {"%s,0,100,200,", "0,100,%s,200,", "0,100,200,%s,"};
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        for (size_t k = 0; k < 3; k++) {
            struct dj_text text = {0};
            const char *place = strstr(rows[k], "%s");
            dj_text_format(&text, "---PROFILEDATA---\n%s\n", headers[k]);
            dj_text_append(&text, rows[k], (size_t)(place - rows[k]));
            dj_text_format(&text, "%s%s\n---PROFILEDATA---\n", fields[i], place + 2);
            cr_assert_eq(parse_text(&text), 0);
            const struct dj_dump_window *window = only_window();
            cr_assert_eq(window->frame_count, 1, "\"%s\" in \"%s\"", fields[i],
                         headers[k]);
            cr_assert_not(window->vendor_values[0].known);
            cr_assert_eq(__builtin_popcountll(window->frames[0].known), 3);
            cr_assert_eq(window->frames[0].value[DJ_COLUMN_INTENDED_VSYNC], 100);
            cr_assert_eq(window->frames[0].value[DJ_COLUMN_FRAME_COMPLETED], 200);
            bool empty = strspn(fields[i], " ") == strlen(fields[i]);
            cr_assert_eq(warnings_in(&report), !empty, "\"%s\": %s", fields[i],
                         report.warning[0].message);
            cr_assert(empty || warned_of("is not a 64-bit integer: its value is null"));
            expect_printed_alike("11");
            dj_text_finish(&text);
        }
    }
}

/* Appends a text with `count` columns, all but three of them by a vendor, and a row. */
static void append_many(struct dj_text *text, size_t count)
{
    dj_text_add(text, "---PROFILEDATA---\nFlags,IntendedVsync,");
    for (size_t i = 0; i + 3 < count; i++) {
        dj_text_format(text, "v%zu,", i);
    }
    dj_text_add(text, "FrameCompleted,\n0,100,");
    for (size_t i = 0; i + 3 < count; i++) {
        dj_text_format(text, "%zu,", 500 + i);
    }
    dj_text_add(text, "200,\n---PROFILEDATA---\n");
}

Test(parse_vendor, columns_beyond_the_maximum_are_ignored)
{
    for (size_t count = 30; count < 70; count++) {
        struct dj_text text = {0};
        size_t vendors = count - 3;
        size_t kept =
            vendors < DJ_PARSE_VENDOR_COLUMNS ? vendors : DJ_PARSE_VENDOR_COLUMNS;
        append_many(&text, count);
        cr_assert_eq(parse_text(&text), 0);
        const struct dj_dump_window *window = only_window();
        cr_assert_eq(window->vendor_count, kept, "%zu", count);
        cr_assert_eq(window->frame_count, 1);
        for (size_t i = 0; i < kept; i++) {
            cr_assert_eq(window->vendor[i].position, i + 2);
            cr_assert(window->vendor_values[i].known);
            cr_assert_eq(window->vendor_values[i].value, (int64_t)(500 + i));
        }
        cr_assert_eq(dj_frame_get(&window->frames[0], DJ_COLUMN_FRAME_COMPLETED, -1),
                     count > 64 ? -1 : 200, "%zu columns", count);
        cr_assert_eq(warnings_in(&report), vendors > kept,
                     "columns that are not stored cause a warning");
        cr_assert(vendors == kept || report.warning[0].line == 2);
        cr_assert_eq(report.rows_bad, 0);
        dj_text_finish(&text);
    }
}

Test(parse_vendor, truncated_rows_keep_their_vendor_values)
{
    cr_assert_eq(parse("---PROFILEDATA---\nA,Flags,B,IntendedVsync,C,FrameCompleted,D,\n"
                       "1,0,2,100,3,200,4,\n1,0,2,100,3,200,\n1,0,2,100,3,\n1,0,2,100\n"
                       "1,0,2,\n---PROFILEDATA---\n"),
                 0);
    static const bool known[5][4] = {{true, true, true, true},
                                     {true, true, true, false},
                                     {true, true, true, false},
                                     {true, true, false, false},
                                     {true, true, false, false}};
    const struct dj_dump_window *window = only_window();
    cr_assert_eq(window->frame_count, 5);
    for (size_t n = 0; n < 5; n++) {
        for (size_t i = 0; i < 4; i++) {
            const struct dj_number *number = &window->vendor_values[n * 4 + i];
            cr_assert_eq(number->known, known[n][i], "row %zu, column %zu", n, i);
            cr_assert_eq(number->value, known[n][i] ? (int64_t)i + 1 : 0);
        }
    }
    cr_assert_eq(report.rows_bad, 4);
}

/* Names may contain characters that are special in terminals, tables or HTML. They are
 * stored unchanged. */
Test(parse_vendor, names_may_contain_any_characters)
{
    cr_assert_eq(parse("---PROFILEDATA---\nFlags,IntendedVsync,a b,\x1b[31m,<b>,\"q\",-1,"
                       "FrameCompleted,\n0,1,2,3,4,5,6,7,\n---PROFILEDATA---\n"),
                 0);
    static const char *const names[] = {"a b", "\x1b[31m", "<b>", "\"q\"", "-1"};
    cr_assert_eq(only_window()->vendor_count, 5);
    for (size_t i = 0; i < 5; i++) {
        cr_assert_str_eq(only_window()->vendor[i].name, names[i]);
        cr_assert_eq(only_window()->vendor_values[i].value, (int64_t)i + 2);
    }
    expect_printed_alike("11");
}
