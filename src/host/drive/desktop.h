/* The desktop of this machine: its X server, and its tree of views from AT-SPI. */
#ifndef DEJANK_DRIVE_DESKTOP_H
#define DEJANK_DRIVE_DESKTOP_H

#include "drive/ui_tree.h"

/* Sets *area to the largest visible window of $DISPLAY. DJ_E_UNSUPPORTED: there is no X
 * server. DJ_E_NO_DATA: there is no window. */
int dj_desktop_read_window(struct dj_ui_rect *area, struct dj_error *err);

/* Loads libatspi. DJ_E_UNSUPPORTED: it is not installed. */
int dj_desktop_load_tree(struct dj_error *err);

/* Reads all views of all applications that AT-SPI knows. DJ_E_UNSUPPORTED: this machine
 * or session has no AT-SPI. DJ_E_NO_DATA: there is no application. */
int dj_desktop_read_tree(struct dj_ui_tree *tree, struct dj_error *err);

/* Performs the first AT-SPI action of a view ("click", "press", …). This works without a
 * pointer, for example on Wayland. `node` belongs to the last tree that this process has
 * read. DJ_E_UNSUPPORTED: the view has no action. DJ_E_GONE: the view does not exist any
 * more. */
int dj_desktop_activate(size_t node, struct dj_error *err);

#endif
