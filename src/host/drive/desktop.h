/* The desktop of this machine: its X server, and its tree of views from AT-SPI, the
 * accessibility interface of Linux desktops. */
#ifndef DEJANK_DRIVE_DESKTOP_H
#define DEJANK_DRIVE_DESKTOP_H

#include "drive/ui_tree.h"

/* Sets *area to the area of the largest visible window on $DISPLAY. Returns
 * DJ_E_UNSUPPORTED if there is no X server, and DJ_E_NO_DATA if there is no window. */
int dj_desktop_read_window(struct dj_ui_rect *area, struct dj_error *err);

/* Loads libatspi. Returns DJ_E_UNSUPPORTED if libatspi is not installed. */
int dj_desktop_load_tree(struct dj_error *err);

/* Reads all views of all applications that AT-SPI knows. Returns DJ_E_UNSUPPORTED if this
 * machine or session has no AT-SPI, and DJ_E_NO_DATA if there is no application. */
int dj_desktop_read_tree(struct dj_ui_tree *tree, struct dj_error *err);

/* Performs the first AT-SPI action of a view ("click", "press", …). This needs no
 * pointer, so it works also on Wayland. `node` is an index in the last tree that this
 * process has read. Returns DJ_E_UNSUPPORTED if the view has no action, and
 * DJ_E_PROTOCOL if the action fails, for example because the view no longer exists. */
int dj_desktop_activate(size_t node, struct dj_error *err);

#endif
