/*
 * Preloaded: the allocation with the number FAIL_ALLOCATION fails. A process that ends
 * normally writes the number of its allocations to the file COUNT_ALLOCATIONS.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

#define EXPORTED __attribute__((visibility("default")))

static long failing, count;

__attribute__((constructor)) static void start(void)
{
    const char *number = getenv("FAIL_ALLOCATION");
    failing = number != NULL ? atol(number) : 0;
    count = 0;
    unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void finish(void)
{
    long total = count;
    const char *path = getenv("COUNT_ALLOCATIONS");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "%ld\n", total);
        fclose(file);
    }
}

static int fails(void)
{
    if (++count != failing) {
        return 0;
    }
    errno = ENOMEM;
    return 1;
}

EXPORTED void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

EXPORTED void *calloc(size_t number, size_t size)
{
    return fails() ? NULL : __libc_calloc(number, size);
}

EXPORTED void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}
