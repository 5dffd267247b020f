/* Properties of a Qt Quick window. Call these functions only on the GUI thread, while
 * the window exists. */
#ifndef DEJANK_HOOKS_QT_WINDOWS_H
#define DEJANK_HOOKS_QT_WINDOWS_H

#include <stdbool.h>

#include "hooks/qt/library.h"
#include "recorder/recorder.h"

static inline struct dj_surface dj_qt_surface(const void *window)
{
    return (struct dj_surface){DJ_PIPELINE_QT, (uintptr_t)window};
}

/* Returns false if the window has no surface on the screen. Other code then presents
 * what the window draws. */
bool dj_qt_is_on_screen(enum dj_qt qt, const void *window);

/* Report a property of the window to the recorder. They do nothing for a window that
 * the recorder does not know. */
void dj_qt_report_title(enum dj_qt qt, const void *window);
void dj_qt_report_visibility(enum dj_qt qt, const void *window);
void dj_qt_report_interval(enum dj_qt qt, const void *window);

#endif
