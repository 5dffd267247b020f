#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_BYTES = 4 << 20, PAGE_BYTES = 4096 };

/* A wish: where it is not granted, nothing is different. */
static void ask_for_large_pages(char *at, size_t bytes)
{
    size_t into_page = (uintptr_t)at % PAGE_BYTES;
    madvise(at - into_page, bytes + into_page, MADV_HUGEPAGE);
}

void *dj_array_resize(void *array, size_t count, size_t element_bytes)
{
    void *resized = reallocarray(array, count, element_bytes);
    if (resized != NULL && count * element_bytes >= LARGE_BYTES) {
        ask_for_large_pages(resized, count * element_bytes);
    }
    return resized;
}
