/* Tests wrapped headers and rows, also next to each other and next to truncated ones. */
#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

TestSuite(parse_wrapped, .fini = finish_reading);

enum { ROWS = 5 };

/* Appends framestats of this release, wrapped at `width`. */
static void append_wrapped(struct dj_text *out, const struct columns *set, size_t rows,
                           size_t width)
{
    struct dj_text block = {0};
    append_framestats(&block, set, rows);
    wrap(out, &block, width, false);
    dj_text_finish(&block);
}

static void expect_rows(const struct columns *set, size_t from, size_t to)
{
    for (size_t n = from; n < to; n++) {
        expect_sample_row(only_window(), set, n);
    }
}

/* If a wrapped text is truncated anywhere, complete rows before that are right, and the
 * incomplete one is one row. */
Test(parse_wrapped, wrapped_text_truncated_anywhere_keeps_complete_rows)
{
    static const size_t widths[] = {33, 80, 100};
    for (size_t i = 1; i < COLUMN_SETS; i += 2) {
        for (size_t k = 0; k < sizeof(widths) / sizeof(widths[0]); k++) {
            const struct columns *set = &column_sets[i];
            struct dj_text plain = {0};
            struct dj_text text = {0};
            append_framestats(&plain, set, 3);
            append_wrapped(&text, set, 3, widths[k]);
            size_t header = strlen(set->names);
            size_t begin = strlen("---PROFILEDATA---\n") + header +
                           (header + widths[k] - 1) / widths[k];
            for (size_t length = begin; length < text.length; length++) {
                size_t bytes = 0; /* Bytes of the text before wrapping. */
                size_t whole = 0;
                for (size_t at = begin; at < length; at++) {
                    bytes += text.data[at] != '\n';
                }
                for (size_t n = 0, at = 0; n < 3; n++) {
                    struct dj_text row = {0};
                    append_row(&row, set, n);
                    at += row.length;
                    whole += bytes >= at;
                    dj_text_finish(&row);
                }
                cr_assert_eq(parse_bytes(text.data, length), 0);
                size_t kept = only_window()->frame_count;
                cr_assert(kept == whole || kept == whole + 1,
                          "%zu columns at %zu, truncated at %zu: %zu rows, %zu are whole",
                          set->count, widths[k], length, kept, whole);
                expect_rows(set, 0, whole);
                cr_assert_leq(report.rows_bad, 1);
            }
            dj_text_finish(&plain);
            dj_text_finish(&text);
        }
    }
}

/* Rows are truncated to one length, and then everything is wrapped to a smaller one. So
 * the lines have two different lengths. */
Test(parse_wrapped, truncated_and_then_wrapped_rows_are_read)
{
    for (size_t i = 1; i < COLUMN_SETS; i++) {
        const struct columns *set = &column_sets[i];
        for (size_t cut = 60; cut < 150; cut += 7) {
            for (size_t width = 40; width < cut; width += 9) {
                struct dj_text plain = {0};
                struct dj_text text = {0};
                struct dj_text row = {0};
                if (cut % width == 0) {
                    continue; /* All lines have the same length. */
                }
                dj_text_format(&plain, "---PROFILEDATA---\n%s\n", set->names);
                for (size_t n = 0; n < ROWS; n++) {
                    dj_text_clear(&row);
                    append_row(&row, set, n);
                    dj_text_append(&plain, row.data, cut);
                    dj_text_add(&plain, "\n");
                }
                dj_text_add(&plain, "---PROFILEDATA---\n");
                wrap(&text, &plain, width, false);
                cr_assert_eq(parse_text(&text), 0);
                cr_assert_eq(only_window()->frame_count, ROWS,
                             "%zu columns, truncated at %zu, wrapped at %zu: %zu rows",
                             set->count, cut, width, only_window()->frame_count);
                cr_assert_eq(report.rows_bad, ROWS);
                for (size_t n = 0; n < ROWS; n++) {
                    cr_assert_eq(only_window()->frames[n].value[DJ_COLUMN_INTENDED_VSYNC],
                                 sample_value("IntendedVsync", n));
                }
                dj_text_finish(&plain);
                dj_text_finish(&text);
                dj_text_finish(&row);
            }
        }
    }
}

/* The final comma of the header or of a row is alone on its line. */
Test(parse_wrapped, a_comma_may_be_alone_on_its_line)
{
    for (size_t i = 1; i < COLUMN_SETS; i++) {
        const struct columns *set = &column_sets[i];
        struct dj_text text = {0};
        dj_text_format(&text, "---PROFILEDATA---\n%s", set->names);
        text.length--;
        dj_text_add(&text, "\n,\n");
        for (size_t n = 0; n < ROWS; n++) {
            append_row(&text, set, n);
            text.length--;
            dj_text_add(&text, "\n,\n");
        }
        dj_text_add(&text, "---PROFILEDATA---\n");
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(only_window()->columns.count, set->count);
        cr_assert_eq(only_window()->vendor_count, 0);
        cr_assert_eq(only_window()->frame_count, ROWS);
        expect_rows(set, 0, ROWS);
        cr_assert_eq(warnings_in(&report), 0);
        dj_text_finish(&text);
    }
}

/* The text is wrapped after commas, as on a web page, so lines may have any length. */
Test(parse_wrapped, rows_wrapped_after_commas_are_joined)
{
    for (size_t i = 1; i < COLUMN_SETS; i++) {
        for (size_t width = 40; width <= 160; width += 4) {
            const struct columns *set = &column_sets[i];
            struct dj_text block = {0};
            struct dj_text text = {0};
            append_framestats(&block, set, ROWS);
            size_t column = 0;
            for (size_t at = 0; at < block.length; at++) {
                size_t next = strcspn(block.data + at, ",\n") + 1;
                if (column + next > width && block.data[at] != '\n' && column > 0) {
                    dj_text_add(&text, "\n");
                    column = 0;
                }
                next = at + next <= block.length ? next : block.length - at;
                dj_text_append(&text, block.data + at, next);
                column = block.data[at + next - 1] == '\n' ? 0 : column + next;
                at += next - 1;
            }
            cr_assert_eq(parse_text(&text), 0);
            cr_assert_eq(only_window()->frame_count, ROWS, "%zu columns at %zu: %zu rows",
                         set->count, width, only_window()->frame_count);
            expect_rows(set, 0, ROWS);
            cr_assert_eq(warnings_in(&report), 0, "%zu columns at %zu: %s", set->count,
                         width, report.warning[0].message);
            dj_text_finish(&block);
            dj_text_finish(&text);
        }
    }
}

/* Only the lines that are longer than the others are wrapped. */
Test(parse_wrapped, only_some_rows_may_be_wrapped)
{
    const struct columns *set = &column_sets[3];
    for (size_t width = 240; width < 300; width++) {
        struct dj_text text = {0};
        append_wrapped(&text, set, ROWS, width);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(only_window()->frame_count, ROWS, "at %zu", width);
        expect_rows(set, 0, ROWS);
        dj_text_finish(&text);
    }
}

Test(parse_wrapped, blank_lines_between_parts_are_ignored)
{
    const struct columns *set = &column_sets[5];
    for (size_t width = 30; width <= 200; width += 10) {
        struct dj_text pieces = {0};
        struct dj_text text = {0};
        append_wrapped(&pieces, set, ROWS, width);
        append_with_prefix(&text, &pieces, "", "\n\n");
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(only_window()->frame_count, ROWS, "at %zu", width);
        expect_rows(set, 0, ROWS);
        cr_assert_eq(warnings_in(&report), 0);
        dj_text_finish(&pieces);
        dj_text_finish(&text);
    }
}

/* Tests vendor columns with and without numbers. */
Test(parse_wrapped, wrapped_vendor_columns_are_joined)
{
    for (size_t width = 30; width <= 200; width++) {
        struct dj_text plain = {0};
        struct dj_text text = {0};
        dj_text_format(&plain, "---PROFILEDATA---\nWallTime,%sTemperature,\n",
                       column_sets[3].names);
        for (size_t n = 0; n < ROWS; n++) {
            dj_text_format(&plain, "%zu,", 1700000000000 + n);
            append_row(&plain, &column_sets[3], n);
            dj_text_format(&plain, "%zu,\n", 350 + n);
        }
        dj_text_add(&plain, "---PROFILEDATA---\n");
        wrap(&text, &plain, width, false);
        cr_assert_eq(parse_text(&text), 0);
        cr_assert_eq(only_window()->frame_count, ROWS, "at %zu: %zu rows", width,
                     only_window()->frame_count);
        cr_assert_eq(only_window()->vendor_count, 2);
        cr_assert_str_eq(only_window()->vendor[0].name, "WallTime");
        cr_assert_str_eq(only_window()->vendor[1].name, "Temperature");
        expect_rows(&column_sets[3], 0, ROWS);
        for (size_t n = 0; n < ROWS; n++) {
            cr_assert_eq(only_window()->vendor_values[2 * n].value,
                         (int64_t)(1700000000000 + n));
            cr_assert_eq(only_window()->vendor_values[2 * n + 1].value,
                         (int64_t)(350 + n));
        }
        dj_text_finish(&plain);
        dj_text_finish(&text);
    }
}

/* The row of one frame with unusual timestamps remains one row, wrapped or not. */
Test(parse_wrapped, unusual_frames_remain_one_row)
{
    static const char *const rows[] = {
        /* A frame of Android 6.0 that the render thread started: the stages of the UI
         * thread are 0. */
        "2,1000000000,1000000000,0,0,0,0,0,0,0,1000500000,1000600000,1000700000,"
        "1000800000,",
        /* FrameCompleted belongs to an earlier frame. */
        "0,1000000000,1000000000,9223372036854775807,0,1000100000,1000200000,1000300000,"
        "1000400000,1000500000,1000600000,1000700000,1000800000,900000000,",
        /* A skipped frame. */
        "8,1000000000,1000000000,9223372036854775807,0,1000100000,1000200000,1000300000,"
        "1000400000,1000500000,1000600000,0,0,0,",
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_text plain = {0};
        dj_text_format(&plain, "---PROFILEDATA---\n%s\n%s\n%s\n---PROFILEDATA---\n",
                       column_sets[1].names, rows[i], rows[i]);
        for (size_t width = 30; width <= 260; width++) {
            struct dj_text text = {0};
            wrap(&text, &plain, width, false);
            cr_assert_eq(parse_text(&text), 0);
            cr_assert_eq(only_window()->frame_count, 2, "row %zu at %zu: %zu rows", i,
                         width, only_window()->frame_count);
            cr_assert_eq(report.rows_bad, 0, "row %zu at %zu", i, width);
            dj_text_finish(&text);
        }
        dj_text_finish(&plain);
    }
}

/* Fails the test unless a title wrapped at this width is joined again and the data after
 * it belongs to its window. */
static void expect_title(const char *indentation, const char *title, int visibility,
                         size_t width)
{
    struct dj_text text = {0};
    struct dj_text wrapped = {0};
    dj_text_format(&text, "%s%s", indentation, title);
    if (visibility >= 0) {
        dj_text_format(&text, " (visibility=%d)", visibility);
    }
    dj_text_add(&text, "\n");
    wrap(&wrapped, &text, width, false);
    dj_text_clear(&text);
    dj_text_add(&text, "** Graphics info for pid 1 [a] **\nTotal frames rendered: 1\n\n"
                       "Profile data in ms:\n\n");
    dj_text_append(&text, wrapped.data, wrapped.length);
    dj_text_add(&text, "\tDraw\tPrepare\tProcess\tExecute\n\t1.00\t2.00\t3.00\t4.00\n"
                       "Total frames rendered: 2\nView hierarchy:\n");
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_eq(only_process()->stats.stats.counter[DJ_COUNTER_TOTAL], 1);
    cr_assert_not_null(only_window()->title, "at %zu", width);
    cr_assert_str_eq(only_window()->title, title, "at %zu", width);
    cr_assert_eq(only_window()->visibility, visibility, "at %zu", width);
    cr_assert_eq(only_window()->stats.stats.counter[DJ_COUNTER_TOTAL], 2);
    cr_assert_eq(only_window()->profile_count, 1);
    cr_assert_eq(warnings_in(&report), 0, "at %zu: %s", width, report.warning[0].message);
    dj_text_finish(&text);
    dj_text_finish(&wrapped);
}

Test(parse_wrapped, titles_wrapped_at_any_width_are_joined)
{
    static const char title[] = "com.example.app/com.example.app.Main/"
                                "android.view.ViewRootImpl@4273b328";
    for (size_t width = 40; width < 110; width++) {
        expect_title("\t", title, 0, width);
        expect_title("\t", title, 8, width);
        expect_title("        ", title, 0, width);
        expect_title("\t", title, -1, width);
    }
}

Test(parse_wrapped, a_truncated_title_is_reported)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [a] **\nProfile data in ms:\n\n"
                       "\tcom.a/com.a.B/android.view.ViewRoo\n\n"
                       "Total frames rendered: 2\n\n\tw (visibility=0)\n"),
                 0);
    cr_assert_eq(only_process()->window_count, 2);
    cr_assert_str_eq(only_process()->windows[0].title,
                     "com.a/com.a.B/android.view.ViewRoo");
    cr_assert_eq(only_process()->windows[0].stats.stats.counter[DJ_COUNTER_TOTAL], 2);
    cr_assert_eq(warning_of("window title is truncated")->line, 4);
}

Test(parse_wrapped, process_names_wrapped_at_any_width_are_joined)
{
    static const char header[] =
        "** Graphics info for pid 853 [com.example.launcher] **\n";
    for (size_t width = 30; width < 60; width++) {
        struct dj_text text = {0};
        struct dj_text wrapped = {0};
        dj_text_add(&text, header);
        wrap(&wrapped, &text, width, false);
        dj_text_add(&wrapped, "\nTotal frames rendered: 1\n");
        cr_assert_eq(parse_text(&wrapped), 0);
        cr_assert_eq(only_process()->pid, 853);
        cr_assert_not_null(only_process()->name, "at %zu", width);
        cr_assert_str_eq(only_process()->name, "com.example.launcher", "at %zu", width);
        cr_assert_eq(warnings_in(&report), 0, "at %zu: %s", width,
                     report.warning[0].message);
        dj_text_finish(&text);
        dj_text_finish(&wrapped);
    }
}

Test(parse_wrapped, a_truncated_process_name_is_reported)
{
    cr_assert_eq(parse("** Graphics info for pid 853 [com.exam\n\nTotal frames "
                       "rendered: 1\n"),
                 0);
    cr_assert_str_eq(only_process()->name, "com.exam");
    cr_assert_eq(warning_of("the process name may be incomplete")->line, 1);
    parse("** Graphics info for pid 853 [\nTotal frames rendered: 1\n");
    cr_assert_null(only_process()->name);
    cr_assert(warned_of("the process name may be incomplete"));
    cr_assert_eq(only_process()->stats.stats.counter[DJ_COUNTER_TOTAL], 1);
}

static void without_markers(struct dj_text *bare, const struct dj_text *text)
{
    static const char marker[] = "---PROFILEDATA---";
    for (const char *at = dj_text_get(text); *at != '\0';) {
        size_t length = strcspn(at, "\n") + 1;
        bool marks = strncmp(at, marker, sizeof(marker) - 1) == 0;
        dj_text_append(bare, at, marks ? 0 : length);
        at += length;
    }
}

/* The data is read as with markers, and a warning reports that they are missing. */
Test(parse_wrapped, a_header_without_a_marker_is_read)
{
    for (size_t i = 1; i < COLUMN_SETS; i++) { /* The first set has no header. */
        struct dj_text plain = {0}, bare = {0}, want = {0}, got = {0};
        append_sample(&plain, &column_sets[i], 5);
        without_markers(&bare, &plain);
        cr_assert_eq(parse_text(&bare), 0);
        describe(&want, &dump, 0);
        for (size_t width = 60; width <= 200; width++) {
            struct dj_text text = {0};
            wrap(&text, &bare, width, false);
            cr_assert_eq(parse_text(&text), 0);
            dj_text_clear(&got);
            describe(&got, &dump, 0);
            expect_same_text(&got, &want, "without markers, at", width);
            cr_assert_gt(warnings_in(&report), 0);
            dj_text_finish(&text);
        }
        dj_text_finish(&plain);
        dj_text_finish(&bare);
        dj_text_finish(&want);
        dj_text_finish(&got);
    }
}
