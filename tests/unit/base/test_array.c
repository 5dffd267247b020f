#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"

/* Grows beyond the size at which the array requests large pages, and shrinks again. */
Test(array, resizing_keeps_the_elements)
{
    static const size_t counts[] = {1, 1000, 1 << 16, 3 << 20, 5 << 20, 1 << 10};
    uint64_t *numbers = NULL;
    size_t filled = 0;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        numbers = dj_array_resize(numbers, counts[i], sizeof(*numbers));
        cr_assert_not_null(numbers);
        filled = filled < counts[i] ? filled : counts[i];
        for (size_t k = 0; k < filled; k++) {
            cr_assert_eq(numbers[k], k * 2654435761U);
        }
        for (; filled < counts[i]; filled++) {
            numbers[filled] = filled * 2654435761U;
        }
    }
    free(numbers);
}

Test(array, push_increases_the_count)
{
    static const short numbers[3] = {1, 2, 3};
    cr_expect_eq(COUNT_OF(numbers), 3);
}

Test(array, pop_returns_the_last_element)
{
    struct pair {
        size_t a, b;
    } *pairs = NULL;
    size_t count = 0;
    for (size_t i = 0; i < 1000; i++) {
        cr_assert(DJ_ARRAY_PUSH(pairs, count, (struct pair){i, 2 * i}));
        cr_assert_eq(count, i + 1);
    }
    for (size_t i = 0; i < 1000; i++) {
        cr_assert_eq(pairs[i].a, i);
        cr_assert_eq(pairs[i].b, 2 * i);
    }
    for (size_t i = 1000; i-- > 3;) {
        cr_assert_eq(DJ_ARRAY_POP(pairs, count).a, i);
    }
    cr_assert_eq(count, 3);
    /* Removes and adds elements, so that the count passes all powers of two again. */
    for (size_t i = 3; i < 100; i++) {
        cr_assert(DJ_ARRAY_ROOM(pairs, count));
        pairs[count++] = (struct pair){i, 0};
    }
    cr_expect_eq(pairs[0].b + pairs[1].b + pairs[2].b, 6);
    cr_expect_eq(pairs[99].a, 99);
    free(pairs);
}

Test(array, is_unchanged_without_memory)
{
    enum { HUGE_BYTES = 1 << 30 };
    char *bytes = malloc(4), *before = bytes;
    size_t capacity = 4;
    cr_expect_not(DJ_ARRAY_RESERVE(bytes, capacity, SIZE_MAX / 2));
    cr_expect_eq(bytes, before);
    cr_expect_eq(capacity, 4);
    cr_expect_not(dj_array_reserve_one(&bytes, (size_t)1 << 40, HUGE_BYTES));
    cr_expect_eq(bytes, before);
    free(bytes);
}

Test(array, reserve_at_least_doubles_the_capacity)
{
    int *numbers = NULL;
    size_t capacity = 0;
    cr_assert(DJ_ARRAY_RESERVE(numbers, capacity, 1));
    cr_expect_eq(capacity, 64);
    numbers[63] = 7;
    int *before = numbers;
    cr_assert(DJ_ARRAY_RESERVE(numbers, capacity, 64));
    cr_expect_eq(numbers, before);
    cr_assert(DJ_ARRAY_RESERVE(numbers, capacity, 65));
    cr_expect_eq(capacity, 128);
    cr_expect_eq(numbers[63], 7);
    cr_assert(DJ_ARRAY_RESERVE(numbers, capacity, 1000));
    cr_expect_eq(capacity, 1000);
    cr_expect_eq(numbers[63], 7);
    free(numbers);
}
