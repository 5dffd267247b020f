/* A library whose constructor allocates memory. */
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void early_touch(void);

static void *volatile block;

__attribute__((constructor)) static void allocate(void)
{
    block = malloc(10);
    free(block);
}

void early_touch(void)
{
    free(malloc(1));
}
