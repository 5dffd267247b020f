/*
 * Sends input to a device through an injector that stays open. All input is timed, and
 * lateness is measured and reported.
 */
#ifndef DEJANK_DRIVE_INJECT_H
#define DEJANK_DRIVE_INJECT_H

#include "device/device.h"
#include "drive/touch.h"

/* How late or early touch points were, as far as the injector can measure it. */
struct dj_jitter {
    size_t count;
    int64_t total_ns; /* sum of lateness and earliness */
    int64_t worst_ns;
};

void dj_inject_add_jitter(struct dj_jitter *jitter, int64_t late_ns);

struct dj_injector;

/* The functions of the same names below describe them. */
struct dj_injector_ops {
    int (*touch)(struct dj_injector *injector, const struct dj_touch_plan *plan,
                 struct dj_error *err);
    int (*key)(struct dj_injector *injector, const char *name, struct dj_error *err);
    int (*key_part)(
        struct dj_injector *injector, const char *name, bool down,
        struct dj_error *err); /* NULL: keys can only be pressed and released together */
    int (*text)(struct dj_injector *injector, const char *text, struct dj_error *err);
    const char *ascii_only; /* message that `text` accepts only printable ASCII; NULL: it
                               accepts any text */
    void (*close)(struct dj_injector *injector); /* NULL: it is only freed */
};

/* The first member of each kind's own struct. */
struct dj_injector {
    const struct dj_injector_ops *ops;
    struct dj_device *device;
    const char *name; /* "monkey", "uinput", "input", "xtest" */
    int fingers;      /* number of fingers */
    bool holds_tree;  /* no other process can read the tree of views while it is open */
    struct dj_jitter jitter;
    char note[240]; /* a remark for the user, such as its cost; "": none */
};

/* Plays a gesture and returns at its end. DJ_E_UNSUPPORTED: it needs more fingers than
 * the injector has. DJ_E_GONE: the device was disconnected. DJ_E_PROTOCOL: the injector
 * failed. DJ_E_INTERRUPTED. */
int dj_drive_injector_touch(struct dj_injector *injector,
                            const struct dj_touch_plan *plan, struct dj_error *err);

/* Presses and releases a key: "back", "KEYCODE_BACK", a number; on X also the name of a
 * keysym. DJ_E_USAGE: there is no such key. */
int dj_drive_injector_key(struct dj_injector *injector, const char *name,
                          struct dj_error *err);

/* Presses or releases a key. DJ_E_UNSUPPORTED: the injector cannot do that. Otherwise as
 * dj_drive_injector_key(). */
int dj_drive_injector_key_part(struct dj_injector *injector, const char *name, bool down,
                               struct dj_error *err);

/* Types text into the focused view. DJ_E_UNSUPPORTED: the keyboard lacks a character; the
 * message names it. */
int dj_drive_injector_text(struct dj_injector *injector, const char *text,
                           struct dj_error *err);

/* NULL is allowed. */
void dj_drive_injector_close(struct dj_injector *injector);

/*
 * Opens the injector of an Android device: `monkey --port` if one finger is enough,
 * `uinput` for more, and `input` if neither works. `input` starts a process for each
 * gesture, and its note says so. Blocks for some seconds.
 */
int dj_drive_injector_open_android(struct dj_device *device, int fingers,
                                   struct dj_injector **injector, struct dj_error *err);

/* The kinds that dj_drive_injector_open_android() and dj_inject_open_desktop() choose
 * from. */
int dj_inject_open_monkey(struct dj_device *device, struct dj_injector **injector,
                          struct dj_error *err);
int dj_inject_open_uinput(struct dj_device *device, struct dj_injector **injector,
                          struct dj_error *err);
int dj_inject_open_input(struct dj_device *device, struct dj_injector **injector,
                         struct dj_error *err);

/* Opens an injector for the X server with its XTEST extension. DJ_E_UNSUPPORTED: the
 * server lacks it. */
int dj_drive_injector_open_xtest(struct dj_device *device, struct dj_injector **injector,
                                 struct dj_error *err);

/* Opens XTEST if there is an X server, or else an injector without fingers. Its note says
 * so, and views may perform their own actions instead (desktop.h). */
int dj_inject_open_desktop(struct dj_device *device, struct dj_injector **injector,
                           struct dj_error *err);

/* Writes the Android name of a key: "KEYCODE_BACK" for "back". Returns false if there is
 * none. */
bool dj_inject_android_key(const char *name, char *keycode, size_t capacity);

#endif
