/* This machine's desktop: its X server, and its tree of views by AT-SPI. */
#ifndef DEJANK_DRIVE_DESKTOP_H
#define DEJANK_DRIVE_DESKTOP_H

#include "drive/ui_tree.h"

/* Where the largest visible window of $DISPLAY lies. DJ_E_UNSUPPORTED without X,
 * DJ_E_NO_DATA where there is no window. */
int dj_desktop_window(struct dj_rect *area, struct dj_error *err);

/* Whether trees of views could be read here: DJ_E_UNSUPPORTED where libatspi is not
 * installed. */
int dj_desktop_tree_ready(struct dj_error *err);

/* All views of all applications that AT-SPI knows. DJ_E_UNSUPPORTED without AT-SPI on
 * this machine or in this session; DJ_E_NO_DATA where no application is
 * there. */
int dj_desktop_tree(struct dj_ui_tree *tree, struct dj_error *err);

/* Does a view's first action by AT-SPI ("click", "press", …): what works without a
 * pointer, too, as on Wayland. `node` is one of the newest tree that this process read.
 * DJ_E_UNSUPPORTED where the view has none, DJ_E_GONE where it is no longer there. */
int dj_desktop_act(size_t node, struct dj_error *err);

#endif
