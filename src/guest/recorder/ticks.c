#include "recorder/ticks.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/count_of.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Time for which a pair is valid. Two pairs at this distance give the rate with an
 * error of about 10 ppm. */
static const int64_t PAIR_NS = 10000000;

enum {
    ATTEMPTS = 3,
    RATE_TOLERANCE = 4096 /* Maximum difference of two rates, as one
                           * part in this number (244 ppm). */
};

atomic_bool dj_ticks_usable;
static _Atomic uint64_t known_rate; /* Rate that all threads share, or 0 if it is
                                     * unknown. */

static bool is_invariant(void)
{
#if defined(__x86_64__)
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
#else
    return false;
#endif
}

#define CLOCK_SOURCES "/sys/devices/system/clocksource/clocksource0/"

/* Reads a small file, including its newline. Sets `words` to "" if that fails. */
static void read_small_file(const char *path, char *words, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    words[0] = '\0';
    if (fd >= 0) {
        ssize_t got = pread(fd, words, size - 1, 0);
        close(fd);
        words[got > 0 ? got : 0] = '\0';
    }
}

/* Returns true if the kernel lists the time-stamp counter as a clock source. The kernel
 * removes the counter from the list when it has found an error in it. */
static bool is_trusted(void)
{
    char names[256];
    read_small_file(CLOCK_SOURCES "available_clocksource", names, sizeof(names));
    return strncmp(names, "tsc ", 4) == 0 || strstr(names, " tsc ") != NULL;
}

bool dj_ticks_clock_needs_call(bool otherwise)
{
    static const char *const read_by_vdso[] = {
        "tsc\n", "kvm-clock\n", "hyperv_clocksource_tsc_page\n", "arch_sys_counter\n"};
    char source[64];
    read_small_file(CLOCK_SOURCES "current_clocksource", source, sizeof(source));
    if (source[0] == '\0') {
        return otherwise;
    }
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(read_by_vdso); i++) {
        found = found || strcmp(source, read_by_vdso[i]) == 0;
    }
    return !found || getauxval(AT_SYSINFO_EHDR) == 0;
}

void dj_ticks_load(void)
{
    atomic_store(&dj_ticks_usable, is_invariant() && is_trusted());
}

struct pair {
    uint64_t ticks;
    int64_t ns;
};

/* Reads the counter and the clock several times and returns the pair whose two
 * readings are closest together, because the thread may be preempted between two
 * readings. */
static struct pair read_pair(void)
{
    struct pair best = {0};
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < ATTEMPTS; i++) {
        uint64_t before = dj_ticks_read();
        int64_t now_ns = dj_recorder_clock_ns();
        uint64_t width = dj_ticks_read() - before;
        if (width < narrowest) {
            narrowest = width;
            best = (struct pair){before + width / 2, now_ns};
        }
    }
    return best;
}

static bool is_near(uint64_t rate, uint64_t other)
{
    uint64_t difference = rate > other ? rate - other : other - rate;
    return difference < other / RATE_TOLERANCE;
}

/* Returns the rate that follows from two pairs, or the known rate if the pairs are too
 * close together in time. If the new rate differs from the known rate, the machine was
 * suspended or migrated, or one of the rates is wrong. In that case, both rates are
 * discarded and the function returns 0. */
static uint64_t compute_rate(const struct dj_ticks *from, const struct pair *to)
{
    uint64_t passed = to->ticks - from->base_ticks;
    uint64_t known = atomic_load_explicit(&known_rate, memory_order_relaxed);
    int64_t passed_ns = to->ns - from->base_ns;
    if (from->base_ns == 0 || passed_ns < PAIR_NS || passed < (uint64_t)PAIR_NS / 16) {
        return known;
    }
    unsigned __int128 scaled = (unsigned __int128)(uint64_t)passed_ns << 32;
    uint64_t rate = (uint64_t)(scaled / passed);
    uint64_t next = known == 0 || is_near(rate, known) ? rate : 0;
    atomic_store_explicit(&known_rate, next, memory_order_relaxed);
    return next;
}

/* Returns true while the rate is unknown and the stored pair is less than PAIR_NS old.
 * Two pairs at that distance are needed to compute the rate. */
static bool is_waiting(const struct dj_ticks *ticks, int64_t now_ns)
{
    return ticks->valid_ticks == 0 && ticks->base_ns != 0 &&
           now_ns - ticks->base_ns < PAIR_NS &&
           atomic_load_explicit(&known_rate, memory_order_relaxed) == 0;
}

static void replace_pair(struct dj_ticks *ticks)
{
    struct pair now = read_pair();
    uint64_t rate = compute_rate(ticks, &now);
    ticks->base_ticks = now.ticks;
    ticks->base_ns = now.ns;
    ticks->rate = rate;
    ticks->valid_ticks =
        rate == 0 ? 0 : (uint64_t)(((unsigned __int128)(uint64_t)PAIR_NS << 32) / rate);
}

int64_t dj_ticks_update(struct dj_ticks *ticks)
{
    int64_t now_ns = dj_recorder_clock_ns();
    if (!is_waiting(ticks, now_ns)) {
        replace_pair(ticks);
        now_ns = ticks->base_ns;
    }
    ticks->last_ns = now_ns > ticks->last_ns ? now_ns : ticks->last_ns;
    return ticks->last_ns;
}
