/* Tests the size of the rings, the smaller size if no more memory may be locked, and
 * filters that the kernel refuses. */
#include "capture/linux/perf_rings.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct dj_perf perf;

static void tear_down(void)
{
    dj_perf_rings_finish(&perf);
}

TestSuite(perf_rings, .fini = tear_down);

/* Creates rings and returns the size of the smallest one in pages. Skips the test if
 * this machine has no perf events. */
static size_t create_rings(int64_t bytes)
{
    struct dj_error err = {0};
    size_t least = SIZE_MAX;
    dj_perf_rings_finish(&perf);
    dj_perf_rings_set_size(&perf, bytes);
    int code = dj_perf_rings_add(&perf, getpid(), 0, NULL, &err);
    if (code == DJ_E_OWNER || code == DJ_E_UNSUPPORTED || code == DJ_E_LIMIT) {
        cr_skip("%s", err.message);
    }
    cr_assert(code == 0, "%s", err.message);
    for (size_t i = 0; i < perf.count; i++) {
        size_t pages = perf.rings[i].size / (size_t)sysconf(_SC_PAGESIZE);
        if (perf.rings[i].head != NULL) {
            cr_expect(perf.pages <= 64 || pages == perf.pages,
                      "large rings have one size");
            least = pages < least ? pages : least;
        }
    }
    cr_assert(least != SIZE_MAX, "at least one CPU is on");
    return least;
}

/* Returns true with CAP_IPC_LOCK, which root does not have in a container. */
static bool may_lock_more_memory(void)
{
    unsigned long long capabilities = 0;
    char line[256];
    FILE *status = fopen("/proc/self/status", "re");
    while (status != NULL && fgets(line, sizeof(line), status) != NULL) {
        if (strncmp(line, "CapEff:", 7) == 0) {
            capabilities = strtoull(line + 7, NULL, 16);
        }
    }
    if (status != NULL) {
        fclose(status);
    }
    return (capabilities >> 14 & 1) != 0;
}

Test(perf_rings, rings_have_at_least_the_unprivileged_size)
{
    cr_expect(create_rings(0) <= 64);
    cr_expect(perf.pages == 64);
}

Test(perf_rings, rings_are_as_large_as_permitted)
{
    int64_t page = sysconf(_SC_PAGESIZE);
    int64_t cpus = sysconf(_SC_NPROCESSORS_CONF);
    size_t had = create_rings(cpus * 300 * page);
    cr_expect(perf.pages == 256 || perf.pages <= 128, "a power of two that fits");
    cr_expect(had == perf.pages || perf.pages == 64, "%zu of %zu", had, perf.pages);
    if (may_lock_more_memory()) {
        cr_expect(had == 256, "this much may be locked, got %zu", had);
    }
}

Test(perf_rings, an_event_is_recorded_without_an_optional_filter_that_the_kernel_refuses)
{
    struct dj_perf_event event = {.pid = getpid(), .filter = "no_field & 1"};
    struct dj_error err = {0};
    event.attr.type = PERF_TYPE_SOFTWARE; /* Only tracepoints have filters. */
    event.attr.config = PERF_COUNT_SW_DUMMY;
    event.attr.exclude_kernel = 1;
    create_rings(0);
    cr_expect(dj_perf_rings_add(&perf, getpid(), 0, event.filter, &err) == 0, "%s",
              err.message);
    size_t count = perf.fd_count;
    cr_expect(dj_perf_rings_add_event(&perf, &event, &err) == DJ_E_IO, "%s", err.message);
    cr_expect(perf.fd_count == count);
    event.is_filter_optional = true;
    cr_expect(dj_perf_rings_add_event(&perf, &event, &err) == 0);
    cr_expect(perf.fd_count > count);
}
