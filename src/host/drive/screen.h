/* A device's screen: how large it is, and what is on it. */
#ifndef DEJANK_DRIVE_SCREEN_H
#define DEJANK_DRIVE_SCREEN_H

#include "device/device.h"
#include "drive/ui_tree.h"

struct dj_screen {
    struct dj_rect area;
    bool is_rotated; /* width and height are exchanged against the natural orientation */
};

/* Is it this machine, with a desktop, and no Android device? */
bool dj_screen_is_desktop(const struct dj_device *device);

/* Android's whole screen; of a desktop the largest window's place (which needs X).
 * DJ_E_NO_DATA where it does not tell, DJ_E_UNSUPPORTED. */
int dj_screen_read(struct dj_device *device, struct dj_screen *screen,
                   struct dj_error *err);

/*
 * The tree of views: `uiautomator dump`, or AT-SPI on a desktop. Android waits up to 10 s
 * for a still screen: where that does not come, DJ_E_TIMEOUT says what to do. DJ_E_GONE,
 * DJ_E_NO_DATA (nothing to read, such as behind a lock), DJ_E_UNSUPPORTED.
 */
int dj_screen_tree(struct dj_device *device, struct dj_ui_tree *tree,
                   struct dj_error *err);

/* Ends what `monkey` runs there: one that was left behind, by a dejank that was killed,
 * keeps the tree of views from everybody. */
void dj_screen_end_monkeys(struct dj_device *device);

/* What "dumpsys window displays" or "wm size" say of the size. Pure. */
bool dj_screen_parse_displays(const char *text, struct dj_screen *screen);
bool dj_screen_parse_size(const char *text, struct dj_screen *screen);

/* Why there is no dump, from what uiautomator said: an error. Pure. */
int dj_screen_no_dump(const char *said, struct dj_error *err);

#endif
