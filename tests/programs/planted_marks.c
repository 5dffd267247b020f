/* Sections, clocks and CPU work of the planted program. */
#include <dejank/sections.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "planted.h"

static int marker = -1;
static _Thread_local int schedstat = -1;

void fail(const char *what)
{
    fprintf(stderr, "planted_frames: %s: %s\n", what, strerror(errno));
    exit(1);
}

void marks_open(const char *path)
{
    if (path[0] != '\0' && (marker = open(path, O_WRONLY | O_CLOEXEC)) < 0) {
        fail(path);
    }
}

static void write_marker(const char *text, int length)
{
    if (write(marker, text, (size_t)length) != length) {
        fail("trace_marker");
    }
}

void mark_begin(const char *name)
{
    if (marker < 0) {
        dejank_section_begin(name);
        return;
    }
    char text[NAME_BYTES + 32];
    write_marker(text, snprintf(text, sizeof text, "B|%d|%s", (int)getpid(), name));
}

void mark_end(void)
{
    if (marker < 0) {
        dejank_section_end();
        return;
    }
    char text[32];
    write_marker(text, snprintf(text, sizeof text, "E|%d", (int)getpid()));
}

static int64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t now_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

void sleep_until(int64_t at_ns)
{
    struct timespec at = {at_ns / 1000000000, at_ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {
    }
}

/* The file contains "run delay slices", with times in ns. */
static int64_t read_delay(void)
{
    char text[128];
    if (schedstat < 0) {
        snprintf(text, sizeof text, "/proc/self/task/%ld/schedstat", syscall(SYS_gettid));
        schedstat = open(text, O_RDONLY | O_CLOEXEC);
    }
    ssize_t length = pread(schedstat, text, sizeof text - 1, 0);
    if (length <= 0) {
        fail("schedstat");
    }
    text[length] = '\0';
    char *rest;
    strtoll(text, &rest, 10);
    return strtoll(rest, NULL, 10);
}

/* Returns the wall time that the thread spent on a CPU, or −1 if perf events are not
 * available. Unlike the CPU time of a thread, this time includes interrupts and the time
 * that the host of a virtual machine used. */
static int64_t read_ran(void)
{
    static _Thread_local int event = -2;
    if (event == -2) {
        struct perf_event_attr wanted = {.type = PERF_TYPE_SOFTWARE,
                                         .size = sizeof wanted,
                                         .config = PERF_COUNT_SW_TASK_CLOCK,
                                         .exclude_kernel = 1,
                                         .exclude_hv = 1};
        event =
            (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    }
    int64_t ran_ns;
    return event >= 0 && read(event, &ran_ns, sizeof ran_ns) == sizeof ran_ns ? ran_ns
                                                                              : -1;
}

struct meter meter_now(void)
{
    struct meter meter = {.ran_ns = read_ran(),
                          .delay_ns = read_delay(),
                          .cpu_ns = read_clock(CLOCK_THREAD_CPUTIME_ID),
                          .wall_ns = now_ns()};
    meter.ran_ns = meter.ran_ns < 0 ? meter.cpu_ns : meter.ran_ns;
    return meter;
}

int64_t asleep_ns(struct meter used)
{
    return used.wall_ns - used.ran_ns - used.delay_ns;
}

struct meter meter_since(struct meter before)
{
    struct meter now = meter_now();
    return (struct meter){.wall_ns = now.wall_ns - before.wall_ns,
                          .cpu_ns = now.cpu_ns - before.cpu_ns,
                          .ran_ns = now.ran_ns - before.ran_ns,
                          .delay_ns = now.delay_ns - before.delay_ns};
}

void burn(int64_t ns)
{
    int64_t until_ns = read_clock(CLOCK_THREAD_CPUTIME_ID) + ns;
    while (read_clock(CLOCK_THREAD_CPUTIME_ID) < until_ns) {
        for (volatile int i = 0; i < 2000; i++) {
        }
    }
}

void name_thread(const char *name)
{
    prctl(PR_SET_NAME, name);
}
