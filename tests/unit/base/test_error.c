#include <criterion/criterion.h>
#include <string.h>

#include "base/checked.h"
#include "base/error.h"

Test(error, set_returns_the_code_and_formats)
{
    struct dj_error err = {.has_offset = 1, .offset = 9};
    cr_assert_eq(dj_error_set(&err, DJ_E_IO, "cannot open %s: %d", "x", 7), DJ_E_IO);
    cr_assert_eq(err.code, DJ_E_IO);
    cr_assert_str_eq(err.message, "cannot open x: 7");
    cr_assert_eq(err.has_offset, 0, "an offset of before must not stay");
}

Test(error, set_at_stores_the_offset)
{
    struct dj_error err = {0};
    cr_assert_eq(dj_error_set_at(&err, DJ_E_INVALID, 1LL << 40, "bad"), DJ_E_INVALID);
    cr_assert_eq(err.has_offset, 1);
    cr_assert_eq(err.offset, 1LL << 40);
}

Test(error, err_may_be_null)
{
    cr_assert_eq(dj_error_set(NULL, DJ_E_LIMIT, "x"), DJ_E_LIMIT);
    cr_assert_eq(dj_error_set_at(NULL, DJ_E_LIMIT, 1, "x"), DJ_E_LIMIT);
    dj_error_prepend(NULL, "x");
}

Test(error, prepend_adds_the_context)
{
    struct dj_error err = {0};
    dj_error_set_at(&err, DJ_E_INVALID, 5, "no magic");
    dj_error_prepend(&err, "segment %d", 3);
    dj_error_prepend(&err, "pid 42");
    cr_assert_str_eq(err.message, "pid 42: segment 3: no magic");
    cr_assert_eq(err.code, DJ_E_INVALID);
    cr_assert_eq(err.offset, 5);
}

Test(error, long_messages_are_truncated_and_terminated)
{
    struct dj_error err = {0};
    char inner[2 * sizeof(err.message)];
    memset(inner, 'i', sizeof(inner) - 1);
    inner[sizeof(inner) - 1] = '\0';
    dj_error_set(&err, DJ_E_IO, "%s", inner);
    cr_assert_eq(strlen(err.message), sizeof(err.message) - 1);
    dj_error_prepend(&err, "outer");
    cr_assert_eq(strncmp(err.message, "outer: iii", 10), 0);
    cr_assert_eq(strlen(err.message), sizeof(err.message) - 1);
    dj_error_prepend(&err, "%s", inner);
    cr_assert_eq(strlen(err.message), sizeof(err.message) - 1);
}

Test(checked, sums_of_sizes_report_overflow)
{
    size_t result = 0;
    cr_assert(dj_checked_add_size(1, 2, &result));
    cr_assert_eq(result, 3);
    cr_assert_not(dj_checked_add_size(SIZE_MAX, 1, &result));
}

Test(checked, differences_saturate)
{
    cr_assert_eq(dj_checked_subtract_saturated(5, 7), -2);
    cr_assert_eq(dj_checked_subtract_saturated(INT64_MAX, -1), INT64_MAX);
    cr_assert_eq(dj_checked_subtract_saturated(INT64_MIN, 1), INT64_MIN);
    cr_assert_eq(dj_checked_subtract_saturated(-2, INT64_MAX), INT64_MIN);
    cr_assert_eq(dj_checked_subtract_saturated(INT64_MAX, INT64_MAX), 0);
}

Test(checked, sums_saturate)
{
    cr_assert_eq(dj_checked_add_saturated(5, -7), -2);
    cr_assert_eq(dj_checked_add_saturated(INT64_MAX, 1), INT64_MAX);
    cr_assert_eq(dj_checked_add_saturated(1, INT64_MAX), INT64_MAX);
    cr_assert_eq(dj_checked_add_saturated(INT64_MIN, -1), INT64_MIN);
    cr_assert_eq(dj_checked_add_saturated(-1, INT64_MIN), INT64_MIN);
    cr_assert_eq(dj_checked_add_saturated(INT64_MIN, INT64_MAX), -1);
}

Test(checked, wrapped_sums_overflow_like_hwui)
{
    cr_assert_eq(dj_checked_add_wrapped(INT64_MAX, 1), INT64_MIN);
    cr_assert_eq(dj_checked_add_wrapped(-1, 1), 0);
}
