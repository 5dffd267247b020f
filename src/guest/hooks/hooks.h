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
 * a time, are in swaps.h). X(name)
 */
#define DJ_HOOK_LIBC_MAP(X)                                                              \
    X(poll)                                                                              \
    X(__poll_chk)                                                                        \
    X(ppoll)                                                                             \
    X(__ppoll_chk)                                                                       \
    X(select)                                                                            \
    X(pselect)                                                                           \
    X(epoll_wait)                                                                        \
    X(epoll_pwait)                                                                       \
    X(epoll_pwait2)                                                                      \
    X(nanosleep)                                                                         \
    X(clock_nanosleep)                                                                   \
    X(usleep)                                                                            \
    X(sleep)                                                                             \
    X(pthread_cond_wait)                                                                 \
    X(pthread_cond_timedwait)                                                            \
    X(pthread_cond_clockwait)                                                            \
    X(pthread_cond_signal)                                                               \
    X(pthread_cond_broadcast)                                                            \
    X(sem_wait)                                                                          \
    X(sem_timedwait)                                                                     \
    X(sem_clockwait)                                                                     \
    X(sem_post)                                                                          \
    X(pthread_barrier_wait)                                                              \
    X(syscall)                                                                           \
    X(read)                                                                              \
    X(write)                                                                             \
    X(send)                                                                              \
    X(eventfd_write)                                                                     \
    X(pipe)                                                                              \
    X(pipe2)                                                                             \
    X(eventfd)                                                                           \
    X(timerfd_create)                                                                    \
    X(signalfd)                                                                          \
    X(inotify_init)                                                                      \
    X(inotify_init1)                                                                     \
    X(socket)                                                                            \
    X(socketpair)                                                                        \
    X(accept)                                                                            \
    X(accept4)                                                                           \
    X(open)                                                                              \
    X(open64)                                                                            \
    X(openat)                                                                            \
    X(openat64)                                                                          \
    X(__open_2)                                                                          \
    X(__open64_2)                                                                        \
    X(__openat_2)                                                                        \
    X(__openat64_2)                                                                      \
    X(prctl)                                                                             \
    X(_Fork)

/* Functions of other libraries, for which dlsym() gives our hooks, too. */
#define DJ_HOOK_LIBRARY_MAP(X)                                                           \
    X(XChangeProperty)                                                                   \
    X(XInternAtom)                                                                       \
    X(xcb_change_property)                                                               \
    X(XRRGetCrtcInfo)                                                                    \
    X(eglCreateWindowSurface)                                                            \
    X(glXCreateWindow)                                                                   \
    X(wl_proxy_marshal_array_flags)                                                      \
    X(wl_display_read_events)                                                            \
    X(wl_display_connect_to_fd)                                                          \
    X(wl_display_disconnect)                                                             \
    X(SDL_PumpEvents)                                                                    \
    X(SDL_PollEvent)                                                                     \
    X(SDL_WaitEvent)                                                                     \
    X(SDL_WaitEventTimeout)                                                              \
    X(SDL_PeepEvents)                                                                    \
    X(SDL_GL_SwapWindow)                                                                 \
    X(SDL_UpdateWindowSurface)                                                           \
    X(SDL_UpdateWindowSurfaceRects)                                                      \
    X(SDL_RenderPresent)                                                                 \
    X(SDL_CreateWindow)                                                                  \
    X(SDL_SetWindowTitle)                                                                \
    X(xcb_wait_for_reply)                                                                \
    X(xcb_wait_for_reply64)                                                              \
    X(xcb_request_check)                                                                 \
    X(xcb_wait_for_event)                                                                \
    X(wl_display_roundtrip)                                                              \
    X(wl_display_roundtrip_queue)                                                        \
    X(wl_display_dispatch)                                                               \
    X(wl_display_dispatch_queue)                                                         \
    X(g_type_register_static_simple)

/* The C library's, those, and functions that are called or looked for, and not hooked. */
#define DJ_HOOK_MAP(X)                                                                   \
    DJ_HOOK_LIBC_MAP(X)                                                                  \
    DJ_HOOK_LIBRARY_MAP(X)                                                               \
    X(SDL_RenderCopy)                                                                    \
    X(SDL_GetTicks)                                                                      \
    X(wl_display_get_fd)

enum dj_hook {
#define DJ_HOOK_SYMBOL(name) DJ_HOOK_##name,
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
 * have to look anything up there, nor change what dlerror() says. Until this was called
 * the functions above and below never allocate, lock or call the dynamic linker: another
 * library's constructor, or the app's allocator, may already call hooked functions. */
void dj_real_load(void);

/* The same for libraries that were loaded since: before the app confines itself, as a
 * look-up may allocate. */
void dj_real_prepare(void);

/* A handle of a loaded library, for dlclose(); NULL if it is not loaded. Opens no file,
 * as dlopen() with RTLD_NOLOAD does for a library that is not loaded. */
void *dj_real_open(const char *library);

/* True where the calling object has a function of this name itself: one that stands in
 * front of another library, and looks for what it goes on to. */
bool dj_real_is_callers_own(const char *name, const void *caller);

/* True where both are addresses in one loaded object; NULL is in none. */
bool dj_real_are_of_one_object(const void *a, const void *b);

/* The same by name, not remembered; in_scope: without the usual libraries. */
void *dj_real_in_scope(const char *name, const void *caller);
void *dj_real_named(const char *name, const void *caller);

/* Keeps the library of a function that is remembered from being unloaded: a program may
 * close it, and open it elsewhere. */
void dj_real_keep(const void *symbol);

/* The C library's own dlsym, called from here: never with RTLD_NEXT, whose meaning
 * depends on the caller. */
void *dj_real_dlsym(void *handle, const char *name);

#endif
