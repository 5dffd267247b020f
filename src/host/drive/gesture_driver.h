/*
 * Drivers that play gestures ("fling up x5 @ scrollable") or built-in flows ("scroll-down
 * times=5", flows.h). They find places and views and start the injector before the window
 * opens.
 */
#ifndef DEJANK_DRIVE_GESTURE_DRIVER_H
#define DEJANK_DRIVE_GESTURE_DRIVER_H

#include "drive/driver.h"

/*
 * Creates a driver from `text`: a flow, if the first word is the name of one, or else a
 * list of gestures. The caller destroys it after the last run. It can be played many
 * times, one run at a time. DJ_E_USAGE: the message has line and column.
 */
int dj_drive_gestures_create(const char *text, size_t length, struct dj_driver *driver,
                             struct dj_error *err);

/* Sets the app that a flow launches: `package`, and its activity on Android or NULL.
 * Flows that launch cannot be prepared without it. Copies both. Returns false if memory
 * ran out. */
bool dj_drive_gestures_set_app(struct dj_driver *driver, const char *package,
                               const char *activity);

/* Returns whether it rotates the screen. It then restores the Android settings
 * system/accelerometer_rotation and system/user_rotation. A caller that may be killed
 * before that saves them first. */
bool dj_drive_gestures_rotate_screen(const struct dj_driver *driver);

/* Returns whether it starts the app within the run. */
bool dj_drive_gestures_launch_app(const struct dj_driver *driver);

/* Frees all that the driver owns. Does nothing for a zeroed driver. */
void dj_drive_gestures_destroy(struct dj_driver *driver);

#endif
