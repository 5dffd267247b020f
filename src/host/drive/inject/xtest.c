/* Injects input with the XTEST extension of X: pointer, buttons and keyboard. */
#include "drive/inject.h"

#include <xcb/xcb.h>
#include <xcb/xtest.h>

#include "drive/inject/x_keys.h"
#include "process/deadline.h"

/* How far a finger moves for one step of the wheel. Toolkits scroll about three lines per
 * step. */
#define WHEEL_PX 50.0

/* A sleep checks for an interrupt at least this often. */
#define SLICE_NS (100 * DJ_MILLISECOND_NS)

enum {
    LEFT_BUTTON = 1,
    WHEEL_UP = 4,
    WHEEL_DOWN = 5,
    WHEEL_LEFT = 6,
    WHEEL_RIGHT = 7,
    SHIFT = 0xffe1 /* The keysym of Shift. */
};

struct xtest {
    struct dj_injector base;
    xcb_connection_t *x;
    xcb_window_t root;
};

static int flush(struct xtest *xtest, struct dj_error *err)
{
    return xcb_flush(xtest->x) <= 0 || xcb_connection_has_error(xtest->x)
               ? dj_error_set(err, DJ_E_PROTOCOL,
                              "the connection to the X server was lost")
               : 0;
}

/* Waits until the server has processed all requests. If a client has unread events when
 * it closes its connection, the server drops the requests that it has not read yet, such
 * as the last release of a gesture. */
static int wait_for_server(struct xtest *xtest, struct dj_error *err)
{
    free(xcb_get_input_focus_reply(xtest->x, xcb_get_input_focus(xtest->x), NULL));
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_event(xtest->x)) != NULL) {
        free(event);
    }
    return flush(xtest, err);
}

static void send_event(struct xtest *xtest, uint8_t type, uint8_t detail, int x, int y)
{
    xcb_test_fake_input(xtest->x, type, detail, XCB_CURRENT_TIME, xtest->root, (int16_t)x,
                        (int16_t)y, 0);
}

static void click(struct xtest *xtest, uint8_t button)
{
    send_event(xtest, XCB_BUTTON_PRESS, button, 0, 0);
    send_event(xtest, XCB_BUTTON_RELEASE, button, 0, 0);
}

/* Sleeps until the host time at_ns, or until an interrupt. */
static int sleep_until(struct xtest *xtest, int64_t at_ns, struct dj_error *err)
{
    int64_t left_ns;
    int code;
    do {
        code = dj_interrupt_poll(&xtest->base.device->interrupt, 0, NULL, 0, err);
        left_ns = at_ns - dj_host_now_ns();
        if (code == 0) {
            dj_host_sleep_ns(left_ns < SLICE_NS ? left_ns : SLICE_NS);
        }
    } while (code == 0 && left_ns > 0);
    return code;
}

/* Turns the wheel, one step for each WHEEL_PX that the finger has moved. *done is the
 * number of steps so far. */
static void turn_wheel(struct xtest *xtest, int *done, double way_px, uint8_t negative,
                       uint8_t positive)
{
    int due = (int)(way_px / WHEEL_PX);
    for (; *done < due; (*done)++) {
        click(xtest, positive);
    }
    for (; *done > due; (*done)--) {
        click(xtest, negative);
    }
}

static void move_finger(struct xtest *xtest, const struct dj_touch_event *event,
                        bool scrolls)
{
    if (event->kind == DJ_TOUCH_DOWN || !scrolls) {
        send_event(xtest, XCB_MOTION_NOTIFY, 0, event->x, event->y);
    }
    if (event->kind != DJ_TOUCH_MOVE && !scrolls) {
        send_event(xtest,
                   event->kind == DJ_TOUCH_DOWN ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE,
                   LEFT_BUTTON, 0, 0);
    }
}

static int play_touches(struct dj_injector *injector, const struct dj_touch_plan *plan,
                        struct dj_error *err)
{
    struct xtest *xtest = (struct xtest *)injector;
    int wheel_x = 0, wheel_y = 0;
    int64_t begin_ns = dj_host_now_ns();
    int code = 0;
    size_t i = 0;
    for (; code == 0 && i < plan->count; i++) {
        const struct dj_touch_event *event = &plan->events[i];
        code = sleep_until(xtest, begin_ns + event->at_ns, err);
        if (code != 0) {
            break;
        }
        move_finger(xtest, event, plan->scrolls);
        if (plan->scrolls && event->kind == DJ_TOUCH_MOVE) {
            /* The content must move with the finger. So when the finger moves up, the
             * wheel scrolls down. */
            turn_wheel(xtest, &wheel_x, event->x - plan->from_x, WHEEL_RIGHT, WHEEL_LEFT);
            turn_wheel(xtest, &wheel_y, event->y - plan->from_y, WHEEL_DOWN, WHEEL_UP);
        }
        code = flush(xtest, err);
        dj_inject_add_jitter(&injector->jitter,
                             dj_host_now_ns() - begin_ns - event->at_ns);
    }
    if (i > 0 && i < plan->count && !plan->scrolls) {
        send_event(xtest, XCB_BUTTON_RELEASE, LEFT_BUTTON, 0, 0);
    }
    int settled = wait_for_server(xtest, code == 0 ? err : NULL);
    return code != 0 ? code : settled;
}

/* Finds the key for a keysym, and whether Shift must be pressed with it. */
static bool find_keycode(struct xtest *xtest, uint32_t keysym, uint8_t *keycode,
                         bool *shifted)
{
    const xcb_setup_t *setup = xcb_get_setup(xtest->x);
    uint8_t first = setup->min_keycode;
    uint8_t count = (uint8_t)(setup->max_keycode - first + 1);
    xcb_get_keyboard_mapping_reply_t *map = xcb_get_keyboard_mapping_reply(
        xtest->x, xcb_get_keyboard_mapping(xtest->x, first, count), NULL);
    if (map == NULL) {
        return false;
    }
    const xcb_keysym_t *syms = xcb_get_keyboard_mapping_keysyms(map);
    int width = map->keysyms_per_keycode;
    bool found = false;
    for (int column = 0; column < 2 && column < width && !found; column++) {
        for (int i = 0; i < count && !found; i++) {
            if (syms[i * width + column] == keysym) {
                *keycode = (uint8_t)(first + i);
                *shifted = column == 1;
                found = true;
            }
        }
    }
    free(map);
    return found;
}

static int press_keysym(struct xtest *xtest, uint32_t keysym, struct dj_error *err)
{
    uint8_t keycode, shift = 0;
    bool shifted, plain;
    if (!find_keycode(xtest, keysym, &keycode, &shifted) ||
        (shifted && !find_keycode(xtest, SHIFT, &shift, &plain))) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "the keyboard layout has no key for keysym 0x%04x",
                            (unsigned)keysym);
    }
    if (shifted) {
        send_event(xtest, XCB_KEY_PRESS, shift, 0, 0);
    }
    send_event(xtest, XCB_KEY_PRESS, keycode, 0, 0);
    send_event(xtest, XCB_KEY_RELEASE, keycode, 0, 0);
    if (shifted) {
        send_event(xtest, XCB_KEY_RELEASE, shift, 0, 0);
    }
    return wait_for_server(xtest, err);
}

static int press_key(struct dj_injector *injector, const char *name, struct dj_error *err)
{
    uint32_t keysym;
    return dj_x_keys_find(name, &keysym)
               ? press_keysym((struct xtest *)injector, keysym, err)
               : dj_error_set(err, DJ_E_USAGE, "unknown key '%.80s'", name);
}

static int type_text(struct dj_injector *injector, const char *words,
                     struct dj_error *err)
{
    int code = 0;
    for (const char *at = words; code == 0 && *at != '\0'; at++) {
        code = press_keysym((struct xtest *)injector, (uint32_t)*at, err);
    }
    return code;
}

static void close_xtest(struct dj_injector *injector)
{
    struct xtest *xtest = (struct xtest *)injector;
    xcb_disconnect(xtest->x);
    free(xtest);
}

static const struct dj_injector_ops ops = {.touch = play_touches,
                                           .key = press_key,
                                           .text = type_text,
                                           .ascii_only =
                                               "only printable ASCII can be typed",
                                           .close = close_xtest};

static int connect_x(struct xtest *xtest, struct dj_error *err)
{
    int number = 0;
    xtest->x = xcb_connect(NULL, &number);
    if (xcb_connection_has_error(xtest->x)) {
        const char *name = getenv("DISPLAY");
        return dj_error_set(err, DJ_E_UNSUPPORTED, "no X server answers at DISPLAY='%s'",
                            name != NULL ? name : "");
    }
    xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(xtest->x));
    for (; number > 0 && screens.rem > 1; number--) {
        xcb_screen_next(&screens);
    }
    xtest->root = screens.data->root;
    xcb_test_get_version_reply_t *version =
        xcb_test_get_version_reply(xtest->x, xcb_test_get_version(xtest->x, 2, 2), NULL);
    bool there = version != NULL;
    free(version);
    return there ? 0
                 : dj_error_set(err, DJ_E_UNSUPPORTED,
                                "the X server has no XTEST extension");
}

int dj_drive_injector_open_xtest(struct dj_device *device, struct dj_injector **injector,
                                 struct dj_error *err)
{
    struct xtest *xtest = calloc(1, sizeof(*xtest));
    if (xtest == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    xtest->base = (struct dj_injector){
        .ops = &ops, .device = device, .name = "xtest", .fingers = 1};
    int code = connect_x(xtest, err);
    if (code != 0) {
        close_xtest(&xtest->base);
        return code;
    }
    *injector = &xtest->base;
    return 0;
}
