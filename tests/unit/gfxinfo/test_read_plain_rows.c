/* Tests tables with numbers of every length. The parser assumes that a row looks like
 * the row above it, and must also read other rows right. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "gfxinfo/parse.h"

enum { ROWS = 300 };

static uint64_t state = 1;

static uint64_t next_random(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state >> 24;
}

/* Returns a number with 1 to 19 digits, all equally likely. Some numbers are negative or
 * a special value of hwui. */
static int64_t any_number(void)
{
    uint64_t bound = 10;
    for (uint64_t digits = next_random() % 19; digits > 0; digits--) {
        bound = bound > UINT64_MAX / 10 ? UINT64_MAX : bound * 10;
    }
    int64_t value = (int64_t)((next_random() << 24 ^ next_random()) % bound & INT64_MAX);
    switch (next_random() % 16) {
    case 0:
        return -value;
    case 1:
        return INT64_MAX;
    case 2:
        return 0;
    case 3:
        return INT64_MIN + (int64_t)(next_random() % 3);
    default:
        return value;
    }
}

/* Most numbers are as long as those of the row above. `wild` of 16 numbers are not. */
static int64_t numbers[ROWS][DJ_COLUMN_COUNT];

static int64_t number_at(size_t row, size_t i, enum dj_column column, unsigned wild)
{
    switch (column) {
    case DJ_COLUMN_FLAGS: /* A line with larger flags does not begin a row. */
        return (int64_t)row % 2 * 2;
    /* The values distinguish this column from FrameStartTime. */
    case DJ_COLUMN_FRAME_INTERVAL:
        return 16666667 - (int64_t)row * 50000;
    case DJ_COLUMN_FRAME_START_TIME:
        return INT64_C(99999999999) + (int64_t)row;
    default:
        return row == 0 || next_random() % 16 < wild
                   ? any_number()
                   : numbers[row - 1][i] ^ (int64_t)(row % 2);
    }
}

static void fill_numbers(const struct dj_column_list *columns, unsigned wild)
{
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < columns->count; i++) {
            numbers[row][i] = number_at(row, i, (enum dj_column)columns->column[i], wild);
        }
    }
}

static void write_block(struct dj_text *text, const struct dj_column_list *columns,
                        bool comma, const char *newline)
{
    const char *end = comma ? "," : "";
    dj_text_add(text, "---PROFILEDATA---\n");
    for (size_t i = 0; i < columns->count; i++) {
        dj_text_format(text, "%s%s", i > 0 ? "," : "",
                       dj_frame_column_name((enum dj_column)columns->column[i]));
    }
    dj_text_format(text, "%s%s", end, newline);
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < columns->count; i++) {
            dj_text_add(text, i > 0 ? "," : "");
            dj_text_append_int(text, numbers[row][i]);
        }
        dj_text_format(text, "%s%s", end, newline);
    }
    dj_text_add(text, "---PROFILEDATA---\n");
}

static void expect_numbers(const struct dj_dump *dump,
                           const struct dj_column_list *columns)
{
    cr_assert_eq(dump->process_count, 1);
    cr_assert_eq(dump->processes[0].window_count, 1);
    const struct dj_dump_window *window = &dump->processes[0].windows[0];
    cr_assert_eq(window->frame_count, ROWS);
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < columns->count; i++) {
            enum dj_column column = (enum dj_column)columns->column[i];
            cr_assert(dj_frame_has(&window->frames[row], column));
            cr_assert_eq(window->frames[row].value[column], numbers[row][i],
                         "row %zu, %s", row, dj_frame_column_name(column));
        }
        for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
            cr_assert(dj_frame_has(&window->frames[row], (enum dj_column)i) ||
                          window->frames[row].value[i] == 0,
                      "unknown columns are 0");
        }
    }
}

/* The buffer ends with the text, so that a sanitizer detects each byte read after it. */
static void expect_read(const struct dj_text *text, const struct dj_column_list *columns)
{
    char *exact = malloc(text->length);
    struct dj_dump dump;
    struct dj_parse_report report;
    struct dj_error err = {0};
    cr_assert_not_null(exact);
    memcpy(exact, text->data, text->length);
    cr_assert_eq(dj_gfxinfo_parse_dump(exact, text->length, &dump, &report, &err), 0);
    cr_assert_eq(report.warning_count, 0, "%s", report.warning[0].message);
    cr_assert_eq(report.rows, ROWS);
    expect_numbers(&dump, columns);
    dj_gfxinfo_dump_finish(&dump);
    free(exact);
}

static int compare_dump(void *data, struct dj_dump *dump)
{
    expect_numbers(dump, data);
    return 0;
}

static void expect_read_in_pieces(const struct dj_text *text,
                                  const struct dj_column_list *columns, size_t piece)
{
    static struct dj_parse_report report;
    struct dj_parser *parser =
        dj_gfxinfo_parser_create(compare_dump, (void *)columns, &report);
    cr_assert_not_null(parser);
    for (size_t from = 0; from < text->length; from += piece) {
        size_t left = text->length - from;
        char *exact = malloc(left < piece ? left : piece);
        cr_assert_not_null(exact);
        memcpy(exact, text->data + from, left < piece ? left : piece);
        cr_assert_eq(dj_gfxinfo_parser_feed(parser, exact, left < piece ? left : piece),
                     0);
        free(exact);
    }
    cr_assert_eq(dj_gfxinfo_parser_end(parser), 0);
    cr_assert_eq(report.warning_count, 0, "%s", report.warning[0].message);
    cr_assert_eq(report.rows, ROWS);
    dj_gfxinfo_parser_destroy(parser);
}

static void expect_tables(const struct dj_column_list *columns, unsigned wild)
{
    static const char *const newlines[] = {"\n", "\r\n"};
    static const size_t pieces[] = {7, 100, 301, 4096};
    for (size_t n = 0; n < 2; n++) {
        for (int comma = 0; comma < 2; comma++) {
            struct dj_text text = {0};
            fill_numbers(columns, wild);
            write_block(&text, columns, comma != 0, newlines[n]);
            expect_read(&text, columns);
            for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
                expect_read_in_pieces(&text, columns, pieces[i]);
            }
            dj_text_finish(&text);
        }
    }
}

Test(plain_rows, rows_of_any_numbers_are_read)
{
    for (size_t i = 0; dj_frame_dialect_at(i) != NULL; i++) {
        const struct dj_dialect *dialect = dj_frame_dialect_at(i);
        if (dialect->columns.count > 0) {
            expect_tables(&dialect->columns, 0);
            expect_tables(&dialect->columns, 1);
            expect_tables(&dialect->columns, 16);
        }
    }
}
