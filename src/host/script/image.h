/* Images of a screen. Reads and writes PNG. */
#ifndef DEJANK_SCRIPT_IMAGE_H
#define DEJANK_SCRIPT_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum {
    DJ_IMAGE_SIDE_MAX = 16384, /* Maximum width and height in pixels. */
    /* Maximum number of pixels. They need 256 MiB of memory. */
    DJ_IMAGE_PIXELS_MAX = 64 * 1024 * 1024
};

/* An image. Initialize it with zero. Finish it even after an error. */
struct dj_image {
    uint32_t width, height;
    /* Pixels as 0xAARRGGBB, not premultiplied. The first row is the top one. Owned by
     * this struct. */
    uint32_t *argb;
};

void dj_image_finish(struct dj_image *image);

/* Decodes a PNG. Returns DJ_E_INVALID if the PNG is damaged or truncated, or DJ_E_LIMIT
 * if the image is too large. */
int dj_image_decode(const void *bytes, size_t size, struct dj_image *image,
                    struct dj_error *err);

/* Appends the image as a lossless PNG. Equal pixels give equal bytes. */
int dj_image_encode(const struct dj_image *image, struct dj_text *png,
                    struct dj_error *err);

/* Returns the pixel as 0xAARRGGBB. x and y must be inside the image. */
uint32_t dj_image_pixel(const struct dj_image *image, uint32_t x, uint32_t y);

/* Copies a part of the image. Returns DJ_E_USAGE if the part is empty or not inside the
 * image. */
int dj_image_copy_part(const struct dj_image *image, int64_t x, int64_t y, int64_t width,
                       int64_t height, struct dj_image *part, struct dj_error *err);

/* Compares images like MonkeyImage. Returns whether both have the same size and at least
 * this share (0 to 1) of the pixels is identical, including alpha. */
bool dj_image_is_same(const struct dj_image *image, const struct dj_image *other,
                      double share);

/* Repairs a PNG in which a terminal on the device replaced each \n by \r\n, as in shells
 * before Android 7. Does nothing if the PNG is intact. */
void dj_image_repair_line_ends(struct dj_text *png);

#endif
