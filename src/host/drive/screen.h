/* Reads the size of a screen and its tree of views. */
#ifndef DEJANK_DRIVE_SCREEN_H
#define DEJANK_DRIVE_SCREEN_H

#include "device/device.h"
#include "drive/ui_tree.h"

struct dj_screen {
    struct dj_ui_rect area;
    /* True if width and height are exchanged compared with the natural orientation. */
    bool is_rotated;
};

/* Returns whether the device is this machine. */
bool dj_screen_is_desktop(const struct dj_device *device);

/* Reads the size of the whole screen on Android, or the area of the largest window on a
 * desktop, which needs X. Returns DJ_E_NO_DATA if the device does not report the size, or
 * DJ_E_UNSUPPORTED. */
int dj_screen_read(struct dj_device *device, struct dj_screen *screen,
                   struct dj_error *err);

/*
 * Reads the tree of views, with `uiautomator dump` on Android or from AT-SPI on a
 * desktop. Android waits up to 10 s until nothing on the screen moves. Returns
 * DJ_E_TIMEOUT if something keeps moving (the message says what to do), DJ_E_NO_DATA if
 * there are no views, for example on a locked device, DJ_E_GONE, or DJ_E_UNSUPPORTED.
 */
int dj_drive_read_tree(struct dj_device *device, struct dj_ui_tree *tree,
                       struct dj_error *err);

/* Ends all `monkey` processes on the device. A monkey that remains after dejank was
 * killed would prevent reading the tree of views. */
void dj_screen_end_monkeys(struct dj_device *device);

/* Parses the size from the output of "dumpsys window displays". Pure. */
bool dj_screen_parse_displays(const char *text, struct dj_screen *screen);

/* Parses the size from the output of "wm size". Pure. */
bool dj_screen_parse_size(const char *text, struct dj_screen *screen);

/* Finds the reason for a missing dump in the output of uiautomator, and sets an error
 * that explains it. Pure. */
int dj_screen_dump_error(const char *output, struct dj_error *err);

#endif
