/*
 * Drivers made of words: gestures ("fling up x5 @ scrollable"), and ready flows
 * ("scroll-down times=5"; flows.h). Places and selectors are resolved, and the injector
 * is started, before the window opens.
 */
#ifndef DEJANK_DRIVE_GESTURE_DRIVER_H
#define DEJANK_DRIVE_GESTURE_DRIVER_H

#include "drive/driver.h"

/*
 * Makes a driver of `text`: a flow, where its first word is one's name, else a list of
 * gestures. DJ_E_USAGE with line and column. The caller destroys it when no run uses it
 * any more; it can be played any number of times, one run at a time.
 */
int dj_gesture_driver(const char *text, size_t length, struct dj_driver *driver,
                      struct dj_error *err);

/* The app that a flow launches: `package` and, or NULL, its activity (Android). Flows
 * that launch refuse to be prepared without. Both are copied. False: out of memory. */
bool dj_gesture_driver_set_app(struct dj_driver *driver, const char *package,
                               const char *activity);

/* Does it turn the screen? It puts Android's settings system/accelerometer_rotation and
 * system/user_rotation back, but whoever may be killed in between notes them before. */
bool dj_gesture_driver_rotates(const struct dj_driver *driver);

/* Does it start the app itself, within the run? */
bool dj_gesture_driver_launches(const struct dj_driver *driver);

/* Frees what the driver owns; of a zeroed driver nothing. */
void dj_gesture_driver_destroy(struct dj_driver *driver);

#endif
