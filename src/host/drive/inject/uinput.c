/*
 * Injects gestures with Android's `uinput -` (Android 11 and newer), which creates a
 * virtual touch screen for two fingers. It reads events and delays as JSON, and the
 * device waits during the delays:
 *
 *     {"id":1,"command":"inject","events":[3,47,0, 3,57,7, 3,53,540, 3,54,1920, …]}
 *     {"id":1,"command":"delay","duration":8}
 *
 * `uinput` prints nothing unless there is an error, so the lateness of touch points is
 * unknown.
 */
#include "drive/inject.h"

#include <linux/input-event-codes.h>

#include "drive/screen.h"
#include "process/deadline.h"

enum { FINGERS = 2 };

/* Android needs up to a second to register a new touch screen. */
#define REGISTERED_NS (1500 * DJ_MILLISECOND_NS)

/* Numbers that the command `uinput` uses for the ioctls UI_SET_EVBIT, UI_SET_KEYBIT,
 * UI_SET_ABSBIT and UI_SET_PROPBIT. */
enum { SET_EVENTS = 100, SET_KEYS = 101, SET_AXES = 103, SET_PROPERTIES = 110 };

struct uinput {
    struct dj_injector base;
    struct dj_device_process *process;
    int tracking; /* Tracking id for the next finger that touches the screen. */
};

/* Reads output for wait_ns. If `uinput` has ended, returns an error with its output as
 * the reason. */
static int read_errors(struct uinput *uinput, int64_t wait_ns, struct dj_error *err)
{
    struct dj_text output = {0};
    bool ended = false;
    int64_t end_ns = dj_host_now_ns() + wait_ns;
    int code = 0;
    do {
        int64_t left_ns = end_ns - dj_host_now_ns();
        code = dj_device_process_read(uinput->process, left_ns < 0 ? 0 : left_ns, &output,
                                      &output, &ended, err);
    } while (code == 0 && !ended && dj_host_now_ns() < end_ns);
    if (code == 0 && ended) {
        const struct dj_device_line first_line =
            dj_device_first_line(dj_text_get(&output));
        code = dj_error_set(err, DJ_E_PROTOCOL, "uinput ended (exit code %d): %s",
                            dj_device_process_exit_code(uinput->process),
                            first_line.line[0] != '\0' ? first_line.line : "no output");
    }
    dj_text_finish(&output);
    return code;
}

static int send_lines(struct uinput *uinput, const struct dj_text *lines,
                      struct dj_error *err)
{
    if (lines->failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    struct dj_error why = {0};
    int code =
        dj_device_process_write(uinput->process, dj_text_get(lines), lines->length, &why);
    if (code != 0) {
        int ended = read_errors(uinput, 0, err);
        return ended != 0 ? ended : dj_error_set(err, code, "%s", why.message);
    }
    return 0;
}

static void append_axis(struct dj_text *text, int code, int most)
{
    dj_text_format(text,
                   "%s{\"code\":%d,\"info\":{\"value\":0,\"minimum\":0,\"maximum\":%d,"
                   "\"fuzz\":0,\"flat\":0,\"resolution\":0}}",
                   code == ABS_MT_SLOT ? "" : ",", code, most);
}

static void append_registration(struct dj_text *text, int width, int height)
{
    dj_text_format(text,
                   "{\"id\":1,\"command\":\"register\",\"name\":\"dejank\",\"vid\":6353,"
                   "\"pid\":27,\"bus\":\"usb\",\"configuration\":["
                   "{\"type\":%d,\"data\":[%d,%d]},{\"type\":%d,\"data\":[%d]},"
                   "{\"type\":%d,\"data\":[%d,%d,%d,%d]},{\"type\":%d,\"data\":[%d]}],"
                   "\"abs_info\":[",
                   SET_EVENTS, EV_KEY, EV_ABS, SET_KEYS, BTN_TOUCH, SET_AXES, ABS_MT_SLOT,
                   ABS_MT_TRACKING_ID, ABS_MT_POSITION_X, ABS_MT_POSITION_Y,
                   SET_PROPERTIES, INPUT_PROP_DIRECT);
    append_axis(text, ABS_MT_SLOT, FINGERS - 1);
    append_axis(text, ABS_MT_TRACKING_ID, 65535);
    append_axis(text, ABS_MT_POSITION_X, width - 1);
    append_axis(text, ABS_MT_POSITION_Y, height - 1);
    dj_text_add(text, "]}\n");
}

static void append_delay(struct dj_text *text, int64_t ns)
{
    dj_text_format(text, "{\"id\":1,\"command\":\"delay\",\"duration\":%lld}\n",
                   (long long)(ns / DJ_MILLISECOND_NS));
}

/* Appends one touch event: the slot of the finger, its state and position, and BTN_TOUCH
 * if the first finger is put down or the last one is lifted. *down is the number of
 * fingers on the screen. */
static void append_event(struct uinput *uinput, struct dj_text *text,
                         const struct dj_touch_event *event, int *down)
{
    bool first = event->kind == DJ_TOUCH_DOWN && *down == 0;
    bool last = event->kind == DJ_TOUCH_UP && *down == 1;
    *down += event->kind == DJ_TOUCH_DOWN ? 1 : event->kind == DJ_TOUCH_UP ? -1 : 0;
    dj_text_format(text, "%d,%d,%d,", EV_ABS, ABS_MT_SLOT, event->pointer);
    if (event->kind != DJ_TOUCH_MOVE) {
        int id = event->kind == DJ_TOUCH_UP ? -1 : uinput->tracking++ % 65536;
        dj_text_format(text, "%d,%d,%d,", EV_ABS, ABS_MT_TRACKING_ID, id);
    }
    if (event->kind != DJ_TOUCH_UP) {
        dj_text_format(text, "%d,%d,%d,%d,%d,%d,", EV_ABS, ABS_MT_POSITION_X, event->x,
                       EV_ABS, ABS_MT_POSITION_Y, event->y);
    }
    if (first || last) {
        dj_text_format(text, "%d,%d,%d,", EV_KEY, BTN_TOUCH, first);
    }
}

static void append_plan(struct uinput *uinput, struct dj_text *text,
                        const struct dj_touch_plan *plan)
{
    int down = 0;
    int64_t now_ns = 0;
    for (size_t i = 0; i < plan->count;) {
        int64_t at_ns = plan->events[i].at_ns;
        if (at_ns > now_ns) {
            append_delay(text, at_ns - now_ns);
            now_ns = at_ns;
        }
        /* All events at the same time are sent in one report. If a finger is moved and
         * lifted at the same time, there are two reports. */
        enum dj_touch_kind kind = plan->events[i].kind;
        dj_text_add(text, "{\"id\":1,\"command\":\"inject\",\"events\":[");
        while (i < plan->count && plan->events[i].at_ns == at_ns &&
               plan->events[i].kind == kind) {
            append_event(uinput, text, &plan->events[i++], &down);
        }
        dj_text_format(text, "%d,%d,0]}\n", EV_SYN, SYN_REPORT);
    }
}

static int play_touches(struct dj_injector *injector, const struct dj_touch_plan *plan,
                        struct dj_error *err)
{
    struct uinput *uinput = (struct uinput *)injector;
    struct dj_text text = {0};
    append_plan(uinput, &text, plan);
    int64_t end_ns = dj_host_now_ns() + plan->duration_ns;
    int code = send_lines(uinput, &text, err);
    dj_text_finish(&text);
    int64_t left_ns = end_ns - dj_host_now_ns();
    return code == 0 ? read_errors(uinput, left_ns < 0 ? 0 : left_ns, err) : code;
}

/* Presses a key or types text with `input`, because the virtual touch screen has no keys.
 * `input` is slow, but keys are rare and never pressed during a motion. */
static int run_input(struct dj_injector *injector, const char *key, const char *text,
                     struct dj_error *err)
{
    struct dj_injector *input;
    int code = dj_inject_open_input(injector->device, &input, err);
    if (code == 0) {
        code = key != NULL ? dj_drive_injector_key(input, key, err)
                           : dj_drive_injector_text(input, text, err);
        dj_drive_injector_close(input);
    }
    return code;
}

static int press_key(struct dj_injector *injector, const char *name, struct dj_error *err)
{
    return run_input(injector, name, NULL, err);
}

static int type_text(struct dj_injector *injector, const char *words,
                     struct dj_error *err)
{
    return run_input(injector, NULL, words, err);
}

static void close_uinput(struct dj_injector *injector)
{
    struct uinput *uinput = (struct uinput *)injector;
    dj_device_process_close(uinput->process);
    free(uinput);
}

static const struct dj_injector_ops ops = {
    .touch = play_touches, .key = press_key, .text = type_text, .close = close_uinput};

static int start(struct uinput *uinput, struct dj_error *err)
{
    struct dj_screen screen;
    struct dj_text text = {0};
    int code = dj_screen_read(uinput->base.device, &screen, err);
    if (code == 0 && screen.is_rotated) {
        /* A touch screen reports positions in the natural orientation. This injector
         * cannot convert points to this orientation, so the screen must not be
         * rotated. */
        code = dj_error_set(err, DJ_E_UNSUPPORTED,
                            "uinput: the screen is rotated; rotate it to 0 first");
    }
    if (code == 0) {
        code = dj_device_start(uinput->base.device, (const char *[]){"uinput", "-", NULL},
                               &uinput->process, err);
    }
    if (code == 0) {
        append_registration(&text, screen.area.right, screen.area.bottom);
        code = send_lines(uinput, &text, err);
        dj_text_finish(&text);
    }
    return code == 0 ? read_errors(uinput, REGISTERED_NS, err) : code;
}

int dj_inject_open_uinput(struct dj_device *device, struct dj_injector **injector,
                          struct dj_error *err)
{
    struct uinput *uinput = calloc(1, sizeof(*uinput));
    if (uinput == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    uinput->base = (struct dj_injector){
        .ops = &ops,
        .device = device,
        .name = "uinput",
        .fingers = FINGERS,
        .note = "uinput does not report lateness; each key or text starts a process"};
    int code = start(uinput, err);
    if (code != 0) {
        close_uinput(&uinput->base);
        return code == DJ_E_PROTOCOL ? DJ_E_UNSUPPORTED : code;
    }
    *injector = &uinput->base;
    return 0;
}
