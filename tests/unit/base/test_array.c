#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"

/* Over the size from which it asks for large pages, and back. */
Test(array, keeps_what_is_in_it)
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
