#include "cli/libraries.h"

#include <stdio.h>

#include "base/text.h"
#include "drive/desktop.h"
#include "history/history.h"
#include "report/picture.h"

/* DEJANK_HAS_… come from meson.build. */
static const struct {
    const char *name, *gives;
    bool built_with;
    /* Of one that is loaded when it is first used: whether it is on this machine. */
    int (*ready)(struct dj_error *err);
} libraries[] = {
    {"libatspi", "views of this machine's programs", DEJANK_HAS_ATSPI,
     dj_desktop_tree_ready},
    {"cairo", "report as .svg and .png", DEJANK_HAS_CAIRO, dj_report_picture_ready},
    {"expat", "views of Android devices", DEJANK_HAS_EXPAT, NULL},
    {"jansson", "parse --replay; logs that are JSON; stored objectives",
     DEJANK_HAS_JANSSON, NULL},
    {"liblzma", "xz input", DEJANK_HAS_LZMA, NULL},
    {"lua", "scripts", DEJANK_HAS_LUA, NULL},
    {"libpng", "pictures of screens in scripts", DEJANK_HAS_PNG, NULL},
    {"libpq", "stores on a server of PostgreSQL", DEJANK_HAS_POSTGRESQL,
     dj_history_postgres_ready},
    {"vulkan", "recording of Vulkan programs", DEJANK_HAS_VULKAN, NULL},
    {"xcb-xtest", "input on this machine", DEJANK_HAS_XTEST, NULL},
    {"libyaml", "plans", DEJANK_HAS_YAML, NULL},
    {"zlib", "gzip and zip input", DEJANK_HAS_ZLIB, NULL},
    {"libzstd", "zstd input", DEJANK_HAS_ZSTD, NULL},
};
enum { LIBRARY_COUNT = sizeof(libraries) / sizeof(libraries[0]) };

const char *dj_libraries_tell(char *text, size_t capacity)
{
    struct dj_text off = {0};
    const char *remedy = NULL;
    for (size_t i = 0; i < LIBRARY_COUNT; i++) {
        bool built_with = libraries[i].built_with;
        if (built_with && (libraries[i].ready == NULL || libraries[i].ready(NULL) == 0)) {
            continue;
        }
        dj_text_format(&off, "%s%s (%s%s)", off.length > 0 ? ", " : "without ",
                       libraries[i].name, libraries[i].gives,
                       built_with ? "; not installed" : "");
        if (!built_with) {
            remedy = "make deps && rm -r build && make";
        } else if (remedy == NULL) {
            remedy = "make deps";
        }
    }
    snprintf(text, capacity, "%s", off.length == 0 ? "all" : dj_text_get(&off));
    dj_text_finish(&off);
    return remedy;
}
