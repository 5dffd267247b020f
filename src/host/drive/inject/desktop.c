/* Opens the injector for this machine. It uses the X server if there is one, or else the
 * actions of views. */
#include "drive/inject.h"

static int fail_no_keyboard(struct dj_injector *injector, const char *word,
                            struct dj_error *err)
{
    (void)word;
    return dj_error_set(err, DJ_E_UNSUPPORTED, "%s", injector->note);
}

/* The functions of an injector with 0 fingers. It has no touch function, so
 * dj_drive_injector_touch() returns an error. */
static const struct dj_injector_ops actions_ops = {.key = fail_no_keyboard,
                                                   .text = fail_no_keyboard};

int dj_inject_open_desktop(struct dj_device *device, struct dj_injector **injector,
                           struct dj_error *err)
{
    struct dj_error why = {0};
    int code = dj_drive_injector_open_xtest(device, injector, &why);
    if (code != DJ_E_UNSUPPORTED) {
        return code == 0 ? 0 : dj_error_set(err, code, "%s", why.message);
    }
    struct dj_injector *actions = calloc(1, sizeof(*actions));
    if (actions == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    *actions =
        (struct dj_injector){.ops = &actions_ops, .device = device, .name = "at-spi"};
    snprintf(actions->note, sizeof(actions->note),
             "only taps on views given by selectors work here: %.150s", why.message);
    *injector = actions;
    return 0;
}
