#include "base/proto.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define BYTES(literal) ((struct dj_str){(literal), sizeof(literal) - 1})
#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

static struct dj_str written(const struct dj_text *text)
{
    return (struct dj_str){dj_text_get(text), text->length};
}

static const uint64_t numbers[] = {
    0,         1,         127, 128, 300, 16383, 16384, UINT32_MAX, UINT64_C(1) << 35,
    INT64_MAX, UINT64_MAX};
static const uint32_t fields[] = {1, 15, 16, 2047, 2048, (1 << 29) - 1};

static struct dj_proto_field only_field(struct dj_str bytes)
{
    struct dj_proto_message message = dj_proto_open(bytes);
    struct dj_proto_field field = {0}, other;
    cr_assert(dj_proto_next(&message, &field));
    cr_assert(!dj_proto_next(&message, &other) && !message.failed);
    return field;
}

Test(proto, numbers_are_read_as_written)
{
    for (size_t i = 0; i < ROWS(numbers); i++) {
        for (size_t k = 0; k < ROWS(fields); k++) {
            struct dj_text text = {0};
            dj_proto_add_uint(&text, fields[k], numbers[i]);
            struct dj_proto_field field = only_field(written(&text));
            cr_expect(field.number == fields[k] && field.value == numbers[i] &&
                      field.wire == DJ_PROTO_VARINT);
            dj_text_clear(&text);
            dj_proto_add_fixed64(&text, fields[k], numbers[i]);
            field = only_field(written(&text));
            cr_expect(field.number == fields[k] && field.value == numbers[i] &&
                      field.wire == DJ_PROTO_FIXED64);
            dj_text_finish(&text);
        }
    }
}

Test(proto, the_bytes_match_the_encoding_guide)
{
    struct dj_text text = {0};
    dj_proto_add_uint(&text, 1, 150);
    dj_proto_add_string(&text, 2, "testing");
    dj_proto_add_int(&text, 1, -2);
    dj_proto_add_fixed64(&text, 3, 1);
    dj_proto_add_varint(&text, 86942);
    dj_proto_add_bytes(&text, 2, (struct dj_str){0});
    cr_expect(
        dj_str_equal(written(&text), BYTES("\x08\x96\x01\x12\x07testing"
                                           "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01"
                                           "\x19\x01\0\0\0\0\0\0\0\x9e\xa7\x05\x12\0")));
    dj_text_finish(&text);
}

Test(proto, nested_messages_of_every_length_size)
{
    for (size_t length = 0; length < 40000; length = 3 * length + 1) {
        struct dj_text text = {0};
        size_t outer = dj_proto_begin(&text, 1);
        size_t inner = dj_proto_begin(&text, 200);
        for (size_t i = 0; i < length; i++) {
            dj_proto_add_uint(&text, 3, i & 63);
        }
        dj_proto_end(&text, inner);
        dj_proto_add_uint(&text, 4, 5);
        dj_proto_end(&text, outer);
        struct dj_proto_field field = only_field(written(&text));
        struct dj_proto_message message = dj_proto_open(field.bytes);
        cr_assert(dj_proto_next(&message, &field) && field.number == 200);
        cr_expect_eq(field.bytes.length, 2 * length);
        struct dj_proto_message values = dj_proto_open(field.bytes);
        size_t read = 0;
        while (dj_proto_next(&values, &field)) {
            cr_assert(field.number == 3 && field.value == (read & 63));
            read++;
        }
        cr_expect_eq(read, length);
        cr_assert(dj_proto_next(&message, &field) && field.number == 4);
        dj_text_finish(&text);
    }
}

Test(proto, a_full_text_sets_failed)
{
    struct dj_text text = {.maximum = 140};
    char filler[130] = {0};
    size_t opened = dj_proto_begin(&text, 1);
    dj_proto_add_bytes(&text, 1, (struct dj_str){filler, sizeof(filler)});
    dj_proto_add_uint(&text, 1, UINT64_MAX);
    cr_expect(text.failed);
    dj_proto_end(&text, opened);
    dj_text_finish(&text);
}

Test(proto, invalid_utf8_in_strings_is_replaced)
{
    struct dj_text text = {0};
    dj_proto_add_text(&text, 1, BYTES("a\xff\xc3\xa4\xc3"));
    cr_expect(dj_str_equal(only_field(written(&text)).bytes,
                           BYTES("a\xef\xbf\xbd\xc3\xa4\xef\xbf\xbd")));
    dj_text_clear(&text);
    dj_proto_add_bytes(&text, 1, BYTES("a\xff"));
    cr_expect(dj_str_equal(only_field(written(&text)).bytes, BYTES("a\xff")));
    dj_text_finish(&text);
}

struct odd {
    struct dj_str bytes;
    enum dj_proto_outcome outcome; /* Expected outcome of reading the first field. */
    size_t left;                   /* Number of bytes after the first field. */
};

static const struct odd odds[] = {
    {{"", 0}, DJ_PROTO_END, 0},
    {{"\x08", 1}, DJ_PROTO_TRUNCATED, 1},
    {{"\x80", 1}, DJ_PROTO_TRUNCATED, 1},
    {{"\x08\x80\x80", 3}, DJ_PROTO_TRUNCATED, 3},
    {{"\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 12}, DJ_PROTO_INVALID, 12},
    {{"\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 11}, DJ_PROTO_FIELD, 0},
    {{"\x88\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 12}, DJ_PROTO_INVALID, 12},
    {{"\x00\x01", 2}, DJ_PROTO_INVALID, 2}, /* Field number 0. */
    /* Field number of more than 29 bits. */
    {{"\x80\x80\x80\x80\x80\x01\x01", 7}, DJ_PROTO_INVALID, 7},
    {{"\x0b\x0c", 2}, DJ_PROTO_INVALID, 2}, /* A group. */
    {{"\x0e\x01", 2}, DJ_PROTO_INVALID, 2},
    {{"\x0f\x01", 2}, DJ_PROTO_INVALID, 2},
    {{"\x09\1\2\3\4\5\6\7", 8}, DJ_PROTO_TRUNCATED, 8},
    {{"\x0d\1\2\3", 4}, DJ_PROTO_TRUNCATED, 4},
    {{"\x0d\1\2\3\4\5", 6}, DJ_PROTO_FIELD, 1},
    {{"\x0a\x03"
      "ab",
      4},
     DJ_PROTO_PART,
     0},
    {{"\x0a\x80\x01"
      "ab",
      5},
     DJ_PROTO_PART,
     0},
    {{"\x0a\x05", 2}, DJ_PROTO_PART, 0},
    {{"\x0a", 1}, DJ_PROTO_TRUNCATED, 1},
    {{"\x0a\x80", 2}, DJ_PROTO_TRUNCATED, 2},
    {{"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01z", 12}, DJ_PROTO_PART, 0},
    {{"\x0a\0z", 3}, DJ_PROTO_FIELD, 1},
};

Test(proto, next_part_returns_the_reason_for_no_field)
{
    for (size_t i = 0; i < ROWS(odds); i++) {
        /* Copies the bytes to the heap, so that AddressSanitizer reports a read after
         * their end. */
        size_t length = odds[i].bytes.length;
        char *copy = malloc(length + (length == 0));
        memcpy(copy, odds[i].bytes.at, length);
        struct dj_str bytes = {copy, length};
        struct dj_proto_message part = dj_proto_open(bytes);
        struct dj_proto_message plain = part;
        struct dj_proto_field field;
        enum dj_proto_outcome outcome = dj_proto_next_part(&part, &field);
        cr_expect_eq(outcome, odds[i].outcome, "%zu: %d", i, outcome);
        cr_expect_eq((size_t)(part.end - part.at), odds[i].left, "%zu", i);
        bool read = dj_proto_next(&plain, &field);
        cr_expect_eq(read, outcome == DJ_PROTO_FIELD, "%zu", i);
        cr_expect_eq(plain.failed, !read && outcome != DJ_PROTO_END, "%zu", i);
        free(copy);
    }
}

Test(proto, a_truncated_field_returns_the_available_bytes)
{
    struct dj_proto_message message = dj_proto_open(BYTES("\x0a\x04"
                                                          "ab"));
    struct dj_proto_field field;
    cr_assert_eq(dj_proto_next_part(&message, &field), DJ_PROTO_PART);
    cr_expect(dj_str_is(field.bytes, "ab") && field.number == 1);
    cr_expect_eq(dj_proto_next_part(&message, &field), DJ_PROTO_END);
}

/* Truncates each message at each byte, and changes each byte. Reading must stay within
 * the bytes. */
Test(proto, damaged_messages_are_read_within_their_bytes)
{
    struct dj_text text = {0};
    size_t opened = dj_proto_begin(&text, 1000);
    dj_proto_add_uint(&text, 1, UINT64_MAX);
    dj_proto_add_string(&text, 2, "string");
    dj_proto_add_fixed64(&text, 3, 7);
    dj_proto_end(&text, opened);
    dj_proto_add_uint(&text, 70000, 300);
    for (size_t cut = 0; cut <= text.length; cut++) {
        for (unsigned changed = 0; changed < 256 * (unsigned)cut; changed += 3) {
            char *copy = malloc(cut + 1);
            memcpy(copy, text.data, cut);
            copy[changed / 256] = (char)changed;
            struct dj_proto_message message = dj_proto_open((struct dj_str){copy, cut});
            struct dj_proto_field field;
            size_t count = 0;
            while (dj_proto_next(&message, &field)) {
                const uint8_t *end = (const uint8_t *)copy + cut;
                cr_assert(message.at <= end && field.number != 0 && ++count <= cut);
                cr_assert(field.wire != DJ_PROTO_BYTES ||
                          field.bytes.length <= cut - count);
            }
            cr_assert(message.failed || message.at == message.end);
            free(copy);
        }
    }
    dj_text_finish(&text);
}

Test(proto, packed_numbers_are_read_up_to_a_truncated_one)
{
    struct dj_text text = {0};
    uint64_t got[ROWS(numbers) + 1], value;
    for (size_t i = 0; i < ROWS(numbers); i++) {
        dj_proto_add_varint(&text, numbers[i]);
    }
    struct dj_proto_message list = dj_proto_open(written(&text));
    cr_assert_eq(dj_proto_varints(&list, got, ROWS(got)), ROWS(numbers));
    for (size_t i = 0; i < ROWS(numbers); i++) {
        cr_expect_eq(got[i], numbers[i]);
    }
    struct dj_str cut = {text.data, text.length - 1};
    list = dj_proto_open(cut);
    cr_expect_eq(dj_proto_varints(&list, got, ROWS(got)), ROWS(numbers) - 1);
    cr_expect(!dj_proto_varint(&list, &value));
    dj_text_finish(&text);
}

Test(proto, collects_the_last_occurrence_of_each_field)
{
    struct dj_text text = {0};
    dj_proto_add_uint(&text, 1, 5);
    dj_proto_add_uint(&text, 1, 6);
    dj_proto_add_string(&text, 2, "ab");
    dj_proto_add_uint(&text, 9, 1);
    struct dj_proto_field got[4];
    cr_expect(dj_proto_collect(written(&text), got, 4));
    cr_expect(dj_proto_int(&got[1]) == 6 && dj_proto_int(&got[2]) == 0);
    cr_expect(dj_str_is(dj_proto_bytes(&got[2]), "ab"));
    cr_expect(dj_str_is(dj_proto_bytes(&got[1]), "") && got[3].number == 0);
    dj_text_append(&text, "\x18", 1);
    cr_expect(!dj_proto_collect(written(&text), got, 4) && dj_proto_int(&got[1]) == 6);
    dj_text_finish(&text);
}

Test(proto, doubles_are_rounded_to_integers)
{
    static const struct {
        double value;
        int64_t whole;
    } cases[] = {{0.5, 1},           {-0.5, -1},          {2.4, 2},
                 {1e300, INT64_MAX}, {-1e300, INT64_MIN}, {0.0 / 0.0, 0}};
    for (size_t i = 0; i < ROWS(cases); i++) {
        uint64_t bits;
        memcpy(&bits, &cases[i].value, sizeof(bits));
        cr_expect_eq(dj_proto_read_whole(bits), cases[i].whole, "%zu", i);
    }
}
