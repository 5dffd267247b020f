/*
 * Preloaded by tools/differential: the wall clock stands still, and random numbers follow
 * from the command line, so that two builds give the same answer to the same command.
 * CLOCK_MONOTONIC goes on, because programs wait by it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { NOW_S = 1790000000 };

static uint64_t state;

/* Seeds with FNV-1a of the arguments: two commands that write to one store need different
 * ids. */
__attribute__((constructor)) static void seed(void)
{
    char line[4096];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd >= 0 ? read(fd, line, sizeof(line)) : 0;
    state = 14695981039346656037u;
    for (ssize_t i = size > 0 ? (ssize_t)strnlen(line, (size_t)size) : 0; i < size; i++) {
        state = (state ^ (unsigned char)line[i]) * 1099511628211u;
    }
    if (fd >= 0) {
        close(fd);
    }
}

ssize_t getrandom(void *buffer, size_t size, unsigned flags)
{
    (void)flags;
    unsigned char *bytes = buffer;
    for (size_t i = 0; i < size; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = (unsigned char)(state >> 56);
    }
    return (ssize_t)size;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) {
        *now = (struct timespec){.tv_sec = NOW_S};
        return 0;
    }
    int (*next)(clockid_t, struct timespec *);
    *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    return next(clock, now);
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    *now = (struct timeval){.tv_sec = NOW_S};
    return 0;
}

time_t time(time_t *now)
{
    if (now != NULL) {
        *now = NOW_S;
    }
    return NOW_S;
}
