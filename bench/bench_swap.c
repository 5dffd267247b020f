/* A program with very short frames, so that the cost of a recorder shows: each has the
 * polls of an event loop and a swap of an off-screen EGL surface. Prints the median
 * length of a frame in ns. bench/run starts it alternately with and without the recorder.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "frame_times.h"

enum { FRAMES = 50000, WARM_UP = 1000, POLLS = 4 };

/* Makes a context with an off-screen surface current. Returns EGL_NO_SURFACE if that is
 * impossible. */
static EGLSurface open_surface(EGLDisplay display)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    static const EGLint size[] = {EGL_WIDTH, 64, EGL_HEIGHT, 64, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API) ||
        !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) {
        return EGL_NO_SURFACE;
    }
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
    return eglMakeCurrent(display, surface, surface, context) ? surface : EGL_NO_SURFACE;
}

int main(void)
{
    static int64_t frame_ns[FRAMES];
    EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    EGLSurface surface = open_surface(display);
    if (surface == EGL_NO_SURFACE) {
        fputs("bench_swap: EGL has no off-screen surface here\n", stderr);
        return 1;
    }
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], "", 1) != 1) {
        perror("bench_swap: pipe");
        return 1;
    }
    struct pollfd ready = {.fd = ends[0], .events = POLLIN};
    for (int i = -WARM_UP; i < FRAMES; i++) {
        int64_t start = now_ns();
        for (int k = 0; k < POLLS; k++) {
            poll(&ready, 1, -1); /* may block, for all a hook knows */
        }
        eglSwapBuffers(display, surface);
        if (i >= 0) {
            frame_ns[i] = now_ns() - start;
        }
    }
    print_median(frame_ns, FRAMES);
    return 0;
}
