/* Plays a list of gestures on a device. struct dj_gesture_player is the state of this,
 * and the functions below are its steps. */
#ifndef DEJANK_DRIVE_GESTURE_PLAYER_H
#define DEJANK_DRIVE_GESTURE_PLAYER_H

#include "drive/driver.h"
#include "drive/flows.h"
#include "drive/gesture/list.h"
#include "drive/inject.h"
#include "drive/screen.h"

/* The place of a gesture on the screen. */
struct dj_gesture_place {
    bool known;
    struct dj_ui_rect area;
    size_t node; /* Index in the tree of views, if a selector found the place. */
};

struct dj_gesture_player {
    struct dj_gesture_list gestures;
    struct dj_gesture_place *places; /* One place per gesture. */
    const struct dj_flow *flow;      /* The flow that the gestures come from, or NULL. */
    /* The app that the flow launches. NULL if unknown. */
    char *package, *activity;
    struct dj_device *device; /* The device for which the places were found. */
    /* The open injector, or NULL while no injector is open. */
    struct dj_injector *injector;
    struct {
        bool is_known;
        char settings[2][16];
    } saved_rotation; /* Settings of Android before the first rotation. */
};

/* Returns whether a gesture needs touch input. */
bool dj_gesture_uses_touch(const struct dj_gesture *gesture);

/* Finds the places of gestures before the run. All gestures up to the first gesture that
 * may change the screen must have a place. Otherwise an error is returned. Later gestures
 * get a place only if their view is already on the screen. Does nothing if the places are
 * known. */
int dj_player_find_places(struct dj_gesture_player *player, struct dj_error *err);

/* Finds the place of one gesture during the run, if the place is unknown. If the screen
 * had to be read, notes this in *note, because the app can lose frames during the
 * reading. */
int dj_player_find_place_now(struct dj_gesture_player *player, size_t which,
                             struct dj_text *note, struct dj_error *err);

/* Forgets the places of gesture `first` and all later ones. */
void dj_player_forget_places(struct dj_gesture_player *player, size_t first);

/* Opens the injector that the gestures need, unless it is open. */
int dj_player_open(struct dj_gesture_player *player, struct dj_error *err);
void dj_player_close(struct dj_gesture_player *player);

/* Sleeps. Returns DJ_E_INTERRUPTED if the caller interrupted the device. */
int dj_player_wait(const struct dj_gesture_player *player, int64_t ns,
                   struct dj_error *err);

/* Rotate the screen of an Android device, and restore the settings from before the first
 * rotation. */
int dj_player_rotate(struct dj_gesture_player *player, int turns, struct dj_error *err);
int dj_player_restore_rotation(struct dj_gesture_player *player, struct dj_error *err);

/* Bring the app to the state that the launch of the flow needs, and launch the app. */
int dj_player_prepare_launch(struct dj_gesture_player *player, struct dj_error *err);
int dj_player_launch(struct dj_gesture_player *player, struct dj_text *note,
                     struct dj_error *err);

/* Plays one gesture with all its repetitions, and describes the gesture in *note. */
int dj_player_play(struct dj_gesture_player *player, size_t which, struct dj_text *note,
                   struct dj_error *err);

#endif
