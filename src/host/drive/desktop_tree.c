/* The desktop's tree of views, by AT-SPI. */
#include "drive/desktop.h"

#ifdef DEJANK_ATSPI
#else

static int no_atspi(struct dj_error *err)
{
    return dj_error_set(err, DJ_E_UNSUPPORTED,
                        "this build cannot read trees of views of this machine: it was "
                        "made without AT-SPI (libatspi2.0-dev)");
}

int dj_desktop_tree(struct dj_ui_tree *tree, struct dj_error *err)
{
    (void)tree;
    return no_atspi(err);
}

int dj_desktop_act(size_t node, struct dj_error *err)
{
    (void)node;
    return no_atspi(err);
}

#endif
