#include "script/image.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

void dj_image_finish(struct dj_image *image)
{
    free(image->argb);
    *image = (struct dj_image){.argb = NULL};
}

uint32_t dj_image_pixel(const struct dj_image *image, uint32_t x, uint32_t y)
{
    return image->argb[(size_t)y * image->width + x];
}

static bool is_inside(int64_t from, int64_t length, int64_t whole)
{
    return from >= 0 && length > 0 && from < whole && length <= whole - from;
}

int dj_image_copy_part(const struct dj_image *image, int64_t x, int64_t y, int64_t width,
                       int64_t height, struct dj_image *part, struct dj_error *err)
{
    if (!is_inside(x, width, image->width) || !is_inside(y, height, image->height)) {
        return dj_error_set(
            err, DJ_E_USAGE,
            "%lld × %lld pixels at (%lld, %lld) are not inside an image of %u × %u",
            (long long)width, (long long)height, (long long)x, (long long)y, image->width,
            image->height);
    }
    part->width = (uint32_t)width;
    part->height = (uint32_t)height;
    part->argb = dj_xresize(NULL, (size_t)width * (size_t)height, sizeof(*part->argb));
    for (size_t row = 0; row < (size_t)height; row++) {
        memcpy(part->argb + row * (size_t)width,
               image->argb + ((size_t)y + row) * image->width + (size_t)x,
               (size_t)width * sizeof(*part->argb));
    }
    return 0;
}

bool dj_image_is_same(const struct dj_image *image, const struct dj_image *other,
                      double share)
{
    if (image->width != other->width || image->height != other->height) {
        return false;
    }
    size_t pixels = (size_t)image->width * image->height;
    size_t different = 0;
    for (size_t i = 0; i < pixels; i++) {
        different += image->argb[i] != other->argb[i];
    }
    /* Computes in the same order as MonkeyRunner. With this order, a share of 0.9 counts
     * as equal if one of ten pixels is different. */
    return share <= 1.0 - (double)different / (double)pixels;
}

void dj_image_repair_line_ends(struct dj_text *png)
{
    static const char mangled[] = "\x89PNG\r\r\n\x1a\r\n";
    if (png->length < sizeof(mangled) - 1 ||
        memcmp(png->data, mangled, sizeof(mangled) - 1) != 0) {
        return;
    }
    size_t length = 0;
    for (size_t i = 0; i < png->length; i++) {
        if (png->data[i] != '\r' || i + 1 == png->length || png->data[i + 1] != '\n') {
            png->data[length++] = png->data[i];
        }
    }
    png->length = length;
    png->data[length] = '\0';
}
