#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive/gesture/list.h"
#include "drive/touch.h"

static const struct dj_ui_rect phone = {0, 0, 1080, 2400};
static struct dj_gesture_list gestures;
static struct dj_touch_plan plan;

static int try_plan(const char *text, const struct dj_ui_rect *area, struct dj_error *err)
{
    dj_gesture_finish_list(&gestures);
    dj_touch_plan_finish(&plan);
    cr_assert_eq(dj_gesture_parse_list(text, strlen(text), &gestures, err), 0, "%s: %s",
                 text, err->message);
    return dj_touch_plan_gesture(&gestures.items[0], area, &plan, err);
}

static void planned(const char *text, const struct dj_ui_rect *area)
{
    struct dj_error err = {0};
    cr_assert_eq(try_plan(text, area, &err), 0, "%s: %s", text, err.message);
    cr_assert_gt(plan.count, 0);
}

static void finish(void)
{
    dj_gesture_finish_list(&gestures);
    dj_touch_plan_finish(&plan);
}

static const struct dj_touch_event *last_of(int pointer, enum dj_touch_kind kind)
{
    for (size_t i = plan.count; i-- > 0;) {
        if (plan.events[i].pointer == pointer && plan.events[i].kind == kind) {
            return &plan.events[i];
        }
    }
    return NULL;
}

/* Checks rules that apply to every plan: events are in order of time, each finger is
 * first put down and finally lifted, and a moving finger is reported at least 120 times a
 * second. */
static void check_form(bool moves)
{
    for (int pointer = 0; pointer < plan.fingers; pointer++) {
        const struct dj_touch_event *before = NULL;
        for (size_t i = 0; i < plan.count; i++) {
            const struct dj_touch_event *event = &plan.events[i];
            if (event->pointer != pointer) {
                continue;
            }
            cr_assert_eq(event->kind == DJ_TOUCH_DOWN, before == NULL);
            cr_assert(before == NULL || before->kind != DJ_TOUCH_UP);
            if (before != NULL) {
                cr_assert_geq(event->at_ns, before->at_ns);
            }
            if (moves && event->kind == DJ_TOUCH_MOVE && before->kind == DJ_TOUCH_MOVE) {
                cr_assert_leq(event->at_ns - before->at_ns, INT64_C(1000000000) / 120);
            }
            before = event;
        }
        cr_assert_eq(before->kind, DJ_TOUCH_UP);
        cr_assert_eq(before->at_ns, plan.duration_ns);
    }
}

/* Computes the final speed as Android's velocity tracker does: it fits a parabola to the
 * points of the last 100 ms and takes the slope at the last point. */
static double tracked_speed(void)
{
    double s[5] = {0}, b[3] = {0};
    int64_t end = plan.events[plan.count - 1].at_ns;
    for (size_t i = 0; i < plan.count; i++) {
        double t = (double)(plan.events[i].at_ns - end) / 1e9;
        double way =
            hypot(plan.events[i].x - plan.from_x, plan.events[i].y - plan.from_y);
        if (plan.events[i].kind != DJ_TOUCH_MOVE || t < -0.1) {
            continue;
        }
        for (int k = 0; k < 5; k++) {
            s[k] += pow(t, k);
        }
        for (int k = 0; k < 3; k++) {
            b[k] += pow(t, k) * way;
        }
    }
    double d = s[0] * (s[2] * s[4] - s[3] * s[3]) - s[1] * (s[1] * s[4] - s[2] * s[3]) +
               s[2] * (s[1] * s[3] - s[2] * s[2]);
    double n = s[0] * (b[1] * s[4] - s[3] * b[2]) - b[0] * (s[1] * s[4] - s[2] * s[3]) +
               s[2] * (s[1] * b[2] - s[2] * b[1]);
    return n / d;
}

Test(touch, a_tap_goes_down_and_up_at_one_place, .fini = finish)
{
    planned("tap 100,200", &phone);
    check_form(false);
    cr_assert_eq(plan.count, 2);
    cr_assert(plan.still);
    cr_assert_eq(plan.events[1].x, 100);
    cr_assert_eq(plan.events[1].y, 200);
    cr_assert_lt(plan.duration_ns, 100000000, "no long press");
    planned("long-tap 100,200", &phone);
    cr_assert_gt(plan.duration_ns, 500000000, "a long press on any Android");
}

Test(touch, targets_are_tapped_in_the_middle_or_at_a_point_from_the_corner,
     .fini = finish)
{
    const struct dj_ui_rect button = {100, 300, 201, 341};
    planned("tap @ text=OK", &button);
    cr_assert_eq(plan.events[0].x, 150);
    cr_assert_eq(plan.events[0].y, 320);
    planned("tap 1,2 @ text=OK", &button);
    cr_assert_eq(plan.events[0].x, 101);
    cr_assert_eq(plan.events[0].y, 302);
    planned("tap 100%,0% @ text=OK", &button);
    cr_assert_eq(plan.events[0].x, 200);
    cr_assert_eq(plan.events[0].y, 300);
}

Test(touch, a_swipe_has_constant_speed, .fini = finish)
{
    planned("swipe 100,2000 100,400 320ms", &phone);
    check_form(true);
    cr_assert_eq(plan.duration_ns, 320000000);
    cr_assert_eq(plan.count, 1 + 40 + 1);
    for (size_t i = 1; i < 41; i++) {
        cr_assert_eq(plan.events[i].y, 2000 - (int)i * 40);
    }
    cr_assert_float_eq(plan.end_speed_px_s, 5000, 1);
    cr_assert_float_eq(tracked_speed(), 5000, 10);
}

Test(touch, a_fling_ends_at_the_requested_speed, .fini = finish)
{
    static const double speeds[] = {500, 1000, 3000, 8000, 20000};
    for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
        char text[64];
        snprintf(text, sizeof(text), "fling up %.0fpx/s", speeds[i]);
        planned(text, &phone);
        check_form(true);
        cr_expect_eq(plan.end_speed_px_s, speeds[i]);
        cr_expect_float_eq(tracked_speed(), speeds[i], speeds[i] * 0.02 + 15, "%s: %f",
                           text, tracked_speed());
        cr_expect_lt(plan.to_y, plan.from_y, "up");
        cr_expect_geq(plan.to_y, phone.bottom / 5 - 1);
    }
}

Test(touch, a_fling_without_a_speed_covers_its_area, .fini = finish)
{
    static const char *const texts[] = {"fling up", "fling down", "fling left",
                                        "fling right"};
    for (size_t i = 0; i < 4; i++) {
        planned(texts[i], &phone);
        check_form(true);
        cr_expect_float_eq(tracked_speed(), plan.end_speed_px_s,
                           plan.end_speed_px_s * 0.02, "%s", texts[i]);
    }
    cr_expect_eq(plan.from_y, plan.to_y);
    cr_expect_float_eq(plan.to_x - plan.from_x, 0.6 * 1079, 1);
}

Test(touch, a_drag_waits_and_stops_at_its_end, .fini = finish)
{
    planned("drag 50%,20% 50%,80%", &phone);
    check_form(true);
    cr_assert_gt(plan.events[1].at_ns, 500000000, "lifted by a long press");
    cr_assert_float_eq(tracked_speed(), 0, 1);
    cr_assert_eq(last_of(0, DJ_TOUCH_UP)->y, plan.to_y);
    double fastest = 0;
    for (size_t i = 2; i < plan.count; i++) {
        fastest = fmax(fastest, abs(plan.events[i].y - plan.events[i - 1].y));
    }
    /* With minimum jerk, the speed in the middle is 15/8 of the mean speed. */
    cr_assert_float_eq(fastest, 15.0 / 8 * (plan.to_y - plan.from_y) / 100, 2);
}

Test(touch, a_scroll_ends_without_speed, .fini = finish)
{
    planned("scroll-to text=x", &phone);
    check_form(true);
    cr_assert_lt(plan.events[1].at_ns, 20000000, "no long press");
    cr_assert_float_eq(tracked_speed(), 0, 1);
    cr_assert_lt(plan.to_y, plan.from_y);
}

Test(touch, a_pinch_has_two_fingers_on_one_line, .fini = finish)
{
    planned("pinch out 80%", &phone);
    check_form(true);
    cr_assert_eq(plan.fingers, 2);
    const struct dj_touch_event *one = last_of(0, DJ_TOUCH_UP);
    const struct dj_touch_event *two = last_of(1, DJ_TOUCH_UP);
    cr_assert_float_eq(two->x - one->x, 0.8 * 1080, 3);
    cr_assert_float_eq((one->x + two->x) / 2.0, 540, 1);
    cr_assert_float_eq((one->y + two->y) / 2.0, 1200, 1);
    double grown = (two->x - one->x) / (double)(plan.events[1].x - plan.events[0].x);
    cr_assert_float_eq(grown, 5, 0.1);
    planned("pinch in", &phone);
    cr_assert_lt(last_of(1, DJ_TOUCH_UP)->x - last_of(0, DJ_TOUCH_UP)->x,
                 plan.events[1].x - plan.events[0].x);
}

Test(touch, impossible_gestures_are_refused, .fini = finish)
{
    const struct dj_ui_rect small = {0, 0, 100, 50}, none = {0};
    struct dj_error err = {0};
    cr_assert_eq(try_plan("tap 100,10", &small, &err), DJ_E_USAGE);
    cr_assert_str_eq(err.message,
                     "the point 100,10 is outside of the area of 100×50 pixels");
    cr_assert_eq(try_plan("swipe 1,1 99,50", &small, &err), DJ_E_USAGE);
    cr_assert_eq(try_plan("fling up 8000px/s", &small, &err), DJ_E_USAGE);
    cr_assert_str_eq(err.message,
                     "a fling over 29 pixels reaches at most 1470 px/s, not 8000");
    cr_assert_eq(try_plan("tap 0,0", &none, &err), DJ_E_NOT_FOUND);
    cr_assert_eq(try_plan("wait 1s", &small, &err), DJ_E_USAGE);
}

/* Fingers stay inside the area, whatever its size. */
Test(touch, fingers_stay_within_their_area, .fini = finish)
{
    static const char *const texts[] = {
        "tap @ *",    "fling up",       "fling left",  "swipe down",
        "drag right", "pinch out 100%", "pinch in 1%", "swipe 0%,0% 100%,100%"};
    static const struct dj_ui_rect areas[] = {
        {0, 0, 1, 1}, {5, 7, 6, 300}, {-20, -30, 40, 50}, {0, 0, 3840, 2160}};
    for (size_t a = 0; a < sizeof(areas) / sizeof(areas[0]); a++) {
        for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
            planned(texts[i], &areas[a]);
            for (size_t k = 0; k < plan.count; k++) {
                const struct dj_touch_event *event = &plan.events[k];
                cr_expect(event->x >= areas[a].left && event->x < areas[a].right &&
                              event->y >= areas[a].top && event->y < areas[a].bottom,
                          "%s in area %zu at %d,%d", texts[i], a, event->x, event->y);
            }
        }
    }
}
