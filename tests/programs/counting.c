/* A preloaded object that behaves like the preloaded objects of other tools. It replaces
 * poll() and glXSwapBuffers(), finds the next functions with RTLD_NEXT, and counts the
 * calls. At the end of the program it writes a line to stderr:
 *   NAME: poll N swap N first FILE
 * FILE is the object in which RTLD_DEFAULT finds glXSwapBuffers(). NAME is the macro
 * COUNTING_NAME, which the build sets. */
#include <dlfcn.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void glXSwapBuffers(void *display, unsigned long drawable);

static int polls, swaps;

EXPORT int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    __typeof__(poll) *next = dlsym(RTLD_NEXT, "poll");
    polls++;
    return next(fds, count, timeout_ms);
}

void glXSwapBuffers(void *display, unsigned long drawable)
{
    void (*next)(void *, unsigned long) = dlsym(RTLD_NEXT, "glXSwapBuffers");
    swaps++;
    next(display, drawable);
}

__attribute__((destructor)) static void report(void)
{
    Dl_info info = {.dli_fname = "none"};
    void *first = dlsym(RTLD_DEFAULT, "glXSwapBuffers");
    if (first != NULL) {
        dladdr(first, &info);
    }
    const char *slash = strrchr(info.dli_fname, '/');
    fprintf(stderr, "%s: poll %d swap %d first %s\n", COUNTING_NAME, polls, swaps,
            slash != NULL ? slash + 1 : info.dli_fname);
}
