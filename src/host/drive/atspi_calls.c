#include "drive/atspi_calls.h"
#include "drive/desktop.h"

#ifdef DEJANK_ATSPI

static struct dj_atspi atspi;
const struct dj_atspi *const dj_atspi = &atspi;

static const char *const names[] = {DJ_ATSPI_FUNCTIONS(DJ_LIBRARY_NAME)};
_Static_assert(sizeof(names) == sizeof(atspi), "a pointer for each name");

int dj_desktop_tree_ready(struct dj_error *err)
{
    static struct dj_library library = {
        .soname = "libatspi.so.0",
        .package = "libatspi2.0-0",
        .needed_by = "trees of views of this machine",
        .names = names,
        .count = sizeof(names) / sizeof(names[0]),
        .pointers = &atspi,
    };
    return dj_library_load(&library, err);
}

#else

int dj_desktop_tree_ready(struct dj_error *err)
{
    return dj_error_set(err, DJ_E_UNSUPPORTED,
                        "this build cannot read trees of views of this machine: it was "
                        "made without AT-SPI (libatspi2.0-dev)");
}

#endif
