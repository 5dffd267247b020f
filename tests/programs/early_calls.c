/* A program with its own allocator, which calls a hooked function when it is first
 * used. This happens in the constructor of a library (early_library.c), before other
 * objects are initialised. Chromium's allocator behaves like this. The call must not use
 * the allocator again.
 *
 *   EARLY_CALL=NAME early_calls
 *
 * Prints the call's result and errno. Exit status: 3 after the call was made, 9 if the
 * allocator was called while it initialised itself, or 2 if there is no such call. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void early_touch(void);

static const struct timespec microsecond = {.tv_nsec = 1000};
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static char byte;

/* The hooked functions. X(name of the call, expression) */
#define CALLS(X)                                                                         \
    X(poll, poll(NULL, 0, 1))                                                            \
    X(ppoll, ppoll(NULL, 0, &microsecond, NULL))                                         \
    X(select, select(0, NULL, NULL, NULL, &(struct timeval){.tv_usec = 1}))              \
    X(pselect, pselect(0, NULL, NULL, NULL, &microsecond, NULL))                         \
    X(epoll_wait, epoll_wait(-1, &(struct epoll_event){0}, 1, 1))                        \
    X(nanosleep, nanosleep(&microsecond, NULL))                                          \
    X(clock_nanosleep, clock_nanosleep(CLOCK_MONOTONIC, 0, &microsecond, NULL))          \
    X(usleep, usleep(1))                                                                 \
    X(read, read(-1, &byte, 1))                                                          \
    X(write, write(-1, &byte, 1))                                                        \
    X(send, send(-1, &byte, 1, 0))                                                       \
    X(eventfd_write, eventfd_write(-1, 1))                                               \
    X(sem_post, sem_post(&semaphore))                                                    \
    X(sem_wait, sem_post(&semaphore) + sem_wait(&semaphore))                             \
    X(pthread_cond_signal, pthread_cond_signal(&condition))                              \
    X(pthread_cond_broadcast, pthread_cond_broadcast(&condition))                        \
    X(pthread_cond_timedwait, pthread_cond_timedwait(&condition, &mutex, &microsecond))  \
    X(syscall, syscall(SYS_futex, &byte, -1))                                            \
    X(dlsym, dlsym(RTLD_DEFAULT, "malloc") != NULL)

#define FUNCTION(name, expression)                                                       \
    static long call_##name(void)                                                        \
    {                                                                                    \
        return (long)(expression);                                                       \
    }
CALLS(FUNCTION)
#undef FUNCTION

static const struct {
    const char *name;
    long (*function)(void);
} calls[] = {
#define ROW(name, expression) {#name, call_##name},
    CALLS(ROW)
#undef ROW
};

static long result;
static int result_errno;
static bool is_called;

static void call_early(void)
{
    const char *name = getenv("EARLY_CALL");
    for (size_t i = 0; name != NULL && i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (strcmp(calls[i].name, name) == 0) {
            errno = 0;
            result = calls[i].function();
            result_errno = errno;
            is_called = true;
        }
    }
}

/* Memory is never freed. The 16 bytes before a block contain its size. */
static _Alignas(16) char heap[64 << 20];
static size_t used;
static enum { UNUSED, INITIALISING, READY } state;

static void initialise(void)
{
    if (state == INITIALISING) {
        _exit(9);
    }
    /* At the first allocations of the dynamic linker the C library does not know the
     * environment yet. */
    if (state == UNUSED && environ != NULL) {
        state = INITIALISING;
        call_early();
        state = READY;
    }
}

EXPORT void *malloc(size_t size)
{
    initialise();
    size = (size + 31) & ~(size_t)15;
    char *block = heap + __atomic_fetch_add(&used, size + 16, __ATOMIC_RELAXED);
    if (block + 16 + size > heap + sizeof(heap)) {
        return NULL;
    }
    memcpy(block, &size, sizeof(size));
    return block + 16;
}

EXPORT void free(void *block)
{
    (void)block;
}

EXPORT void *calloc(size_t count, size_t size)
{
    return malloc(count * size); /* New memory is already zero. */
}

EXPORT void *realloc(void *block, size_t size)
{
    void *larger = malloc(size);
    if (block != NULL && larger != NULL) {
        size_t old_size;
        memcpy(&old_size, (char *)block - 16, sizeof(old_size));
        memcpy(larger, block, old_size < size ? old_size : size);
    }
    return larger;
}

int main(void)
{
    early_touch();
    if (!is_called) {
        return 2;
    }
    printf("result %ld, errno %d\n", result, result_errno);
    return 3;
}
