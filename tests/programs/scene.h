/* The displays on which a scene can be shown. */
#ifndef DEJANK_TESTS_SCENE_H
#define DEJANK_TESTS_SCENE_H

#include <stdbool.h>

struct scene_display {
    const char *name;
    /* Creates a 320×240 window with a current GL context. */
    bool (*open)(void);
    /* Makes the context current on the calling thread, or on no thread. */
    void (*make_current)(bool current);
    void (*draw_and_swap)(void);
    /* Makes requests and waits for their replies for at least this time. */
    void (*round_trip)(double least_ms);
    void (*close)(void); /* NULL if the display cannot be opened again. */
};

extern const struct scene_display scene_x11;
extern const struct scene_display scene_wayland;

/* Returns the display of this name, or NULL if it does not exist or was not built. */
const struct scene_display *scene_display_find(const char *name);

#endif
