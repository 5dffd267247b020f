#include "cli/libraries.h"

#include <stdio.h>

#include "base/text.h"

/* DEJANK_HAS_… come from meson.build. */
static const struct {
    const char *name, *gives;
    bool here;
} libraries[] = {
    {"libatspi", "views of this machine's programs", DEJANK_HAS_ATSPI},
    {"cairo", "report as .svg and .png", DEJANK_HAS_CAIRO},
    {"expat", "views of Android devices", DEJANK_HAS_EXPAT},
    {"jansson", "parse --replay; logs that are JSON; stored objectives",
     DEJANK_HAS_JANSSON},
    {"liblzma", "xz input", DEJANK_HAS_LZMA},
    {"lua", "scripts", DEJANK_HAS_LUA},
    {"libpng", "pictures of screens in scripts", DEJANK_HAS_PNG},
    {"libpq", "stores on a server of PostgreSQL", DEJANK_HAS_POSTGRESQL},
    {"vulkan", "recording of Vulkan programs", DEJANK_HAS_VULKAN},
    {"xcb-xtest", "input on this machine", DEJANK_HAS_XTEST},
    {"libyaml", "plans", DEJANK_HAS_YAML},
    {"zlib", "gzip and zip input", DEJANK_HAS_ZLIB},
    {"libzstd", "zstd input", DEJANK_HAS_ZSTD},
};
enum { LIBRARY_COUNT = sizeof(libraries) / sizeof(libraries[0]) };

bool dj_libraries_tell(char *text, size_t capacity)
{
    struct dj_text off = {0};
    for (size_t i = 0; i < LIBRARY_COUNT; i++) {
        if (!libraries[i].here) {
            dj_text_format(&off, "%s%s (%s)", off.length > 0 ? ", " : "without ",
                           libraries[i].name, libraries[i].gives);
        }
    }
    bool all = off.length == 0;
    snprintf(text, capacity, "%s", all ? "all" : dj_text_get(&off));
    dj_text_finish(&off);
    return all;
}
