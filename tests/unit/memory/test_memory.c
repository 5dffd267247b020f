#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

enum { HANDLED = 7, TOO_MUCH = 2 };

__attribute__((noreturn)) static void end_handled(void)
{
    exit(HANDLED);
}

static void set_handler(void)
{
    dj_memory_set_handler(end_handled);
}

TestSuite(memory, .init = set_handler);

Test(memory, what_there_is_room_for_is_allocated)
{
    int *zeroed = dj_xzeroed(3, sizeof(*zeroed));
    cr_assert(zeroed[0] == 0 && zeroed[2] == 0);
    zeroed = dj_xresize(zeroed, 100, sizeof(*zeroed));
    zeroed[99] = 1;
    free(zeroed);
    char *copy = dj_xcopy("abc", 2);
    cr_assert_str_eq(copy, "ab");
    free(copy);
}

Test(memory, of_nothing_there_is_an_array_too)
{
    void *zeroed = dj_xzeroed(0, 8), *resized = dj_xresize(NULL, 0, 8);
    cr_assert(zeroed != NULL && resized != NULL);
    free(zeroed);
    free(resized);
}

Test(memory, an_array_grows_by_its_count)
{
    int *array = NULL;
    for (int i = 0; i < 1000; i++) {
        array = dj_xroom(array, (size_t)i, sizeof(*array));
        array[i] = i;
    }
    cr_assert(array[0] == 0 && array[999] == 999);
    free(array);
}

Test(memory, zeroed_fails, .exit_code = HANDLED)
{
    dj_xzeroed(SIZE_MAX / TOO_MUCH, sizeof(long));
}

Test(memory, resize_fails, .exit_code = HANDLED)
{
    dj_xresize(NULL, SIZE_MAX / TOO_MUCH, sizeof(long));
}

Test(memory, a_text_that_had_no_memory_is_not_read, .exit_code = HANDLED)
{
    struct dj_text text = {.failed = true};
    dj_xtext(&text);
}

Test(memory, a_text_at_its_maximum_is_read)
{
    struct dj_text text = {.maximum = 3};
    dj_text_string(&text, "abc");
    dj_text_string(&text, "d");
    cr_assert_str_eq(dj_xtext(&text), "abc");
    dj_text_finish(&text);
}
