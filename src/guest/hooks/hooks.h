/* hooks: connects an unmodified app to the recorder. Its functions replace functions
 * of libc, libGL, libEGL, libxcb, libwayland and others through LD_PRELOAD, and report
 * the app's calls to the recorder. Guest code: every hook calls the real function
 * exactly once with the caller's own arguments, and leaves errno as the real function
 * set it. (The real function is the function that the app would call without this
 * object.)
 *
 * This header lists the hooked functions and finds the real ones. */
#ifndef DEJANK_HOOKS_HOOKS_H
#define DEJANK_HOOKS_HOOKS_H

#include <stdbool.h>

/* Functions of libc that have one hook. The functions that present frames, and
 * GetProcAddress, are not in this list but in swaps.h. They need several hooks, because
 * several real functions with the same name may be in use at the same time. X(name) */
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

/* Functions of other libraries that have one hook. A look-up of these functions with
 * dlsym() also returns the hook. X(name) */
#define DJ_HOOK_LIBRARY_MAP(X)                                                           \
    X(XChangeProperty)                                                                   \
    X(XInternAtom)                                                                       \
    X(xcb_change_property)                                                               \
    X(XCreateWindow)                                                                     \
    X(XCreateSimpleWindow)                                                               \
    X(xcb_create_window)                                                                 \
    X(xcb_create_window_checked)                                                         \
    X(xcb_create_window_aux)                                                             \
    X(xcb_create_window_aux_checked)                                                     \
    X(XPutImage)                                                                         \
    X(XShmPutImage)                                                                      \
    X(xcb_put_image)                                                                     \
    X(xcb_put_image_checked)                                                             \
    X(xcb_shm_put_image)                                                                 \
    X(xcb_shm_put_image_checked)                                                         \
    X(XCopyArea)                                                                         \
    X(xcb_copy_area)                                                                     \
    X(xcb_copy_area_checked)                                                             \
    X(XRRGetCrtcInfo)                                                                    \
    X(eglCreateWindowSurface)                                                            \
    X(glXCreateWindow)                                                                   \
    X(wl_proxy_marshal_array_flags)                                                      \
    X(wl_display_read_events)                                                            \
    X(wl_display_connect_to_fd)                                                          \
    X(wl_display_disconnect)                                                             \
    X(wl_proxy_add_listener)                                                             \
    X(wl_proxy_get_listener)                                                             \
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

/* All hooked functions, and functions that this object calls or looks up without
 * hooking them. X(name) */
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

/* Returns the real function of a hook. `caller` is an address in the calling object,
 * or NULL. The function looks in the global scope after this object, then (for
 * libraries opened with RTLD_LOCAL) in the scope of the calling object, then in the
 * usual library of the function. Returns NULL if no such function is loaded. */
void *dj_real(enum dj_hook hook, const void *caller);

/* Finds the real functions that are loaded now. Afterwards most hooks need no look-up. A
 * look-up would be wrong in a signal handler, or in a child forked while another thread
 * held the dynamic linker's lock, and it would change the result of dlerror(). Before
 * this call, the functions of this header never allocate, lock or call the dynamic
 * linker. The reason is that the constructor of another library, or the app's allocator,
 * may already call hooked functions. */
void dj_real_load(void);

/* Finds the real functions of libraries that were loaded after dj_real_load(). It is
 * called before the app confines itself, because a look-up may allocate memory. */
void dj_real_prepare(void);

/* Returns a handle of a loaded library, which the caller releases with dlclose(), or NULL
 * if the library is not loaded. Never opens a file. (dlopen() with RTLD_NOLOAD opens
 * files if the library is not loaded.) */
void *dj_real_open(const char *library);

/* Returns true if the object that contains `caller` itself defines a function of this
 * name. Such an object wraps another library, and looks up that library's function to
 * call it. */
bool dj_real_is_callers_own(const char *name, const void *caller);

/* Returns true if both addresses are in the same loaded object. NULL is in no object. */
bool dj_real_are_of_one_object(const void *a, const void *b);

/* Look up a real function by its name, without caching. dj_real_in_scope() does not
 * look in the usual library of the function. */
void *dj_real_in_scope(const char *name, const void *caller);
void *dj_real_find(const char *name, const void *caller);

/* Keeps the library that contains a cached function loaded. Otherwise the program could
 * unload the library and load it again at another address. */
void dj_real_pin(const void *symbol);

/* Calls the C library's own dlsym() from this object. Do not pass RTLD_NEXT, because
 * its meaning depends on the calling object. */
void *dj_real_dlsym(void *handle, const char *name);

#endif
