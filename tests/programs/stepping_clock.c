/* A preloaded object that makes the wall clock step at each reading. The readings are
 * alternately 400 days too late and 400 days too early. The other clocks do not
 * change. */
#include <dlfcn.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

static time_t step(void)
{
    static _Atomic unsigned readings;
    const time_t days_400 = (time_t)400 * 86400;
    return readings++ % 2 == 0 ? days_400 : -days_400;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *now)
{
    __typeof__(clock_gettime) *next = dlsym(RTLD_NEXT, "clock_gettime");
    int result = next(clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += step();
    }
    return result;
}

EXPORT int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    int (*next)(struct timeval *, void *) = dlsym(RTLD_NEXT, "gettimeofday");
    int result = next(now, zone);
    now->tv_sec += step();
    return result;
}

EXPORT time_t time(time_t *now)
{
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    if (now != NULL) {
        *now = wall.tv_sec;
    }
    return wall.tv_sec;
}
