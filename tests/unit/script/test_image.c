#include <criterion/criterion.h>
#include <string.h>

#include "script/image.h"

/* Creates an image of 4 × 3 different pixels. */
static struct dj_image made(void)
{
    struct dj_image image = {.width = 4, .height = 3, .argb = malloc(12 * 4)};
    for (uint32_t i = 0; i < 12; i++) {
        image.argb[i] = 0xff000000u | i << 16 | (255 - i) << 8 | i * 7;
    }
    return image;
}

Test(image, a_png_preserves_every_pixel)
{
    struct dj_image image = made(), back = {.argb = NULL};
    struct dj_text png = {0};
    image.argb[0] = 0x00000000; /* Transparent. */
    image.argb[1] = 0x80123456; /* Half transparent. */
    cr_assert_eq(dj_image_encode(&image, &png, NULL), 0);
    cr_assert_eq(memcmp(png.data, "\x89PNG\r\n\x1a\n", 8), 0);
    cr_assert_eq(dj_image_decode(png.data, png.length, &back, NULL), 0);
    cr_assert_eq(back.width, 4);
    cr_assert_eq(back.height, 3);
    cr_assert_arr_eq(back.argb, image.argb, 12 * 4);
    cr_assert_eq(dj_image_pixel(&back, 1, 2), image.argb[9]);
    dj_text_finish(&png);
    dj_image_finish(&image);
    dj_image_finish(&back);
}

Test(image, equal_pixels_give_equal_bytes)
{
    struct dj_image image = made();
    struct dj_text first = {0}, second = {0};
    cr_assert_eq(dj_image_encode(&image, &first, NULL), 0);
    cr_assert_eq(dj_image_encode(&image, &second, NULL), 0);
    cr_assert_eq(first.length, second.length);
    cr_assert_arr_eq(first.data, second.data, first.length);
    dj_text_finish(&first);
    dj_text_finish(&second);
    dj_image_finish(&image);
}

Test(image, a_truncated_or_damaged_png_is_an_error_at_every_byte)
{
    struct dj_image image = made();
    struct dj_text png = {0};
    cr_assert_eq(dj_image_encode(&image, &png, NULL), 0);
    for (size_t length = 0; length < png.length - 16; length++) {
        struct dj_image back = {.argb = NULL};
        struct dj_error err = {0};
        cr_assert_lt(dj_image_decode(png.data, length, &back, &err), 0, "%zu bytes",
                     length);
        cr_assert_neq(err.message[0], '\0');
        cr_assert_null(back.argb);
    }
    dj_text_finish(&png);
    dj_image_finish(&image);
}

Test(image, other_data_is_reported_as_no_png)
{
    static const char text[] = "Error: no display";
    struct dj_image back = {.argb = NULL};
    struct dj_error err = {0};
    cr_assert_eq(dj_image_decode(text, sizeof(text) - 1, &back, &err), DJ_E_INVALID);
    cr_assert_not_null(strstr(err.message, "not a PNG"));
}

Test(image, an_oversized_header_is_refused_before_allocation)
{
    /* 20000 × 1 pixels with one bit each. The data after the header does not matter. */
    static const unsigned char header[] = {
        0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0,    0, 0, 13,
        'I',  'H', 'D', 'R', 0,    0,    0x4e, 0x20, 0,    0, 0, 1,
        1,    0,   0,   0,   0,    0x80, 0xb6, 0xbc, 0x04, 0, 0, 0,
        1,    'I', 'D', 'A', 'T',  0,    0,    0,    0,    0};
    struct dj_image back = {.argb = NULL};
    struct dj_error err = {0};
    int code = dj_image_decode(header, sizeof(header), &back, &err);
    cr_assert(code == DJ_E_LIMIT || code == DJ_E_INVALID);
    cr_assert_null(back.argb);
}

Test(image, a_part_inside_the_image_is_copied)
{
    struct dj_image image = made(), part = {.argb = NULL};
    cr_assert_eq(dj_image_copy_part(&image, 1, 1, 2, 2, &part, NULL), 0);
    cr_assert_eq(part.width, 2);
    cr_assert_eq(part.height, 2);
    cr_assert_eq(part.argb[0], image.argb[5]);
    cr_assert_eq(part.argb[3], image.argb[10]);
    dj_image_finish(&part);
    cr_assert_eq(dj_image_copy_part(&image, 0, 0, 4, 3, &part, NULL), 0);
    cr_assert_arr_eq(part.argb, image.argb, 12 * 4);
    dj_image_finish(&part);
    dj_image_finish(&image);
}

Test(image, a_part_outside_the_image_is_refused)
{
    static const int64_t rects[][4] = {
        {-1, 0, 1, 1}, {0, -1, 1, 1},        {0, 0, 0, 1},        {0, 0, 1, 0},
        {4, 0, 1, 1},  {0, 3, 1, 1},         {3, 0, 2, 1},        {0, 2, 1, 2},
        {0, 0, 5, 3},  {1, 1, INT64_MAX, 1}, {INT64_MAX, 0, 1, 1}};
    struct dj_image image = made();
    for (size_t i = 0; i < sizeof(rects) / sizeof(rects[0]); i++) {
        struct dj_image part = {.argb = NULL};
        struct dj_error err = {0};
        cr_assert_eq(dj_image_copy_part(&image, rects[i][0], rects[i][1], rects[i][2],
                                        rects[i][3], &part, &err),
                     DJ_E_USAGE, "rect %zu", i);
        cr_assert_not_null(strstr(err.message, "4 × 3"));
        cr_assert_null(part.argb);
    }
    dj_image_finish(&image);
}

Test(image, same_counts_identical_pixels)
{
    struct dj_image image = made(), other = made();
    cr_assert(dj_image_is_same(&image, &other, 1.0));
    other.argb[7] ^= 1;
    cr_assert_not(dj_image_is_same(&image, &other, 1.0));
    cr_assert(dj_image_is_same(&image, &other, 11.0 / 12));
    cr_assert_not(dj_image_is_same(&image, &other, 0.92));
    other.argb[7] ^= 0x01000001; /* Only alpha differs. */
    cr_assert_not(dj_image_is_same(&image, &other, 1.0));
    for (size_t i = 0; i < 12; i++) {
        other.argb[i] = ~image.argb[i];
    }
    cr_assert(dj_image_is_same(&image, &other, 0.0));
    cr_assert_not(dj_image_is_same(&image, &other, 0.01));
    other.width = 3;
    other.height = 4;
    cr_assert_not(dj_image_is_same(&image, &other, 0.0), "another shape");
    dj_image_finish(&image);
    dj_image_finish(&other);
}

static void as_a_terminal(const struct dj_text *png, struct dj_text *mangled)
{
    for (size_t i = 0; i < png->length; i++) {
        dj_text_append(mangled, png->data[i] == '\n' ? "\r\n" : png->data + i,
                       png->data[i] == '\n' ? 2 : 1);
    }
}

Test(image, terminal_line_ends_are_repaired)
{
    struct dj_image image = made();
    struct dj_text png = {0}, mangled = {0};
    for (uint32_t i = 0; i < 12; i++) {
        image.argb[i] = 0xff0d0a0a + i % 3; /* The data also contains line ends. */
    }
    cr_assert_eq(dj_image_encode(&image, &png, NULL), 0);
    dj_text_append(&png, "\r\n\r\r\n\n\r", 7);
    as_a_terminal(&png, &mangled);
    cr_assert_gt(mangled.length, png.length);
    dj_image_repair_line_ends(&mangled);
    cr_assert_eq(mangled.length, png.length);
    cr_assert_arr_eq(mangled.data, png.data, png.length);
    dj_image_repair_line_ends(&mangled);
    cr_assert_eq(mangled.length, png.length, "an intact image is not changed");
    dj_text_finish(&png);
    dj_text_finish(&mangled);
    dj_image_finish(&image);
}

Test(image, repair_does_not_change_other_text)
{
    struct dj_text text = {0};
    dj_text_add(&text, "error\r\n");
    dj_image_repair_line_ends(&text);
    cr_assert_str_eq(dj_text_get(&text), "error\r\n");
    dj_text_finish(&text);
    dj_image_repair_line_ends(&text);
}
