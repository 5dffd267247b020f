/* Calls functions of the fake SDL libraries and prints their results. Without an
 * argument, calls SDL 3. With an argument, calls SDL 2 through a plugin that is linked
 * to it. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static void *library;

static void *function(const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL) {
        puts(name);
    }
    return found;
}

static int ask_sdl3(void)
{
    library = dlopen("libfake_sdl3.so", RTLD_NOW | RTLD_LOCAL);
    bool (*present)(void *) = function("SDL_RenderPresent");
    bool (*swap)(void *) = function("SDL_GL_SwapWindow");
    bool (*name)(void *, const char *) = function("SDL_SetWindowTitle");
    void *(*create)(const char *, int, int, uint64_t) = function("SDL_CreateWindow");
    uint64_t *window = create("window", 7, -8, UINT64_C(0x123456789));
    if (window == NULL) {
        return 1;
    }
    printf("%llx %d %d %d %d %d\n", (unsigned long long)*window, present(window),
           present(NULL), swap(window), name(window, "x"), name(window, ""));
    return 0;
}

int main(int count, char **words)
{
    (void)words;
    if (count < 2) {
        return ask_sdl3();
    }
    library = dlopen("libfronts_plugin.so", RTLD_NOW | RTLD_LOCAL);
    int (*poll)(void) = function("plugin_poll");
    printf("%d\n", poll());
    return 0;
}
