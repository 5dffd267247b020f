/*
 * hooks: how an unmodified app reaches the recorder — functions that stand in front of
 * libc's, libGL's, libEGL's, libxcb's and libwayland's by LD_PRELOAD. Not what is made of
 * the calls (recorder). Guest code; every hook calls the real function exactly once with
 * the caller's own arguments and leaves errno as the real one left it.
 *
 * This header: the table of hooked functions and how the real ones are reached.
 */
#ifndef DEJANK_HOOKS_HOOKS_H
#define DEJANK_HOOKS_HOOKS_H

#include <stdbool.h>

/*
 * Every function hooked once (swaps and GetProcAddress, of which several may be in use at
 * a time, are in swaps.h). A version is asked for where the C library has an older
 * function of the same name with another layout. X(name, version or NULL)
 */
#define DJ_HOOK_MAP(X)                                                                   \
    X(poll, NULL)                                                                        \
    X(__poll_chk, NULL)                                                                  \
    X(ppoll, NULL)                                                                       \
    X(__ppoll_chk, NULL)                                                                 \
    X(select, NULL)                                                                      \
    X(pselect, NULL)                                                                     \
    X(epoll_wait, NULL)                                                                  \
    X(epoll_pwait, NULL)                                                                 \
    X(epoll_pwait2, NULL)                                                                \
    X(nanosleep, NULL)                                                                   \
    X(clock_nanosleep, NULL)                                                             \
    X(usleep, NULL)                                                                      \
    X(sleep, NULL)                                                                       \
    X(pthread_cond_wait, "GLIBC_2.3.2")                                                  \
    X(pthread_cond_timedwait, "GLIBC_2.3.2")                                             \
    X(pthread_cond_clockwait, NULL)                                                      \
    X(pthread_cond_signal, "GLIBC_2.3.2")                                                \
    X(pthread_cond_broadcast, "GLIBC_2.3.2")                                             \
    X(sem_wait, NULL)                                                                    \
    X(sem_timedwait, NULL)                                                               \
    X(sem_clockwait, NULL)                                                               \
    X(sem_post, NULL)                                                                    \
    X(pthread_barrier_wait, NULL)                                                        \
    X(syscall, NULL)                                                                     \
    X(read, NULL)                                                                        \
    X(write, NULL)                                                                       \
    X(send, NULL)                                                                        \
    X(eventfd_write, NULL)                                                               \
    X(XChangeProperty, NULL)                                                             \
    X(XInternAtom, NULL)                                                                 \
    X(xcb_change_property, NULL)                                                         \
    X(XRRGetCrtcInfo, NULL)                                                              \
    X(eglCreateWindowSurface, NULL)                                                      \
    X(glXCreateWindow, NULL)                                                             \
    X(wl_proxy_marshal_array_flags, NULL)                                                \
    X(wl_display_read_events, NULL)                                                      \
    X(wl_display_connect_to_fd, NULL)                                                    \
    X(wl_display_disconnect, NULL)                                                       \
    X(SDL_PumpEvents, NULL)                                                              \
    X(SDL_PollEvent, NULL)                                                               \
    X(SDL_WaitEvent, NULL)                                                               \
    X(SDL_WaitEventTimeout, NULL)                                                        \
    X(SDL_PeepEvents, NULL)                                                              \
    X(SDL_GL_SwapWindow, NULL)                                                           \
    X(SDL_UpdateWindowSurface, NULL)                                                     \
    X(SDL_UpdateWindowSurfaceRects, NULL)                                                \
    X(SDL_RenderPresent, NULL)                                                           \
    X(SDL_CreateWindow, NULL)                                                            \
    X(SDL_SetWindowTitle, NULL)                                                          \
    X(SDL_RenderCopy, NULL) /* looked for, not hooked */                                 \
    X(SDL_GetTicks, NULL)   /* called, not hooked */                                     \
    X(xcb_wait_for_reply, NULL)                                                          \
    X(xcb_wait_for_reply64, NULL)                                                        \
    X(xcb_request_check, NULL)                                                           \
    X(xcb_wait_for_event, NULL)                                                          \
    X(wl_display_roundtrip, NULL)                                                        \
    X(wl_display_roundtrip_queue, NULL)                                                  \
    X(wl_display_dispatch, NULL)                                                         \
    X(wl_display_dispatch_queue, NULL)                                                   \
    X(g_type_register_static_simple, NULL)                                               \
    X(wl_display_get_fd, NULL) /* called, not hooked */

enum dj_hook {
#define DJ_HOOK_SYMBOL(name, version) DJ_HOOK_##name,
    DJ_HOOK_MAP(DJ_HOOK_SYMBOL)
#undef DJ_HOOK_SYMBOL
        DJ_HOOK_COUNT
};

/*
 * The function behind a hook: the next one in the global scope, else (for libraries
 * opened RTLD_LOCAL) the one that `caller`, an address in the calling object, would have
 * been bound to, else the one of the library it usually lives in. NULL only where no such
 * function is loaded.
 */
void *dj_real(enum dj_hook hook, const void *caller);

/* Finds the real functions that are loaded already. A hook may be entered in a signal
 * handler or in a child forked while another thread held the loader's lock: it should not
 * have to look anything up there, nor change what dlerror() says. */
void dj_real_load(void);

/* True where the calling object has a function of this name itself: one that stands in
 * front of another library, and looks for what it goes on to. */
bool dj_real_is_callers_own(const char *name, const void *caller);

/* The same by name, not remembered; in_scope: without the usual libraries. */
void *dj_real_in_scope(const char *name, const char *version, const void *caller);
void *dj_real_named(const char *name, const char *version, const void *caller);

/* Keeps the library of a function that is remembered from being unloaded: a program may
 * close it, and open it elsewhere. */
void dj_real_keep(const void *symbol);

/* The C library's own dlsym, called from here: never with RTLD_NEXT, whose meaning
 * depends on the caller. */
void *dj_real_dlsym(void *handle, const char *name);

#endif
