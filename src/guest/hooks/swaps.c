#include "hooks/swaps.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hooks/export.h"
#include "hooks/link_map.h"
#include "recorder/recorder.h"

/* Functions of GLX and EGL with the types of the ABI: pointers, XIDs, and 32-bit
 * results. */
typedef void glx_swap(void *display, unsigned long drawable);
typedef unsigned egl_swap(void *display, void *surface);
typedef unsigned egl_swap_damage(void *display, void *surface, const int *rectangles,
                                 int count);
typedef void *get_address(const char *name);

/* Number of hooks for each name. Hook 0 is the exported function. The others are for
 * real functions that a look-up found. */
enum { WRAPPERS = 5 };

/* The hooked functions. X(target, result type, name, parameters, body of its hook) */
#define TARGETS(X)                                                                       \
    X(GLX_SWAP, void, glXSwapBuffers, (void *display, unsigned long drawable),           \
      swap_glx(HOOK, display, drawable))                                                 \
    X(EGL_SWAP, unsigned, eglSwapBuffers, (void *display, void *surface),                \
      return swap_egl(HOOK, display, surface))                                           \
    X(EGL_SWAP_DAMAGE_KHR, unsigned, eglSwapBuffersWithDamageKHR,                        \
      (void *display, void *surface, const int *rectangles, int count),                  \
      return swap_damage(EGL_SWAP_DAMAGE_KHR, HOOK, display, surface, rectangles,        \
                         count))                                                         \
    X(EGL_SWAP_DAMAGE_EXT, unsigned, eglSwapBuffersWithDamageEXT,                        \
      (void *display, void *surface, const int *rectangles, int count),                  \
      return swap_damage(EGL_SWAP_DAMAGE_EXT, HOOK, display, surface, rectangles,        \
                         count))                                                         \
    X(GLX_GET_ADDRESS, void *, glXGetProcAddress, (const char *name),                    \
      return call_look_up(GLX_GET_ADDRESS, HOOK, name))                                  \
    X(GLX_GET_ADDRESS_ARB, void *, glXGetProcAddressARB, (const char *name),             \
      return call_look_up(GLX_GET_ADDRESS_ARB, HOOK, name))                              \
    X(EGL_GET_ADDRESS, void *, eglGetProcAddress, (const char *name),                    \
      return call_look_up(EGL_GET_ADDRESS, HOOK, name))

#define TARGET(target, ...) target,
enum target { TARGETS(TARGET) TARGET_COUNT };

static _Atomic(void *) reals[TARGET_COUNT][WRAPPERS];

static void swap_glx(int wrapper, void *display, unsigned long drawable)
{
    glx_swap *real = (glx_swap *)atomic_load(&reals[GLX_SWAP][wrapper]);
    struct dj_swap swap = {.stack = STACK};
    if (real == NULL) {
        return;
    }
    dj_recorder_begin_swap(&swap);
    real(display, drawable);
    dj_recorder_end_swap(&swap, (struct dj_surface){DJ_PIPELINE_GLX, drawable}, true);
}

static unsigned swap_egl(int wrapper, void *display, void *surface)
{
    egl_swap *real = (egl_swap *)atomic_load(&reals[EGL_SWAP][wrapper]);
    struct dj_swap swap = {.stack = STACK};
    if (real == NULL) {
        return 0;
    }
    dj_recorder_begin_swap(&swap);
    unsigned presented = real(display, surface);
    dj_recorder_end_swap(&swap, (struct dj_surface){DJ_PIPELINE_EGL, (uintptr_t)surface},
                         presented != 0);
    return presented;
}

static unsigned swap_damage(enum target target, int wrapper, void *display, void *surface,
                            const int *rectangles, int count)
{
    egl_swap_damage *real = (egl_swap_damage *)atomic_load(&reals[target][wrapper]);
    struct dj_swap swap = {.stack = STACK};
    if (real == NULL) {
        return 0;
    }
    dj_recorder_begin_swap(&swap);
    unsigned presented = real(display, surface, rectangles, count);
    dj_recorder_end_swap(&swap, (struct dj_surface){DJ_PIPELINE_EGL, (uintptr_t)surface},
                         presented != 0);
    return presented;
}

static void *call_look_up(enum target target, int wrapper, const char *name)
{
    get_address *real = (get_address *)atomic_load(&reals[target][wrapper]);
    void *symbol = real != NULL ? real(name) : NULL;
    return symbol != NULL && dj_swap_is_hooked(name)
               ? dj_swap_wrapper(name, symbol, symbol)
               : symbol;
}

static void *get_exported_real(enum target target, const void *caller);

/* Defines the functions of the hooks. Each hook is a function of its own, because a
 * function pointer carries no data that could identify the real function. A program
 * linked against libGL or libEGL calls the exported function. */
#define WRAPPER(n, returned, name, parameters, ...)                                      \
    static returned name##_##n parameters                                                \
    {                                                                                    \
        enum { HOOK = n };                                                               \
        __VA_ARGS__;                                                                     \
    }
#define FUNCTIONS(target, returned, name, parameters, ...)                               \
    EXPORT returned name parameters                                                      \
    {                                                                                    \
        enum { HOOK = 0 };                                                               \
        get_exported_real(target, CALLER);                                               \
        __VA_ARGS__;                                                                     \
    }                                                                                    \
    WRAPPER(1, returned, name, parameters, __VA_ARGS__)                                  \
    WRAPPER(2, returned, name, parameters, __VA_ARGS__)                                  \
    WRAPPER(3, returned, name, parameters, __VA_ARGS__)                                  \
    WRAPPER(4, returned, name, parameters, __VA_ARGS__)
TARGETS(FUNCTIONS)

#define ROW(target, returned, function, ...)                                             \
    [target] = {#function,                                                               \
                {function, function##_1, function##_2, function##_3, function##_4}},
static const struct {
    const char *name;
    void *wrapper[WRAPPERS];
} targets[TARGET_COUNT] = {TARGETS(ROW)};

static int find_target(const char *name)
{
    if (strncmp(name, "glX", 3) != 0 && strncmp(name, "egl", 3) != 0) {
        return -1;
    }
    for (int i = 0; i < TARGET_COUNT; i++) {
        if (strcmp(targets[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

bool dj_swap_is_hooked(const char *name)
{
    return find_target(name) >= 0;
}

/* Returns the real function that the exported function calls, or NULL. */
static void *get_exported_real(enum target target, const void *caller)
{
    void *real = atomic_load(&reals[target][0]);
    if (real == NULL) {
        real = dj_real_find(targets[target].name, caller);
        dj_real_pin(real);
        atomic_store(&reals[target][0], real);
    }
    return real;
}

void dj_swaps_prepare(void)
{
    for (int i = 0; i < TARGET_COUNT; i++) {
        if (dj_link_map_defines(targets[i].name)) {
            get_exported_real((enum target)i, (const void *)dj_swaps_prepare);
        }
    }
}

static bool is_wrapper(enum target target, const void *function)
{
    for (size_t i = 1; i < WRAPPERS; i++) {
        if (targets[target].wrapper[i] == function) {
            return true;
        }
    }
    return false;
}

static bool is_stored(enum target target, const void *real)
{
    for (size_t i = 0; i < WRAPPERS; i++) {
        if (atomic_load(&reals[target][i]) == real) {
            return true;
        }
    }
    return false;
}

void *dj_swap_wrapper(const char *name, void *real, const void *caller)
{
    enum target target = (enum target)find_target(name);
    if (real == targets[target].wrapper[0]) {
        return dj_real_in_scope(name, caller) != NULL ? real : NULL;
    }
    if (is_wrapper(target, real)) {
        return real;
    }
    /* Hook 0 belongs to the real function of the exported function. */
    get_exported_real(target, real);
    if (!is_stored(target, real)) {
        dj_real_pin(real);
    }
    for (size_t i = 0; i < WRAPPERS; i++) {
        void *expected = NULL;
        if (atomic_compare_exchange_strong(&reals[target][i], &expected, real) ||
            expected == real) {
            return targets[target].wrapper[i];
        }
    }
    return real;
}
