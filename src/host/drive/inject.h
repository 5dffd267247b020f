/*
 * How input gets into a device: one persistent injector each. Everything is timed; what
 * came late is measured and told.
 */
#ifndef DEJANK_DRIVE_INJECT_H
#define DEJANK_DRIVE_INJECT_H

#include "device/device.h"
#include "drive/touch.h"

/* How far from its time each touch point was, as far as the injector can see it. */
struct dj_jitter {
    size_t count;
    int64_t total_ns; /* of what was late, and early, alike */
    int64_t worst_ns;
};

void dj_jitter_add(struct dj_jitter *jitter, int64_t late_ns);

struct dj_injector;

/* Contracts stand with the functions of the same names below. */
struct dj_injector_ops {
    int (*touch)(struct dj_injector *injector, const struct dj_touch_plan *plan,
                 struct dj_error *err);
    int (*key)(struct dj_injector *injector, const char *name, struct dj_error *err);
    int (*key_part)(struct dj_injector *injector, const char *name, bool down,
                    struct dj_error *err); /* NULL: keys are pressed as a whole only */
    int (*text)(struct dj_injector *injector, const char *text, struct dj_error *err);
    const char *ascii_only; /* says that `text` takes only printable ASCII; NULL: it
                               takes any */
    void (*close)(struct dj_injector *injector); /* NULL: it is just freed */
};

/* First member of each kind's own struct. */
struct dj_injector {
    const struct dj_injector_ops *ops;
    struct dj_device *device;
    const char *name; /* "monkey", "uinput", "input", "xtest" */
    int fingers;      /* that it has */
    bool holds_tree;  /* while it is open nobody can read the tree of views */
    struct dj_jitter jitter;
    char note[240]; /* what a person should know of it, such as what it costs; "" */
};

/* Plays a gesture and returns at its end. DJ_E_UNSUPPORTED for more fingers than it has;
 * DJ_E_GONE where the device went away, DJ_E_PROTOCOL where the injector did,
 * DJ_E_INTERRUPTED. */
int dj_injector_touch(struct dj_injector *injector, const struct dj_touch_plan *plan,
                      struct dj_error *err);

/* Presses a key: "back", "KEYCODE_BACK", a number; on X also a keysym's name. DJ_E_USAGE
 * where there is no such key. */
int dj_injector_key(struct dj_injector *injector, const char *name, struct dj_error *err);

/* Presses it down, or lets it go. DJ_E_UNSUPPORTED where the injector cannot; else as
 * dj_injector_key(). */
int dj_injector_key_part(struct dj_injector *injector, const char *name, bool down,
                         struct dj_error *err);

/* Types text where the focus is. DJ_E_UNSUPPORTED, naming the character, for what its
 * keyboard has not. */
int dj_injector_text(struct dj_injector *injector, const char *text,
                     struct dj_error *err);

/* NULL is fine. */
void dj_injector_close(struct dj_injector *injector);

/*
 * An Android device's: `monkey --port` where one finger is enough, `uinput` for more,
 * and where neither works `input`, which starts a process for each gesture (its note says
 * so). Blocks some seconds.
 */
int dj_inject_android_open(struct dj_device *device, int fingers,
                           struct dj_injector **injector, struct dj_error *err);

/* The kinds it chooses from. */
int dj_inject_monkey_open(struct dj_device *device, struct dj_injector **injector,
                          struct dj_error *err);
int dj_inject_uinput_open(struct dj_device *device, struct dj_injector **injector,
                          struct dj_error *err);
int dj_inject_input_open(struct dj_device *device, struct dj_injector **injector,
                         struct dj_error *err);

/* That of the X server, by its XTEST extension. DJ_E_UNSUPPORTED where the server has
 * none. */
int dj_inject_xtest_open(struct dj_device *device, struct dj_injector **injector,
                         struct dj_error *err);

/* XTEST where there is an X server; else an injector without fingers, whose note says so:
 * what it cannot do, views may by their own actions (desktop.h). */
int dj_inject_desktop_open(struct dj_device *device, struct dj_injector **injector,
                           struct dj_error *err);

/* "KEYCODE_BACK" of "back": Android's own name of a key. */
bool dj_android_key(const char *name, char *keycode, size_t capacity);

#endif
