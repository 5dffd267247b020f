#include "device/container_launcher.h"

#include <stdio.h>
#include <string.h>

#include "base/count_of.h"

/* In the options, %1$s is the path of the preloaded object and %2$s is the directory of
 * segments. The options do not create a new PID namespace, because segments contain
 * process ids of the host. */
static const struct {
    const char *launcher;
    const char *options;
} containers[] = {
    {"bwrap", "--ro-bind %1$s %1$s --bind %2$s %2$s, and no --unshare-pid"},
    {"flatpak", "run --filesystem=%1$s:ro --filesystem=%2$s --env=LD_PRELOAD=%1$s "
                "--env=DEJANK_DIR=%2$s"},
    {"podman", "--pid=host -v %1$s:%1$s:ro -v %2$s:%2$s -e LD_PRELOAD=%1$s "
               "-e DEJANK_DIR=%2$s"},
    {"docker", "--pid=host -v %1$s:%1$s:ro -v %2$s:%2$s -e LD_PRELOAD=%1$s "
               "-e DEJANK_DIR=%2$s"},
};

static bool contains_object(char *const *argv, const char *object)
{
    for (size_t i = 1; argv[0] != NULL && argv[i] != NULL; i++) {
        if (strstr(argv[i], object) != NULL) {
            return true;
        }
    }
    return false;
}

bool dj_device_container_launcher_options(const char *path, char *const *argv,
                                          const char *object, const char *directory,
                                          char *options, size_t size)
{
    const char *launcher = basename(path);
    for (size_t i = 0; i < COUNT_OF(containers); i++) {
        if (strcmp(containers[i].launcher, launcher) == 0 &&
            !contains_object(argv, object)) {
            /* The compiler cannot check these formats, because they are in a table. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(options, size, containers[i].options, object, directory);
#pragma GCC diagnostic pop
            return true;
        }
    }
    return false;
}
