/* Properties of a Qt Quick window other than its frames. Only for the GUI thread,
 * while the window lives. */
#ifndef DEJANK_HOOKS_QT_WINDOWS_H
#define DEJANK_HOOKS_QT_WINDOWS_H

#include <stdbool.h>

#include "hooks/qt/library.h"
#include "recorder/recorder.h"

static inline struct dj_surface dj_qt_surface(const void *window)
{
    return (struct dj_surface){DJ_PIPELINE_QT, (uintptr_t)window};
}

/* Returns false if the window has no screen surface: then other code presents what it
 * draws. */
bool dj_qt_is_on_screen(enum dj_qt qt, const void *window);

/* Each reports a property to the recorder: title, visibility, refresh rate. Does
 * nothing for a window that the recorder does not know. */
void dj_qt_report_title(enum dj_qt qt, const void *window);
void dj_qt_report_visibility(enum dj_qt qt, const void *window);
void dj_qt_report_interval(enum dj_qt qt, const void *window);

#endif
