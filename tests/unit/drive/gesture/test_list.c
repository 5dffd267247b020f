#include <criterion/criterion.h>
#include <string.h>

#include "drive/gesture/list.h"

static struct dj_gesture_list gestures;

static const struct dj_gesture *parse(const char *text)
{
    struct dj_error err = {0};
    dj_gesture_finish_list(&gestures);
    cr_assert_eq(dj_gesture_parse_list(text, strlen(text), &gestures, &err), 0, "%s: %s",
                 text, err.message);
    return &gestures.items[0];
}

static void finish(void)
{
    dj_gesture_finish_list(&gestures);
}

Test(gesture, each_kind_is_parsed, .fini = finish)
{
    const struct dj_gesture *one = parse("tap 100,200");
    cr_assert_eq(one->kind, DJ_GESTURE_TAP);
    cr_assert_eq(one->points[0].x, 100);
    cr_assert_not(one->points[0].x_percent);
    cr_assert_eq(one->times, 1);

    one = parse("long-tap 50%,12.5% 1.5s");
    cr_assert_eq(one->kind, DJ_GESTURE_LONG_TAP);
    cr_assert(one->points[0].y_percent);
    cr_assert_eq(one->points[0].y, 12.5);
    cr_assert_eq(one->duration_ns, 1500000000);

    one = parse("swipe 100,200 300,400 250ms");
    cr_assert_eq(one->kind, DJ_GESTURE_SWIPE);
    cr_assert_eq(one->point_count, 2);
    cr_assert_eq(one->points[1].y, 400);
    cr_assert_eq(one->duration_ns, 250000000);

    one = parse("fling up 8000px/s x5 pause 300ms @ id=list >> scrollable");
    cr_assert_eq(one->kind, DJ_GESTURE_FLING);
    cr_assert_eq(one->direction, DJ_DIRECTION_UP);
    cr_assert_eq(one->speed_px_s, 8000);
    cr_assert_eq(one->times, 5);
    cr_assert_eq(one->pause_ns, 300000000);
    cr_assert_str_eq(dj_drive_selector_text(one->target), "id=list >> scrollable");

    one = parse("pinch out 60% 400ms");
    cr_assert_eq(one->direction, DJ_DIRECTION_OUT);
    cr_assert_eq(one->percent, 60);

    one = parse("scroll-to down x30 text=\"a;b@c\" @ scrollable [0]");
    cr_assert_eq(one->kind, DJ_GESTURE_SCROLL_TO);
    cr_assert_eq(one->direction, DJ_DIRECTION_DOWN);
    cr_assert_eq(one->times, 30);
    cr_assert_str_eq(dj_drive_selector_text(one->sought), "text=\"a;b@c\"");

    one = parse("key KEYCODE_PAGE_DOWN x3");
    cr_assert_str_eq(one->word, "KEYCODE_PAGE_DOWN");
    cr_assert_eq(one->times, 3);

    one = parse("text \"say \\\"x\\\"; #1 你好\"");
    cr_assert_str_eq(one->word, "say \"x\"; #1 你好");

    cr_assert_eq(parse("rotate 270")->rotation, 3);
    cr_assert_eq(parse("wait 2s")->duration_ns, 2000000000);
    one = parse("wait-for 5s text=Done");
    cr_assert_eq(one->duration_ns, 5000000000);
    cr_assert(one->sought != NULL);
}

Test(gesture, separators_and_comments_are_accepted, .fini = finish)
{
    parse("\n# the whole of it\n tap @ text='Inbox' ; fling up # onwards\n;;wait 1s;\n");
    cr_assert_eq(gestures.count, 3);
    cr_assert_eq(gestures.items[1].kind, DJ_GESTURE_FLING);
    cr_assert_eq(gestures.items[2].kind, DJ_GESTURE_WAIT);
}

static void refuse(const char *text, const char *says)
{
    struct dj_gesture_list none = {0};
    struct dj_error err = {0};
    cr_expect_eq(dj_gesture_parse_list(text, strlen(text), &none, &err), DJ_E_USAGE, "%s",
                 text);
    cr_expect(strstr(err.message, says) != NULL, "%s gave '%s', not '%s'", text,
              err.message, says);
    dj_gesture_finish_list(&none);
}

Test(gesture, invalid_gestures_are_refused_with_their_position)
{
    refuse("", "line 1, column 1: expected a gesture: tap, long-tap, swipe");
    refuse(" # nothing", "expected a gesture");
    refuse("taps 1,2", "column 1: expected a gesture");
    refuse("tap", "column 1: expected tap [X,Y]");
    refuse("tap 1", "column 5: expected tap [X,Y]");
    refuse("tap 1,2 3,4", "column 9: expected tap");
    refuse("tap -1,2", "column 5");
    refuse("tap 1,101%", "column 5");
    refuse("tap 1,2 x0", "column 9");
    refuse("tap 1,2 x10001", "column 9");
    refuse("tap 1,2 x1.5", "column 9");
    refuse("wait 1s\nswipe 1,2", "line 2, column 1: expected swipe");
    refuse("swipe up 1,2", "column 1: expected swipe");
    refuse("swipe up 250", "column 10: expected swipe");
    refuse("swipe up 2h", "column 10");
    refuse("swipe up 4000s", "column 10");
    refuse("fling", "expected fling up|down");
    refuse("fling up 0px/s", "column 10");
    refuse("fling up @ foo=1", "column 12: expected text, desc");
    refuse("fling up @ text=\"你\" @ *", "column 21: a gesture has only one target");
    refuse("fling up @", "column 11: expected a condition");
    refuse("pinch up", "expected pinch in|out");
    refuse("pinch in 0%", "column 10");
    refuse("key", "column 4: expected a key");
    refuse("key a;reboot", "column 7: expected a gesture");
    refuse("key $(id)", "column 5: expected a key");
    refuse("key back @ *", "column 10: expected key NAME");
    refuse("text hello", "column 6: expected text \"WORDS\"");
    refuse("text \"hello", "column 6: this quote is not closed");
    refuse("text \"a\" b", "column 10: expected text");
    refuse("rotate 45", "column 8: expected rotate 0|90|180|270");
    refuse("rotate", "expected rotate");
    refuse("wait", "expected wait TIME");
    refuse("wait nan", "column 6");
    refuse("scroll-to", "column 10: expected a condition");
    refuse("wait-for 1s", "expected a condition");
    refuse("scroll-to foo @ *", "column 11: expected text, desc");
}
