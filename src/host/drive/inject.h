/*
 * Sends input to a device through an injector, which stays open between gestures. All
 * input is timed. If the injector can measure how late touch points are, their lateness
 * is reported.
 */
#ifndef DEJANK_DRIVE_INJECT_H
#define DEJANK_DRIVE_INJECT_H

#include "device/device.h"
#include "drive/touch.h"

/* How late or early touch points were. Contains only the touch points that the injector
 * could measure. */
struct dj_jitter {
    size_t count;
    int64_t total_ns; /* Sum of the absolute differences. */
    int64_t worst_ns;
};

void dj_inject_add_jitter(struct dj_jitter *jitter, int64_t late_ns);

struct dj_injector;

/* The functions that each kind of injector implements. The public functions below, which
 * have the same names, document them. */
struct dj_injector_ops {
    int (*touch)(struct dj_injector *injector, const struct dj_touch_plan *plan,
                 struct dj_error *err);
    int (*key)(struct dj_injector *injector, const char *name, struct dj_error *err);
    /* NULL if keys can only be pressed and released together. */
    int (*key_part)(struct dj_injector *injector, const char *name, bool down,
                    struct dj_error *err);
    int (*text)(struct dj_injector *injector, const char *text, struct dj_error *err);
    /* The error message for text with other characters than printable ASCII, or NULL if
     * `text` accepts any text. */
    const char *ascii_only;
    /* Closes and frees the injector. NULL if free() is enough. */
    void (*close)(struct dj_injector *injector);
};

/* An injector. Each kind of injector has its own struct, which begins with this
 * struct. */
struct dj_injector {
    const struct dj_injector_ops *ops;
    struct dj_device *device;
    const char *name; /* Kind of the injector: "monkey", "uinput", "input" or "xtest". */
    int fingers;      /* Maximum number of fingers in a gesture. */
    /* True if no other process can read the tree of views while the injector is open. */
    bool holds_tree;
    struct dj_jitter jitter;
    /* A note for the user, for example about the cost of the injector, or "". */
    char note[240];
};

/* Plays a gesture and returns at its end. Returns DJ_E_UNSUPPORTED if the gesture needs
 * more fingers than the injector has, DJ_E_GONE if the device was disconnected,
 * DJ_E_PROTOCOL if the injector failed, or DJ_E_INTERRUPTED. */
int dj_drive_injector_touch(struct dj_injector *injector,
                            const struct dj_touch_plan *plan, struct dj_error *err);

/* Presses and releases a key. `name` is "back", "KEYCODE_BACK" or a key code. With X it
 * may also be the name of a keysym. Returns DJ_E_USAGE if there is no such key. */
int dj_drive_injector_key(struct dj_injector *injector, const char *name,
                          struct dj_error *err);

/* Presses a key if `down` is set, or else releases it. Returns DJ_E_UNSUPPORTED if the
 * injector can only do both together, or an error of dj_drive_injector_key(). */
int dj_drive_injector_key_part(struct dj_injector *injector, const char *name, bool down,
                               struct dj_error *err);

/* Types text into the focused view. Returns DJ_E_UNSUPPORTED if the keyboard lacks a
 * character. The message names the character. */
int dj_drive_injector_text(struct dj_injector *injector, const char *text,
                           struct dj_error *err);

/* Closes the injector and frees it. NULL is allowed. */
void dj_drive_injector_close(struct dj_injector *injector);

/*
 * Opens the best injector that works on an Android device: `monkey --port` if one finger
 * is enough, or `uinput` for more fingers, or else `input`. `input` starts a process for
 * each gesture, and the note of the injector says so. Blocks for some seconds.
 */
int dj_drive_injector_open_android(struct dj_device *device, int fingers,
                                   struct dj_injector **injector, struct dj_error *err);

/* Open one kind of injector. dj_drive_injector_open_android() and
 * dj_inject_open_desktop() choose the kind. */
int dj_inject_open_monkey(struct dj_device *device, struct dj_injector **injector,
                          struct dj_error *err);
int dj_inject_open_uinput(struct dj_device *device, struct dj_injector **injector,
                          struct dj_error *err);
int dj_inject_open_input(struct dj_device *device, struct dj_injector **injector,
                         struct dj_error *err);

/* Opens an injector that uses the XTEST extension of the X server. Returns
 * DJ_E_UNSUPPORTED if the server does not have it. */
int dj_drive_injector_open_xtest(struct dj_device *device, struct dj_injector **injector,
                                 struct dj_error *err);

/* Opens XTEST if there is an X server. Otherwise opens an injector without fingers, with
 * a note about this. Taps then perform the actions of views (desktop.h). */
int dj_inject_open_desktop(struct dj_device *device, struct dj_injector **injector,
                           struct dj_error *err);

/* Writes the Android name of a key, such as "KEYCODE_BACK" for "back". Returns false if
 * there is no such key. */
bool dj_inject_android_key(const char *name, char *keycode, size_t capacity);

#endif
