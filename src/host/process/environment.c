#include "process/environment.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory/memory.h"

/* Folders with the Vulkan manifest, relative to the preloaded object: after installation,
 * and in the build folder. */
static const char *const folders[] = {"vulkan", "src/guest/hooks"};

/* Finds the folder with the manifest of this object. Returns false if there is none. */
static bool find_folder(const char *object, char folder[PATH_MAX])
{
    const char *slash = strrchr(object, '/');
    int length = slash != NULL ? (int)(slash - object) : 0;
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        char manifest[PATH_MAX];
        snprintf(folder, PATH_MAX, "%.*s/%s", length, object, folders[i]);
        if (snprintf(manifest, sizeof(manifest), "%s/dejank_layer.json", folder) <
                PATH_MAX &&
            access(manifest, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

void dj_process_environment_add(const char *variable, const char *word, bool in_front)
{
    const char *before = getenv(variable);
    bool other = before != NULL && *before != '\0';
    const char *first = in_front || !other ? word : before;
    const char *second = !other ? "" : in_front ? before : word;
    char *value = dj_xformat("%s%s%s", first, other ? ":" : "", second);
    setenv(variable, value, 1);
    free(value);
}

void dj_process_environment_add_vulkan_layer(const char *object)
{
    char folder[PATH_MAX];
    if (!find_folder(object, folder)) {
        return;
    }
    /* If VK_LAYER_PATH is set, it gets the folder, because the Vulkan loader then ignores
     * VK_ADD_LAYER_PATH. */
    dj_process_environment_add(getenv("VK_LAYER_PATH") != NULL ? "VK_LAYER_PATH"
                                                               : "VK_ADD_LAYER_PATH",
                               folder, true);
    dj_process_environment_add("VK_INSTANCE_LAYERS", "VK_LAYER_DEJANK_record", true);
}
