/* Plays gestures on a device: the state of a player and its steps. */
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
    size_t node; /* of the tree, if a selector found it */
};

struct dj_gesture_player {
    struct dj_gesture_list gestures;
    struct dj_gesture_place *places; /* one per gesture */
    const struct dj_flow *flow;      /* NULL: a list of gestures */
    char *package, *activity;        /* that the flow launches; NULL: unknown */
    struct dj_device *device;        /* on which the places were found */
    struct dj_injector *injector;    /* NULL while none is needed */
    struct {
        bool is_known;
        char settings[2][16];
    } saved_rotation; /* Android's settings before the first rotation */
};

/* Returns whether a gesture needs touch input. */
bool dj_gesture_uses_touch(const struct dj_gesture *gesture);

/* Finds the places of gestures before the run. All gestures before the first one that may
 * change the screen must have a place, or this is an error. Later gestures get one if
 * their view is on the screen. Does nothing if the places are known. */
int dj_player_find_places(struct dj_gesture_player *player, struct dj_error *err);

/* Finds the place of one gesture if it is unknown. This reads the screen within the run,
 * and *note reports that. */
int dj_player_find_place_now(struct dj_gesture_player *player, size_t which,
                             struct dj_text *note, struct dj_error *err);

/* Forgets all places from `first` on. */
void dj_player_forget_places(struct dj_gesture_player *player, size_t first);

/* Starts the injector that the gestures need, if it does not run. */
int dj_player_open(struct dj_gesture_player *player, struct dj_error *err);
void dj_player_close(struct dj_gesture_player *player);

/* Sleeps. DJ_E_INTERRUPTED: the caller ended it. */
int dj_player_wait(const struct dj_gesture_player *player, int64_t ns,
                   struct dj_error *err);

/* Rotates the screen (Android), and restores the settings. */
int dj_player_rotate(struct dj_gesture_player *player, int turns, struct dj_error *err);
int dj_player_restore_rotation(struct dj_gesture_player *player, struct dj_error *err);

/* Brings the app to the state before the launch, and launches it. */
int dj_player_prepare_launch(struct dj_gesture_player *player, struct dj_error *err);
int dj_player_launch(struct dj_gesture_player *player, struct dj_text *note,
                     struct dj_error *err);

/* Plays one gesture with all repetitions, and describes it in *note. */
int dj_player_play(struct dj_gesture_player *player, size_t which, struct dj_text *note,
                   struct dj_error *err);

#endif
