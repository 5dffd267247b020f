/*
 * Drivers that play gestures ("fling up x5 @ scrollable") or built-in flows ("scroll-down
 * times=5", flows.h). Before the window opens, they find the places of the gestures on
 * the screen, and open the injector, which sends the input (inject.h).
 */
#ifndef DEJANK_DRIVE_GESTURE_DRIVER_H
#define DEJANK_DRIVE_GESTURE_DRIVER_H

#include "drive/driver.h"

/*
 * Creates a driver from `text`. If the first word is the name of a flow, the text is a
 * flow with parameters. Otherwise it is a list of gestures. The caller destroys the
 * driver after the last run. The driver can be used for many runs, one after the other.
 * Returns DJ_E_USAGE if the text is invalid. The message has line and column.
 */
int dj_drive_gestures_create(const char *text, size_t length, struct dj_driver *driver,
                             struct dj_error *err);

/* Sets the app that a flow launches: its package, and on Android its activity or NULL.
 * Copies both. Without this call, prepare() fails for flows that launch an app. Returns
 * false if memory ran out. */
bool dj_drive_gestures_set_app(struct dj_driver *driver, const char *package,
                               const char *activity);

/* Returns whether the driver rotates the screen. The driver then changes the Android
 * settings system/accelerometer_rotation and system/user_rotation and restores them. A
 * caller that may be killed during the run saves these settings first. */
bool dj_drive_gestures_rotate_screen(const struct dj_driver *driver);

/* Returns whether the driver starts the app during the run. */
bool dj_drive_gestures_launch_app(const struct dj_driver *driver);

/* Frees everything that the driver owns. Does nothing for a zeroed driver. */
void dj_drive_gestures_destroy(struct dj_driver *driver);

#endif
