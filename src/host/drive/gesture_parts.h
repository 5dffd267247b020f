/* What the parts of the gesture driver share. */
#ifndef DEJANK_DRIVE_GESTURE_PARTS_H
#define DEJANK_DRIVE_GESTURE_PARTS_H

#include "drive/driver.h"
#include "drive/flows.h"
#include "drive/gesture.h"
#include "drive/inject.h"
#include "drive/screen.h"

/* Where a gesture is to be. */
struct dj_gesture_place {
    bool known;
    struct dj_rect area;
    size_t node; /* of the tree, where a selector named it */
};

struct dj_gesture_player {
    struct dj_gestures gestures;
    struct dj_gesture_place *places; /* one per gesture */
    const struct dj_flow *flow;      /* NULL: just gestures */
    char *package, *activity;        /* that it launches; NULL: not told */
    struct dj_device *device;        /* that the places are of */
    struct dj_injector *injector;    /* NULL while none is needed */
    struct {
        bool is_known;
        char settings[2][16];
    } saved_rotation; /* Android's settings before the first rotation */
};

/* Does a gesture put fingers on the screen? */
bool dj_gesture_touches(const struct dj_gesture *gesture);

/* Finds the places of all gestures that can be found now: of those in front of the first
 * that may change the screen all (else an error), of the others what is there. Cached:
 * does nothing where they are known. */
int dj_places_find(struct dj_gesture_player *player, struct dj_error *err);

/* The place of one gesture, found now where it is not known yet; it costs a reading of
 * the screen within the run, which *note tells. */
int dj_places_find_late(struct dj_gesture_player *player, size_t which,
                        struct dj_text *note, struct dj_error *err);

/* Forgets all places from `first` on. */
void dj_places_forget(struct dj_gesture_player *player, size_t first);

/* Starts the injector that the gestures need, where it does not run. */
int dj_player_open(struct dj_gesture_player *player, struct dj_error *err);
void dj_player_close(struct dj_gesture_player *player);

/* Sleeps; DJ_E_INTERRUPTED where somebody ends it. */
int dj_player_wait(const struct dj_gesture_player *player, int64_t ns,
                   struct dj_error *err);

/* Turns the screen (Android), and puts the settings back. */
int dj_player_turn(struct dj_gesture_player *player, int turns, struct dj_error *err);
int dj_player_turn_back(struct dj_gesture_player *player, struct dj_error *err);

/* Brings the app to where the launch begins, and launches it. */
int dj_player_before_launch(struct dj_gesture_player *player, struct dj_error *err);
int dj_player_launch(struct dj_gesture_player *player, struct dj_text *note,
                     struct dj_error *err);

/* Plays one gesture with all its repetitions; `note` tells what was done. */
int dj_player_play(struct dj_gesture_player *player, size_t which, struct dj_text *note,
                   struct dj_error *err);

#endif
