/* The displays a scene can be shown on. */
#ifndef DEJANK_TESTS_SCENE_H
#define DEJANK_TESTS_SCENE_H

#include <stdbool.h>

struct scene_display {
    const char *name;
    bool (*open)(void);                 /* a 320×240 window with a current GL context */
    void (*make_current)(bool current); /* on the calling thread, or on none */
    void (*draw_and_swap)(void);
    void (*round_trip)(
        double least_ms); /* requests and their replies for about so long */
    void (*close)(void);  /* NULL: it cannot be opened again */
};

extern const struct scene_display scene_x11;
extern const struct scene_display scene_wayland;

/* The display of this name, NULL if it was not built or does not exist. */
const struct scene_display *scene_display_find(const char *name);

#endif
