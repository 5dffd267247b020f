#include <criterion/criterion.h>
#include <string.h>

#include "drive/inject.h"
#include "drive/inject/x_keys.h"
#include "drive/screen.h"

Test(screen, the_size_follows_the_rotation)
{
    struct dj_screen screen;
    cr_assert(dj_screen_parse_displays(
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n"
        "  Display: mDisplayId=0\n"
        "    init=1080x2400 420dpi cur=2400x1080 app=2274x1080 rng=1080x1002-2400x2274\n",
        &screen));
    cr_assert_eq(screen.area.right, 2400);
    cr_assert_eq(screen.area.bottom, 1080);
    cr_assert(screen.is_rotated);
    cr_assert(dj_screen_parse_displays(
        "init=1440x3120 560dpi base=1080x2340 420dpi cur=1080x2340", &screen));
    cr_assert_eq(screen.area.bottom, 2340);
    cr_assert_not(screen.is_rotated);
    cr_assert_not(dj_screen_parse_displays("init=1080x2400 420dpi", &screen));
    cr_assert_not(dj_screen_parse_displays("init=1080x2400 420dpi cur=0x0", &screen));
    cr_assert_not(dj_screen_parse_displays("Can't find service: window", &screen));
}

Test(screen, an_override_replaces_the_physical_size)
{
    struct dj_screen screen;
    cr_assert(dj_screen_parse_size("Physical size: 1080x2400\n", &screen));
    cr_assert_eq(screen.area.right, 1080);
    cr_assert(dj_screen_parse_size("Physical size: 1440x3120\nOverride size: 1080x2340\n",
                                   &screen));
    cr_assert_eq(screen.area.right, 1080);
    cr_assert_eq(screen.area.bottom, 2340);
    cr_assert_not(dj_screen_parse_size("wm: not found", &screen));
}

static void expect_reason(const char *said, int code, const char *says)
{
    struct dj_error err = {0};
    cr_expect_eq(dj_screen_dump_error(said, &err), code, "%s", said);
    cr_expect(strstr(err.message, says) != NULL, "%s gave '%s'", said, err.message);
}

Test(screen, the_reason_for_a_missing_dump_is_reported)
{
    expect_reason("ERROR: could not get idle state.\n", DJ_E_TIMEOUT,
                  "the screen keeps moving");
    expect_reason("ERROR: null root node returned by UiTestAutomationBridge.\n",
                  DJ_E_NO_DATA, "off or locked");
    expect_reason("java.lang.IllegalStateException: UiAutomationService "
                  "android.accessibilityservice.X@f18df39already registered!",
                  DJ_E_NO_DATA, "another program already reads the screen");
    expect_reason("Killed\n", DJ_E_NO_DATA, "another program already reads the screen");
    expect_reason("/system/bin/sh: uiautomator: not found", DJ_E_UNSUPPORTED,
                  "no `uiautomator`");
    expect_reason("\x1b[31mwhat\nelse", DJ_E_NO_DATA, "printed '\\x1b[31mwhat'");
}

Test(keys, keys_have_android_names)
{
    static const char *const names[][2] = {{"back", "KEYCODE_BACK"},
                                           {"KEYCODE_BACK", "KEYCODE_BACK"},
                                           {"page_down", "KEYCODE_PAGE_DOWN"},
                                           {"down", "KEYCODE_DPAD_DOWN"},
                                           {"backspace", "KEYCODE_DEL"},
                                           {"66", "66"},
                                           {"a", "KEYCODE_A"},
                                           {"keycode_tab", "KEYCODE_TAB"}};
    char code[80];
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        cr_expect(dj_inject_android_key(names[i][0], code, sizeof(code)));
        cr_expect_str_eq(code, names[i][1]);
    }
    cr_expect_not(dj_inject_android_key("abcdefghij", code, 12));
}

Test(keys, keys_have_x_keysyms)
{
    uint32_t keysym = 0;
    cr_expect(dj_x_keys_find("KEYCODE_ENTER", &keysym) && keysym == 0xff0d);
    cr_expect(dj_x_keys_find("page_down", &keysym) && keysym == 0xff56);
    cr_expect(dj_x_keys_find("a", &keysym) && keysym == 'a');
    cr_expect(dj_x_keys_find("7", &keysym) && keysym == '7');
    cr_expect_not(dj_x_keys_find("66", &keysym));
    cr_expect_not(dj_x_keys_find("", &keysym));
    cr_expect_not(dj_x_keys_find("hyper", &keysym));
}

Test(jitter, early_and_late_points_count_equally)
{
    struct dj_jitter jitter = {0};
    dj_inject_add_jitter(&jitter, 3);
    dj_inject_add_jitter(&jitter, -5);
    cr_expect_eq(jitter.count, 2);
    cr_expect_eq(jitter.total_ns, 8);
    cr_expect_eq(jitter.worst_ns, 5);
}
