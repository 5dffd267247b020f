/* Tests the offset between the clock of a time namespace and the kernel's clock. */
#include <criterion/criterion.h>
#include <string.h>

#include "capture/linux/kernel_clock.h"

static int64_t parse_offset(const char *text)
{
    return dj_kernel_clock_parse_offset(text, strlen(text));
}

Test(kernel_clock, the_offset_is_read_as_seconds_and_nanoseconds)
{
    cr_assert_eq(
        parse_offset(
            "monotonic           0         0\nboottime            0         0\n"),
        0);
    cr_assert_eq(parse_offset("monotonic      100000 500000000\nboottime 3 0\n"),
                 100000500000000);
    cr_assert_eq(parse_offset("monotonic         -2 500000000\n"), -1500000000);
}

Test(kernel_clock, other_texts_have_no_offset)
{
    static const char *const texts[] = {"",
                                        "\n",
                                        "boottime 3 0\n",
                                        "monotonic 3\n",
                                        "monotonic",
                                        "monotonic 9223372036854775807 0\n"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        cr_assert_eq(parse_offset(texts[i]), 0, "%s", texts[i]);
    }
}

static int store_event(void *user, const struct dj_event *event)
{
    *(struct dj_event *)user = *event;
    return 0;
}

Test(kernel_clock, every_time_is_converted)
{
    struct dj_event got;
    struct dj_kernel_clock clock = {.sink = {store_event, &got}, .offset_ns = 1000};
    const struct dj_event timer = {
        .kind = DJ_EVENT_TIMER_START, .at_ns = 5, .value = 7, .value_2 = 9};
    const struct dj_event known = {.kind = DJ_EVENT_THREAD, .other = 3};
    dj_kernel_clock_convert(&clock, &timer);
    cr_assert(got.at_ns == 1005 && got.value == 1007 && got.value_2 == 1009);
    dj_kernel_clock_convert(&clock, &known);
    cr_assert(got.at_ns == 0 && got.other == 3, "of no time");
}
