/* What is known of a Qt Quick window besides its frames. On the GUI thread only, while
 * the window lives. */
#ifndef DEJANK_HOOKS_QT_WINDOWS_H
#define DEJANK_HOOKS_QT_WINDOWS_H

#include <stdbool.h>

#include "hooks/qt_library.h"
#include "recorder/recorder.h"

static inline struct dj_surface dj_qt_surface(const void *window)
{
    return (struct dj_surface){DJ_PIPELINE_QT, (uintptr_t)window};
}

/* False where it has nothing to be shown in: what it draws, somebody else presents. */
bool dj_qt_is_on_screen(enum dj_qt qt, const void *window);

/* Passes on title, refresh rate and visibility; does nothing for a window that is not
 * known to the recorder. */
void dj_qt_tell_title(enum dj_qt qt, const void *window);
void dj_qt_tell_visibility(enum dj_qt qt, const void *window);
void dj_qt_tell_interval(enum dj_qt qt, const void *window);

#endif
