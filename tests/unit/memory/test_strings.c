#include <criterion/criterion.h>

#include "memory/strings.h"

Test(strings, are_copies_until_finish)
{
    struct dj_strings strings = {0};
    char word[] = "first";
    const char *first = dj_memory_strings_add(&strings, word);
    word[0] = 'F';
    cr_assert_null(dj_memory_strings_add(&strings, NULL));
    for (int i = 0; i < 100; i++) {
        cr_assert_str_empty(dj_memory_strings_add(&strings, ""));
    }
    cr_assert_str_eq(first, "first");
    cr_assert_eq(strings.count, 101);
    dj_memory_strings_finish(&strings);
    cr_assert_eq(strings.count, 0);
}
