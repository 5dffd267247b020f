#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "support.h"

static const struct format {
    const char *name;
    void (*pack)(struct dj_text *text, const char *bytes, size_t length);
    size_t mark; /* Number of bytes that show the format. */
} formats[] = {
    {"gzip", gzip_member, 3},
    {"zstd", zstd_frame, 4},
    {"xz", xz_stream, 6},
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

static void expect_lines(const struct dj_text *input, const struct dj_text *plain)
{
    struct dj_text expected = {0};
    dj_text_add(&expected, "<->");
    dj_text_append(&expected, dj_text_get(plain), plain->length);
    expect_taken(input, dj_text_get(&expected));
    dj_text_finish(&expected);
}

Test(packed, one_and_several_compressed_streams_are_decoded)
{
    for (size_t i = 0; i < FORMATS; i++) {
        struct dj_text once = {0};
        struct dj_text plain = {0};
        struct dj_text input = {0};
        put_lines(&once, 500);
        for (int times = 1; times <= 3; times++) {
            formats[i].pack(&input, dj_text_get(&once), once.length);
            dj_text_append(&plain, dj_text_get(&once), once.length);
            expect_lines(&input, &plain);
        }
        formats[i].pack(&input, "", 0);
        expect_lines(&input, &plain);
        dj_text_finish(&once);
        dj_text_finish(&plain);
        dj_text_finish(&input);
    }
}

Test(packed, compressed_empty_data_is_an_empty_text)
{
    for (size_t i = 0; i < FORMATS; i++) {
        struct dj_text input = {0};
        formats[i].pack(&input, "", 0);
        expect_taken(&input, "<->");
        dj_text_finish(&input);
    }
}

Test(packed, every_truncated_stream_is_an_error, .timeout = 60)
{
    for (size_t i = 0; i < FORMATS; i++) {
        struct dj_text plain = {0};
        struct dj_text input = {0};
        put_lines(&plain, 60);
        formats[i].pack(&input, dj_text_get(&plain), plain.length);
        expect_every_cut(&input, dj_text_get(&plain), formats[i].mark);
        dj_text_finish(&plain);
        dj_text_finish(&input);
    }
}

/* All bytes before the truncation are decoded, except a few of the last ones. */
Test(packed, truncated_gzip_loses_almost_nothing)
{
    struct dj_text plain = {0};
    struct dj_text input = {0};
    put_lines(&plain, 1000);
    gzip_member(&input, dj_text_get(&plain), plain.length);
    char *taken = taken_from(dj_text_get(&input), input.length - 9, 0);
    size_t length = (size_t)(strchr(taken, '{') - taken) - strlen("<->");
    cr_assert_geq(length, plain.length - 8);
    free(taken);
    dj_text_finish(&plain);
    dj_text_finish(&input);
}

Test(packed, data_larger_than_the_buffer_is_decoded)
{
    struct dj_text plain = {0};
    put_lines(&plain, 200000);
    for (size_t i = 0; i < FORMATS; i++) {
        struct dj_text input = {0};
        formats[i].pack(&input, dj_text_get(&plain), plain.length);
        for (size_t piece = 0; piece <= 100000; piece += 50000) {
            char *taken = taken_from(dj_text_get(&input), input.length, piece);
            cr_assert_eq(strncmp(taken, "<->", 3), 0);
            cr_assert_str_eq(taken + 3, dj_text_get(&plain), "%s", formats[i].name);
            free(taken);
        }
        dj_text_finish(&input);
    }
    dj_text_finish(&plain);
}

Test(packed, bytes_before_damage_are_read)
{
    for (size_t i = 0; i < FORMATS; i++) {
        struct dj_text plain = {0};
        struct dj_text input = {0};
        put_lines(&plain, 100000);
        formats[i].pack(&input, dj_text_get(&plain), plain.length);
        memset(input.data + input.length / 2, 0xA5, 64);
        char *taken = taken_from(dj_text_get(&input), input.length, 0);
        /* xz detects damage late, so it may return wrong bytes after the damage. */
        char *error = strstr(taken, "{input: damaged");
        cr_assert(error != NULL, "%s", formats[i].name);
        cr_assert_gt(error - taken, (ptrdiff_t)plain.length / 4, "%s", formats[i].name);
        cr_assert_eq(memcmp(taken + 3, dj_text_get(&plain), plain.length / 4), 0);
        free(taken);
        dj_text_finish(&plain);
        dj_text_finish(&input);
    }
}

Test(packed, a_wrong_checksum_is_reported_after_the_bytes)
{
    struct dj_text input = {0};
    gzip_member(&input, "lines\n", 6);
    input.data[input.length - 8] ^= 1;
    char *taken = taken_from(dj_text_get(&input), input.length, 0);
    cr_assert_eq(strncmp(taken, "<->lines\n{input: damaged before byte", 36), 0, "%s",
                 taken);
    free(taken);
    dj_text_finish(&input);
}

Test(packed, zeros_after_gzip_are_skipped)
{
    struct dj_text input = {0};
    gzip_member(&input, "lines\n", 6);
    for (int i = 0; i < 700; i++) {
        dj_text_append(&input, "\0", 1);
    }
    expect_taken(&input, "<->lines\n");
    gzip_member(&input, "more\n", 5);
    expect_taken(&input, "<->lines\nmore\n");
    dj_text_finish(&input);
}

Test(packed, other_data_after_the_end_is_an_error)
{
    for (size_t i = 0; i < FORMATS; i++) {
        struct dj_text input = {0};
        formats[i].pack(&input, "lines\n", 6);
        dj_text_add(&input, "no such data");
        char *taken = taken_from(dj_text_get(&input), input.length, 0);
        cr_assert_eq(strncmp(taken, "<->lines\n{input: ", 17), 0, "%s: %s",
                     formats[i].name, taken);
        free(taken);
        dj_text_finish(&input);
    }
}

Test(packed, skippable_zstd_frames_are_skipped)
{
    struct dj_text input = {0};
    dj_text_append(&input, "\x5a\x2a\x4d\x18\3\0\0\0abc", 11);
    zstd_frame(&input, "lines\n", 6);
    dj_text_append(&input, "\x50\x2a\x4d\x18\0\0\0\0", 8);
    zstd_frame(&input, "more\n", 5);
    expect_taken(&input, "<->lines\nmore\n");
    dj_text_finish(&input);
}

Test(packed, zstd_that_needs_too_much_memory_is_refused)
{
    struct dj_text input = {0};
    /* A frame of unknown length with a window of 2^28 bytes, and an empty last block. */
    dj_text_append(&input, "\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00", 9);
    char *taken = taken_from(dj_text_get(&input), input.length, 0);
    cr_assert(strstr(taken, "{input: damaged") != NULL || strstr(taken, "memory") != NULL,
              "%s", taken);
    cr_assert(strstr(taken, "memory") != NULL, "%s", taken);
    free(taken);
    dj_text_finish(&input);
}

Test(packed, nested_compression_and_utf16_are_decoded)
{
    struct dj_text layer = {0};
    dj_text_append(&layer,
                   "\xff\xfe"
                   "a\0\n\0",
                   6);
    for (size_t i = 0; i < 6; i++) {
        struct dj_text next = {0};
        formats[i % FORMATS].pack(&next, dj_text_get(&layer), layer.length);
        dj_text_finish(&layer);
        layer = next;
    }
    expect_taken(&layer, "<->a\n");
    dj_text_finish(&layer);
}

Test(packed, too_many_layers_are_refused)
{
    struct dj_text layer = {0};
    dj_text_add(&layer, "lines\n");
    for (size_t i = 0; i < 8; i++) {
        struct dj_text next = {0};
        gzip_member(&next, dj_text_get(&layer), layer.length);
        dj_text_finish(&layer);
        layer = next;
    }
    expect_taken(&layer, "{input: compressed or archived more than 7 times}");
    dj_text_finish(&layer);
}

Test(packed, unsupported_formats_are_named_with_their_unpacker)
{
    struct dj_text input = {0};
    dj_text_add(&input, "BZh91AY&SY");
    expect_taken(&input, "{input: cannot read bzip2 data; unpack it first with bunzip2}");
    dj_text_clear(&input);
    dj_text_append(&input, "7z\xbc\xaf\x27\x1c\0\4", 8);
    expect_taken(&input, "{input: cannot read 7-Zip data; unpack it first with 7z x}");
    dj_text_finish(&input);
}

Test(packed, huge_decoded_data_is_returned_in_parts)
{
    static char zeros[1 << 20];
    struct dj_text input = {0};
    memset(zeros, '0', sizeof(zeros));
    for (int i = 0; i < 64; i++) {
        gzip_member(&input, zeros, sizeof(zeros));
    }
    char *taken = taken_from(dj_text_get(&input), input.length, 0);
    cr_assert_eq(strlen(taken), 3 + 64 * sizeof(zeros));
    free(taken);
    dj_text_finish(&input);
}
