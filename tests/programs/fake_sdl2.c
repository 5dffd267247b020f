/* An SDL 2 that calls SDL 3, which it opens when it is loaded, like sdl2-compat. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int SDL_PollEvent(void *event);
EXPORT int SDL_RenderCopy(void);

static bool (*behind)(void *);

__attribute__((constructor)) static void load(void)
{
    void *library = dlopen("libfake_sdl3.so", RTLD_NOW | RTLD_LOCAL);
    behind = library != NULL ? (bool (*)(void *))dlsym(library, "SDL_PollEvent") : NULL;
    if (behind == NULL) {
        abort();
    }
}

int SDL_PollEvent(void *event)
{
    int type = 0;
    behind(&type);
    *(int *)event = type == 3 ? 2 : type;
    return 1;
}

int SDL_RenderCopy(void)
{
    return 0;
}
