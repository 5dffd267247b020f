#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LARGE_BYTES = 4 << 20, PAGE_BYTES = 4096 };

/* The request is only a hint. If the kernel provides no large pages, the array still
 * works. */
static void request_large_pages(char *at, size_t bytes)
{
    size_t into_page = (uintptr_t)at % PAGE_BYTES;
    madvise(at - into_page, bytes + into_page, MADV_HUGEPAGE);
}

void *dj_array_resize(void *array, size_t count, size_t element_bytes)
{
    void *resized = reallocarray(array, count, element_bytes);
    if (resized != NULL && count * element_bytes >= LARGE_BYTES) {
        request_large_pages(resized, count * element_bytes);
    }
    return resized;
}

/* `array` is the address of a pointer of any type. The pointer is copied as bytes,
 * because all pointer types have the same representation on the supported systems. */
static bool resize_at(void *array, size_t count, size_t element_bytes)
{
    void *elements;
    memcpy(&elements, array, sizeof(elements));
    elements = dj_array_resize(elements, count, element_bytes);
    if (elements == NULL) {
        return false;
    }
    memcpy(array, &elements, sizeof(elements));
    return true;
}

bool dj_array_double(void *array, size_t count, size_t element_bytes)
{
    return resize_at(array, count == 0 ? 1 : 2 * count, element_bytes);
}

bool dj_array_reserve(void *array, size_t *capacity, size_t count, size_t element_bytes)
{
    enum { LEAST = 64 };
    size_t doubled = *capacity == 0 ? LEAST : 2 * *capacity;
    size_t wanted = count > doubled ? count : doubled;
    if (!resize_at(array, wanted, element_bytes)) {
        return false;
    }
    *capacity = wanted;
    return true;
}
