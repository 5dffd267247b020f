/* One of two layers around the recorder's hooks in an unmodified program that draws with
 * GLX. The outer layer is preloaded before the hooks, and the inner layer behind them.
 * Both measure the calls of the drawing thread that the hooks replace. The difference is
 * the time of the hooks. After FRAMES, the outer layer prints the median of a frame in ns
 * to stderr. Without hooks between the layers, this is what the layers cost. */
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <xcb/xcb.h>

enum { FRAMES = 4000, WARM_UP = 200 };

#ifdef DEJANK_BENCH_OUTER
int64_t dejank_bench_ns;
enum { SIGN = 1 };
#else
extern int64_t dejank_bench_ns;
enum { SIGN = -1 };
#endif

typedef int poll_function(struct pollfd *, nfds_t, int);
typedef int signal_function(pthread_cond_t *);
typedef int wait_function(pthread_cond_t *, pthread_mutex_t *);
typedef void *reply_function(xcb_connection_t *, unsigned, xcb_generic_error_t **);
typedef xcb_generic_event_t *event_function(xcb_connection_t *);
typedef void swap_function(void *, unsigned long);

/* The functions that glxgears, Mesa and xcb call in a frame, and that the recorder
 * replaces. The headers do not declare two of them. */
enum called { POLL, SIGNAL, BROADCAST, WAIT, REPLY, EVENT, SWAP, CALLED };
static const char *const names[CALLED] = {"poll",
                                          "pthread_cond_signal",
                                          "pthread_cond_broadcast",
                                          "pthread_cond_wait",
                                          "xcb_wait_for_reply",
                                          "xcb_wait_for_event",
                                          "glXSwapBuffers"};
void *xcb_wait_for_reply(xcb_connection_t *connection, unsigned request,
                         xcb_generic_error_t **error);
void glXSwapBuffers(void *display, unsigned long drawable);

static void *next[CALLED];

__attribute__((constructor)) static void find_next(void)
{
    void *libc = dlopen("libc.so.6", RTLD_LAZY);
    __typeof__(dlsym) *lookup = (__typeof__(dlsym) *)dlvsym(libc, "dlsym", "GLIBC_2.34");
    for (int i = 0; i < CALLED; i++) {
        next[i] = lookup(RTLD_NEXT, names[i]);
    }
}

/* Returns the time, or 0 in threads that do not draw. */
static int64_t begin(void)
{
    static __thread int draws = -1;
    if (draws < 0) {
        draws = syscall(SYS_gettid) == getpid();
    }
    struct timespec now;
    return draws && clock_gettime(CLOCK_MONOTONIC, &now) == 0
               ? now.tv_sec * INT64_C(1000000000) + now.tv_nsec
               : 0;
}

static void end(int64_t begin_ns)
{
    if (begin_ns != 0) {
        dejank_bench_ns += SIGN * (begin() - begin_ns);
    }
}

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
    int64_t begin_ns = begin();
    int result = ((poll_function *)next[POLL])(fds, count, timeout);
    end(begin_ns);
    return result;
}

int pthread_cond_signal(pthread_cond_t *condition)
{
    int64_t begin_ns = begin();
    int result = ((signal_function *)next[SIGNAL])(condition);
    end(begin_ns);
    return result;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    int64_t begin_ns = begin();
    int result = ((signal_function *)next[BROADCAST])(condition);
    end(begin_ns);
    return result;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    int64_t begin_ns = begin();
    int result = ((wait_function *)next[WAIT])(condition, mutex);
    end(begin_ns);
    return result;
}

void *xcb_wait_for_reply(xcb_connection_t *connection, unsigned request,
                         xcb_generic_error_t **error)
{
    int64_t begin_ns = begin();
    void *result = ((reply_function *)next[REPLY])(connection, request, error);
    end(begin_ns);
    return result;
}

xcb_generic_event_t *xcb_wait_for_event(xcb_connection_t *connection)
{
    int64_t begin_ns = begin();
    xcb_generic_event_t *result = ((event_function *)next[EVENT])(connection);
    end(begin_ns);
    return result;
}

#ifdef DEJANK_BENCH_OUTER
static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static void frame_ended(void)
{
    static int64_t frame_ns[FRAMES];
    static int frames = -WARM_UP;
    if (frames >= 0 && frames < FRAMES) {
        frame_ns[frames] = dejank_bench_ns;
    }
    dejank_bench_ns = 0;
    if (++frames == FRAMES) {
        qsort(frame_ns, FRAMES, sizeof(frame_ns[0]), compare);
        fprintf(stderr, "layer_gears\t%lld\n", (long long)frame_ns[FRAMES / 2]);
    }
}
#else
static void frame_ended(void)
{
}
#endif

void glXSwapBuffers(void *display, unsigned long drawable)
{
    int64_t begin_ns = begin();
    ((swap_function *)next[SWAP])(display, drawable);
    end(begin_ns);
    frame_ended();
}
