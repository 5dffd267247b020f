#include <criterion/criterion.h>
#include <string.h>

#include "script/monkey/device_match.h"

Test(match, the_whole_serial_must_match)
{
    cr_assert_eq(dj_monkey_device_match(".*", "emulator-5554", NULL), 0);
    cr_assert_eq(dj_monkey_device_match("emulator-5554", "emulator-5554", NULL), 0);
    cr_assert_eq(dj_monkey_device_match("emulator", "emulator-5554", NULL),
                 DJ_E_NOT_FOUND);
    cr_assert_eq(dj_monkey_device_match("5554", "emulator-5554", NULL), DJ_E_NOT_FOUND);
    cr_assert_eq(dj_monkey_device_match("a|emulator-5554", "emulator-5554", NULL), 0);
    cr_assert_eq(dj_monkey_device_match("emulator-5554|a", "emulator-55540", NULL),
                 DJ_E_NOT_FOUND);
}

Test(match, java_digit_classes_work)
{
    cr_assert_eq(dj_monkey_device_match("emulator-\\d+", "emulator-5554", NULL), 0);
    cr_assert_eq(dj_monkey_device_match("\\D+\\d{4}", "emulator-5554", NULL), 0);
    cr_assert_eq(dj_monkey_device_match("emulator-\\d+", "emulator-x", NULL),
                 DJ_E_NOT_FOUND);
    cr_assert_eq(dj_monkey_device_match("10\\.0\\.0\\.\\d:5555", "10.0.0.7:5555", NULL),
                 0);
    cr_assert_eq(dj_monkey_device_match("10\\.0\\.0\\.\\d:5555", "10x0.0.7:5555", NULL),
                 DJ_E_NOT_FOUND);
    cr_assert_eq(dj_monkey_device_match("a\\\\d", "a\\d", NULL), 0,
                 "an escaped backslash");
}

Test(match, invalid_expressions_are_errors)
{
    static const char *const patterns[] = {"(", "a)(b", "[", "a{2,1}", "\\"};
    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
        struct dj_error err = {0};
        cr_assert_eq(dj_monkey_device_match(patterns[i], "ab", &err), DJ_E_USAGE, "%s",
                     patterns[i]);
        cr_assert_not_null(strstr(err.message, "' is not a regular expression: "));
        cr_assert_eq(dj_monkey_device_check_pattern(patterns[i], &err), DJ_E_USAGE, "%s",
                     patterns[i]);
    }
    cr_assert_eq(dj_monkey_device_check_pattern("emulator-\\d+", NULL), 0);
    cr_assert_eq(dj_monkey_device_check_pattern("local:", NULL), 0);
}
