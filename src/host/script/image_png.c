/* Reads and writes PNG with libpng's simplified interface, which converts any file to 8
 * bits per channel. */
#include "script/image.h"

#include <png.h>
#include <stdlib.h>

#include "memory/memory.h"

/* 0xAARRGGBB is stored as the bytes B, G, R, A on little-endian machines, and as A, R, G,
 * B on big-endian machines. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PIXEL_FORMAT PNG_FORMAT_BGRA
#else
#define PIXEL_FORMAT PNG_FORMAT_ARGB
#endif

static int read_pixels(png_image *png, struct dj_image *image, struct dj_error *err)
{
    if (png->width > DJ_IMAGE_SIDE_MAX || png->height > DJ_IMAGE_SIDE_MAX ||
        (uint64_t)png->width * png->height > DJ_IMAGE_PIXELS_MAX) {
        return dj_error_set(err, DJ_E_LIMIT,
                            "an image of %u × %u pixels is larger than %d × %d, or than "
                            "%d million",
                            png->width, png->height, DJ_IMAGE_SIDE_MAX, DJ_IMAGE_SIDE_MAX,
                            DJ_IMAGE_PIXELS_MAX / (1024 * 1024));
    }
    image->width = png->width;
    image->height = png->height;
    image->argb =
        dj_xresize(NULL, (size_t)png->width * png->height, sizeof(*image->argb));
    png->format = PIXEL_FORMAT;
    if (!png_image_finish_read(png, NULL, image->argb, 0, NULL)) {
        return dj_error_set(err, DJ_E_INVALID, "damaged PNG: %s", png->message);
    }
    return 0;
}

int dj_image_decode(const void *bytes, size_t size, struct dj_image *image,
                    struct dj_error *err)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (size == 0) {
        return dj_error_set(err, DJ_E_INVALID, "not a PNG: no data");
    }
    if (!png_image_begin_read_from_memory(&png, bytes, size)) {
        return dj_error_set(err, DJ_E_INVALID, "not a PNG: %s", png.message);
    }
    int code = read_pixels(&png, image, err);
    png_image_free(&png);
    if (code != 0) {
        dj_image_finish(image);
    }
    return code;
}

int dj_image_encode(const struct dj_image *image, struct dj_text *png,
                    struct dj_error *err)
{
    png_image header = {.version = PNG_IMAGE_VERSION,
                        .width = image->width,
                        .height = image->height,
                        .format = PIXEL_FORMAT};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
    void *bytes = dj_xresize(NULL, size, 1);
    bool written =
        png_image_write_to_memory(&header, bytes, &size, 0, image->argb, 0, NULL);
    if (written) {
        dj_text_append(png, bytes, size);
    }
    free(bytes);
    return written ? 0
                   : dj_error_set(err, DJ_E_IO, "cannot encode the image as PNG: %s",
                                  header.message);
}
