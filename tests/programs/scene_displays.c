#include <stddef.h>
#include <string.h>

#include "scene.h"

static const struct scene_display *const displays[] = {&scene_x11, &scene_wayland};

const struct scene_display *scene_display_find(const char *name)
{
    for (size_t i = 0; i < sizeof(displays) / sizeof(displays[0]); i++) {
        if (strcmp(displays[i]->name, name) == 0) {
            return displays[i];
        }
    }
    return NULL;
}
