#include "cli/hooks_object.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/count_of.h"

/* Folders of the object relative to dejank: in a build folder, and in an installation.
 * The installation may have been moved, so relative paths are tried. */
static const char *const near[] = {".", DEJANK_LIBDIR_NEAR "/dejank"};

bool dj_hooks_object_find(char object[PATH_MAX])
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash != NULL) {
        *slash = '\0';
        for (size_t i = 0; i < COUNT_OF(near); i++) {
            snprintf(object, PATH_MAX, "%.3800s/%s/libdejank-hooks.so", self, near[i]);
            if (access(object, R_OK) == 0) {
                return true;
            }
        }
    }
    snprintf(object, PATH_MAX, "%s/dejank/libdejank-hooks.so", DEJANK_LIBDIR);
    return access(object, R_OK) == 0;
}
