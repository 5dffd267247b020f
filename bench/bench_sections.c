/*
 * The cost of calls of libdejank in a program: of sections that are switched on or off,
 * and of the stamp of a stage. The same rounds measure the clock.
 *
 *   bench_sections         as the machine is
 *   bench_sections clock   as where no time-stamp counter can be trusted
 */
#include <dejank/frames.h>
#include <dejank/sections.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "frame_times.h"

enum { ROUNDS = 41, CALLS = 20000, MORE_CALLS = 400000 };

static volatile int64_t sink;
static bool hides_counter;

/* Replaces the function of the C library: the file that says whether the kernel trusts
 * the CPU's counter does not exist. */
__attribute__((visibility("default"))) int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return hides_counter && strstr(path, "/clocksource/") != NULL
               ? -1
               : openat(AT_FDCWD, path, flags, mode);
}

static void clocks(int count)
{
    for (int i = 0; i < count; i++) {
        sink = now_ns();
    }
}

static void sections(int count)
{
    for (int i = 0; i < count; i++) {
        dejank_section_begin("layout");
        dejank_section_end();
    }
}

static void long_names(int count)
{
    for (int i = 0; i < count; i++) {
        dejank_section_begin("RecyclerView.onLayout (12)");
        dejank_section_end();
    }
}

static void counters(int count)
{
    for (int i = 0; i < count; i++) {
        dejank_counter_set("queued", i);
    }
}

static void stages(int count)
{
    for (int i = 0; i < count; i++) {
        dejank_frame_stage((enum dejank_stage)(i % DEJANK_FRAME_COMPLETED));
    }
}

/* An empty loop, with which sections that are switched off are compared. */
static void nothing(int count)
{
    for (int i = 0; i < count; i++) {
        __asm__ volatile("" ::: "memory");
    }
}

static void sections_off(int count)
{
    for (int i = 0; i < count; i++) {
        dejank_section_begin("layout");
        __asm__ volatile("" ::: "memory");
    }
}

enum work { CLOCK, SECTION, LONG_NAME, COUNTER, STAGE, NOTHING, OFF, WORKS };

static const struct {
    void (*run)(int count);
    int count;
} works[WORKS] = {
    [CLOCK] = {clocks, CALLS},          [SECTION] = {sections, CALLS},
    [LONG_NAME] = {long_names, CALLS},  [COUNTER] = {counters, CALLS},
    [STAGE] = {stages, CALLS},          [NOTHING] = {nothing, MORE_CALLS},
    [OFF] = {sections_off, MORE_CALLS},
};

/* The shortest round, because other programs only make rounds longer. */
static double best[WORKS];

static void measure(enum work work)
{
    int64_t start_ns = now_ns();
    works[work].run(works[work].count);
    double ns = (double)(now_ns() - start_ns) / works[work].count;
    if (best[work] == 0 || ns < best[work]) {
        best[work] = ns;
    }
}

int main(int argc, char **argv)
{
    hides_counter = argc > 1 && strcmp(argv[1], "clock") == 0;
    const struct timespec pause = {0, 12000000}; /* until the counter's rate is known */
    sections(1);
    nanosleep(&pause, NULL);
    sections(1);
    for (int round = 0; round < ROUNDS; round++) {
        dejank_sections_enable(true);
        for (int work = CLOCK; work < NOTHING; work++) {
            measure((enum work)work);
        }
        dejank_sections_enable(false);
        measure(NOTHING);
        measure(OFF);
    }
    double event = best[SECTION] / 2;
    if (hides_counter) {
        printf("an event without a trusted counter, more than the clock\t%.1f\tns\t5\n",
               event - best[CLOCK]);
        return 0;
    }
    printf("clock read\t%.1f\tns\t\n", best[CLOCK]);
    printf("one event of a section (beginning or end)\t%.1f\tns\t20\n", event);
    printf("... of the clock read\t%.2f\tx\t\n", event / best[CLOCK]);
    printf("a whole section\t%.1f\tns\t\n", best[SECTION]);
    printf("a whole section with a name of 26 bytes\t%.1f\tns\t\n", best[LONG_NAME]);
    printf("a counter's value\t%.1f\tns\t20\n", best[COUNTER]);
    printf("an event while sections are off\t%.2f\tns\t1\n", best[OFF] - best[NOTHING]);
    printf("dejank_frame_stage(), more than the clock read\t%.1f\tns\t5\n",
           best[STAGE] - best[CLOCK]);
    return 0;
}
