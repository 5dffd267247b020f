/* hooks: connects an unmodified app to the recorder. Its functions replace those of
 * libc, libGL, libEGL, libxcb and libwayland through LD_PRELOAD. The recorder
 * evaluates the calls. Guest code: every hook calls the real function exactly once
 * with the caller's own arguments, and leaves errno as the real function set it.
 *
 * This header: the table of hooked functions, and how to reach the real ones. */
#ifndef DEJANK_HOOKS_HOOKS_H
#define DEJANK_HOOKS_HOOKS_H

#include <stdbool.h>

/* Every function with one hook. (Swaps and GetProcAddress, of which several may be in
 * use at the same time, are in swaps.h.) X(name) */
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

/* Functions of other libraries. dlsym() also returns their hooks. */
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

/* All of these, and functions that are called or looked up but not hooked. */
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

/* Returns the real function of a hook: the next one in the global scope, else (for
 * libraries opened with RTLD_LOCAL) the one that `caller`, an address in the calling
 * object, would have been bound to, else the one of its usual library. NULL only if no
 * such function is loaded. */
void *dj_real(enum dj_hook hook, const void *caller);

/* Finds the real functions that are loaded now. A hook may run in a signal handler, or
 * in a child forked while another thread held the loader's lock: it should not look up
 * anything there, or change the result of dlerror(). Before this call, the functions
 * above and below never allocate, lock or call the dynamic linker: another library's
 * constructor, or the app's allocator, may already call hooked functions. */
void dj_real_load(void);

/* The same for libraries loaded since then. Called before the app confines itself,
 * because a look-up may allocate. */
void dj_real_prepare(void);

/* Returns a handle of a loaded library, for dlclose(), or NULL if it is not loaded.
 * Opens no file, unlike dlopen() with RTLD_NOLOAD for a library that is not loaded. */
void *dj_real_open(const char *library);

/* Returns whether the calling object defines a function of this name itself: it wraps
 * another library and looks up the function that it calls. */
bool dj_real_is_callers_own(const char *name, const void *caller);

/* Returns whether both addresses are in the same loaded object; NULL is in none. */
bool dj_real_are_of_one_object(const void *a, const void *b);

/* The same by name, without caching; in_scope: without the usual libraries. */
void *dj_real_in_scope(const char *name, const void *caller);
void *dj_real_find(const char *name, const void *caller);

/* Prevents that the library of a cached function is unloaded: a program may close it,
 * and open it at another address. */
void dj_real_pin(const void *symbol);

/* Calls the C library's own dlsym from here. Never with RTLD_NEXT, whose meaning
 * depends on the caller. */
void *dj_real_dlsym(void *handle, const char *name);

#endif
