/* Pictures of a screen: pixels, and the PNG they come from and go to. */
#ifndef DEJANK_SCRIPT_IMAGE_H
#define DEJANK_SCRIPT_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum {
    DJ_IMAGE_SIDE_MAX = 16384,             /* pixels */
    DJ_IMAGE_PIXELS_MAX = 64 * 1024 * 1024 /* 256 MiB of memory */
};

/* Zero it before it is filled; finish it also after an error. */
struct dj_image {
    uint32_t width, height;
    uint32_t *argb; /* rows from the top, 0xAARRGGBB, not premultiplied; owned */
};

void dj_image_finish(struct dj_image *image);

/* DJ_E_INVALID where the bytes are no whole PNG, DJ_E_LIMIT past the maxima. */
int dj_image_decode(const void *bytes, size_t size, struct dj_image *image,
                    struct dj_error *err);

/* Appends it as a PNG: lossless, the same bytes for the same pixels. */
int dj_image_encode(const struct dj_image *image, struct dj_text *png,
                    struct dj_error *err);

/* x and y lie inside. */
uint32_t dj_image_pixel(const struct dj_image *image, uint32_t x, uint32_t y);

/* Copies a part. DJ_E_USAGE where it is empty or does not lie inside the image. */
int dj_image_cut(const struct dj_image *image, int64_t x, int64_t y, int64_t width,
                 int64_t height, struct dj_image *part, struct dj_error *err);

/* MonkeyImage's measure: of the same size, and at least this share (0 to 1) of the pixels
 * identical, alpha included. */
bool dj_image_same(const struct dj_image *image, const struct dj_image *other,
                   double share);

/* Undoes what a terminal on the device's side (shells before Android 7) made of a PNG:
 * each \n has become \r\n. Does nothing where the PNG is whole. */
void dj_image_mend_line_ends(struct dj_text *png);

#endif
