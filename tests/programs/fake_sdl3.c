/* Functions of SDL 3 that have the same names as in SDL 2, but other results and
 * arguments. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT bool SDL_PollEvent(void *event);
EXPORT bool SDL_RenderPresent(void *renderer);
EXPORT bool SDL_GL_SwapWindow(void *window);
EXPORT bool SDL_SetWindowTitle(void *window, const char *title);
EXPORT void *SDL_CreateWindow(const char *title, int width, int height, uint64_t flags);

bool SDL_PollEvent(void *event)
{
    *(int *)event = 3;
    return true;
}

bool SDL_RenderPresent(void *renderer)
{
    return renderer != NULL;
}

bool SDL_GL_SwapWindow(void *window)
{
    return window != NULL;
}

bool SDL_SetWindowTitle(void *window, const char *title)
{
    return window != NULL && title[0] != '\0';
}

static uint64_t flags_of_last;

void *SDL_CreateWindow(const char *title, int width, int height, uint64_t flags)
{
    flags_of_last = flags;
    return title[0] != '\0' && width == 7 && height == -8 ? &flags_of_last : NULL;
}
