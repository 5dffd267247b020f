/* Reads the size of a screen and its tree of views. */
#ifndef DEJANK_DRIVE_SCREEN_H
#define DEJANK_DRIVE_SCREEN_H

#include "device/device.h"
#include "drive/ui_tree.h"

struct dj_screen {
    struct dj_ui_rect area;
    bool is_rotated; /* width and height are exchanged against the natural orientation */
};

/* Returns whether the device is this machine, with a desktop. */
bool dj_screen_is_desktop(const struct dj_device *device);

/* Reads the size of the whole screen on Android, or the area of the largest window on a
 * desktop (which needs X). DJ_E_NO_DATA: the device does not report it. DJ_E_UNSUPPORTED.
 */
int dj_screen_read(struct dj_device *device, struct dj_screen *screen,
                   struct dj_error *err);

/*
 * Reads the tree of views with `uiautomator dump`, or from AT-SPI on a desktop. Android
 * waits up to 10 s until nothing moves. If that does not happen, DJ_E_TIMEOUT explains
 * what to do. DJ_E_GONE. DJ_E_NO_DATA: there are no views, for example on a locked
 * device. DJ_E_UNSUPPORTED.
 */
int dj_drive_read_tree(struct dj_device *device, struct dj_ui_tree *tree,
                       struct dj_error *err);

/* Ends all `monkey` processes on the device. One that remained after dejank was killed
 * prevents reading the tree of views. */
void dj_screen_end_monkeys(struct dj_device *device);

/* Parse the size from "dumpsys window displays" and "wm size". Pure. */
bool dj_screen_parse_displays(const char *text, struct dj_screen *screen);
bool dj_screen_parse_size(const char *text, struct dj_screen *screen);

/* Sets the error that explains why there is no dump, from the output of uiautomator.
 * Pure. */
int dj_screen_dump_error(const char *said, struct dj_error *err);

#endif
