/* Reads any text as gfxinfo, prints the result, and reads and prints this output again.
 * Both outputs must be equal, unless reading the first one causes warnings. Then both
 * must have the same number of rows. Also reads the text in pieces. The pieces must give
 * as many rows and bad rows as the whole text, and the same warnings at the same
 * places. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/parse.h"
#include "gfxinfo/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_and_print(const char *bytes, size_t length, struct dj_text *printed,
                          struct dj_parse_report *report)
{
    struct dj_print_options options = {.dialect = dj_frame_dialect_default(),
                                       .framestats = true};
    struct dj_dump dump;
    struct dj_error err = {0};
    int code = dj_gfxinfo_parse_dump(bytes, length, &dump, report, &err);
    if (report->rows_bad > report->rows || (code != 0 && err.message[0] == '\0')) {
        abort();
    }
    if (code == 0) {
        dj_gfxinfo_print_dump(printed, &dump, &options);
    }
    dj_gfxinfo_dump_finish(&dump);
    return code;
}

static int pass_over(void *data, struct dj_dump *dump)
{
    (void)data;
    (void)dump;
    return 0;
}

/* Parses the text in pieces of pseudorandom lengths. The length of the text is the seed.
 * Each piece is in its own memory, so that a sanitizer finds reads of earlier pieces. */
static void read_in_pieces(const char *bytes, size_t length,
                           struct dj_parse_report *report)
{
    struct dj_parser *parser = dj_gfxinfo_parser_create(pass_over, NULL, report);
    if (parser == NULL) {
        abort();
    }
    uint32_t state = (uint32_t)length * 2654435761U + 1;
    for (size_t at = 0; at < length;) {
        state = state * 1664525U + 1013904223U;
        size_t piece = 1 + (state >> 16) % (state % 4 == 0 ? 200 : 9);
        piece = piece < length - at ? piece : length - at;
        char *copy = malloc(piece);
        if (copy == NULL) {
            abort();
        }
        memcpy(copy, bytes + at, piece);
        if (dj_gfxinfo_parser_feed(parser, copy, piece) != 0) {
            abort();
        }
        free(copy);
        at += piece;
    }
    if (dj_gfxinfo_parser_end(parser) != 0) {
        abort();
    }
    dj_gfxinfo_parser_destroy(parser);
}

static void expect_same(const struct dj_parse_report *whole,
                        const struct dj_parse_report *pieces)
{
    bool same = whole->rows == pieces->rows && whole->rows_bad == pieces->rows_bad &&
                whole->warning_count == pieces->warning_count &&
                whole->lines == pieces->lines && whole->bytes == pieces->bytes &&
                whole->seen == pieces->seen && whole->refusal == pieces->refusal &&
                whole->refusal_byte == pieces->refusal_byte;
    for (size_t i = 0; same && i < whole->warning_count && i < DJ_PARSE_WARNINGS; i++) {
        same = whole->warning[i].line == pieces->warning[i].line &&
               whole->warning[i].byte == pieces->warning[i].byte &&
               strcmp(whole->warning[i].message, pieces->warning[i].message) == 0;
    }
    if (!same) {
        abort();
    }
}

static void expect_printed_alike(const struct dj_text *first)
{
    static struct dj_parse_report again;
    static struct dj_parse_report last;
    struct dj_text second = {0};
    struct dj_text third = {0};
    if (read_and_print(dj_text_get(first), first->length, &second, &again) != 0) {
        abort();
    }
    bool same = first->length == second.length &&
                memcmp(dj_text_get(first), dj_text_get(&second), first->length) == 0;
    if (!same &&
        (again.warning_count == 0 ||
         read_and_print(dj_text_get(&second), second.length, &third, &last) != 0 ||
         last.rows != again.rows)) {
        abort();
    }
    dj_text_finish(&second);
    dj_text_finish(&third);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct dj_parse_report whole;
    static struct dj_parse_report pieces;
    struct dj_text first = {0};
    int code = read_and_print((const char *)data, size, &first, &whole);
    read_in_pieces((const char *)data, size, &pieces);
    expect_same(&whole, &pieces);
    if (code == 0) {
        expect_printed_alike(&first);
    }
    dj_text_finish(&first);
    return 0;
}
