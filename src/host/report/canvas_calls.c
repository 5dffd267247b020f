#include "report/canvas_calls.h"

#include "report/picture.h"

static struct dj_cairo cairo;
const struct dj_cairo *const dj_cairo = &cairo;

static const char *const names[] = {DJ_CAIRO_FUNCTIONS(DJ_LIBRARY_NAME)};
_Static_assert(sizeof(names) == sizeof(cairo), "a pointer for each name");

int dj_report_picture_ready(struct dj_error *err)
{
    static struct dj_library library = {
        .soname = "libcairo.so.2",
        .package = "libcairo2",
        .needed_by = "pictures (.svg, .png)",
        .names = names,
        .count = sizeof(names) / sizeof(names[0]),
        .pointers = &cairo,
    };
    return dj_library_load(&library, err);
}
