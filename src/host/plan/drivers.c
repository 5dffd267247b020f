#include "plan/prepare.h"

#include "drive/gesture_driver.h"
#include "memory/memory.h"
#include "script/script.h"

static int make_gesture(const void *user, struct dj_device *device,
                        struct dj_driver *driver, struct dj_error *err)
{
    const struct dj_plan_driver *own = user;
    const char *words = own->flow->argument;
    (void)device;
    int code = dj_drive_gestures_create(words, strlen(words), driver, err);
    if (code == 0) {
        dj_xcheck(
            dj_drive_gestures_set_app(driver, own->batch->package, own->batch->activity));
        driver->starts_app = dj_drive_gestures_launch_app(driver);
    }
    return code;
}

/* Checks that the gesture can be parsed, before any device is used. */
static int check_gesture(struct dj_plan_driver *own, struct dj_error *err)
{
    struct dj_driver driver = {.kind = "gesture"};
    int code = make_gesture(own, NULL, &driver, err);
    if (code == 0) {
        own->maker.rotates = dj_drive_gestures_rotate_screen(&driver);
        dj_drive_gestures_destroy(&driver);
    }
    return code;
}

static int make_instrument(const void *user, struct dj_device *device,
                           struct dj_driver *driver, struct dj_error *err)
{
    const struct dj_plan_driver *own = user;
    return dj_drive_instrument_create(&own->instrument, device, driver, err);
}

static int check_instrument(struct dj_plan_driver *own, struct dj_error *err)
{
    const struct dj_plan_flow *flow = own->flow;
    (void)err;
    own->instrument = (struct dj_instrument_request){.instrumentation = flow->argument,
                                                     .test = flow->test_class,
                                                     .arguments = flow->arguments};
    size_t count = 0;
    if (flow->test_class != NULL) {
        own->more[count++] = flow->test_class;
    }
    for (const char *const *word = flow->arguments;
         word != NULL && *word != NULL && count < 2 * DJ_INSTRUMENT_ARGUMENTS + 1;
         word++) {
        own->more[count++] = *word;
    }
    own->maker.more = own->more;
    return 0;
}

static int make_script(const void *user, struct dj_device *device,
                       struct dj_driver *driver, struct dj_error *err)
{
    const struct dj_plan_driver *own = user;
    const struct dj_script_options options = {.file = own->flow->argument,
                                              .device = device->name,
                                              .interrupt = device->interrupt};
    return dj_script_init_driver(&options, driver, err);
}

static int check_script(struct dj_plan_driver *own, struct dj_error *err)
{
    const struct dj_script_options options = {.file = own->flow->argument};
    struct dj_driver driver = {.kind = "script"};
    int code = dj_script_init_driver(&options, &driver, err);
    if (code == 0) {
        dj_script_driver_finish(&driver);
    }
    return code;
}

static const struct {
    const char *name;
    int (*check)(struct dj_plan_driver *own, struct dj_error *err);
    int (*make)(const void *user, struct dj_device *device, struct dj_driver *driver,
                struct dj_error *err);
    void (*unmake)(struct dj_driver *driver);
} kinds[] = {
    {"gesture", check_gesture, make_gesture, dj_drive_gestures_destroy},
    {"instrument", check_instrument, make_instrument, dj_drive_instrument_destroy},
    {"script", check_script, make_script, dj_script_driver_finish},
};

/* Sets the name of a flow without a name: the first word of its gesture, or the last part
 * of a path or package. */
static void set_name(struct dj_plan_driver *own)
{
    const char *word = own->flow->argument != NULL ? own->flow->argument : "";
    const char *slash = strrchr(word, '/');
    const char *from = slash != NULL && slash[1] != '\0' ? slash + 1 : word;
    snprintf(own->name, sizeof(own->name), "%.*s",
             from[0] != '\0' ? (int)strcspn(from, " \t\n") : 63,
             from[0] != '\0' ? from : own->flow->kind);
}

int dj_plan_init_driver(const struct dj_plan_flow *flow,
                        const struct dj_batch_plan *batch, struct dj_plan_driver *driver,
                        struct dj_error *err)
{
    *driver =
        (struct dj_plan_driver){.maker = dj_driver_idle, .flow = flow, .batch = batch};
    set_name(driver);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (strcmp(kinds[i].name, flow->kind) == 0) {
            driver->maker = (struct dj_driver_maker){.kind = kinds[i].name,
                                                     .arguments = flow->argument,
                                                     .make = kinds[i].make,
                                                     .unmake = kinds[i].unmake,
                                                     .user = driver};
            int code = kinds[i].check(driver, err);
            if (code != 0) {
                dj_error_prepend(err, "--%s", kinds[i].name);
            }
            return code;
        }
    }
    return 0;
}
