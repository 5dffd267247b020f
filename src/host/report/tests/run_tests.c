#include "report/run_tests.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Returns the number of this run on its device, from 1, or 0 if there are too many
 * devices. */
static int count_run(struct dj_run_tests *all, const char *device)
{
    size_t at = 0;
    while (at < all->device_count && strcmp(all->devices[at].name, device) != 0) {
        at++;
    }
    if (at == all->device_count) {
        if (at == DJ_TEST_DEVICES) {
            return 0;
        }
        snprintf(all->devices[at].name, sizeof(all->devices[at].name), "%s", device);
        all->device_count++;
    }
    return ++all->devices[at].runs;
}

/* Returns the start of a run that ends now, in seconds since 1970. */
static int64_t started_unix(const struct dj_test_results *results)
{
    int64_t begin_ns = INT64_MAX;
    int64_t end_ns = 0;
    for (size_t i = 0; i < results->test_count; i++) {
        const struct dj_test *test = &results->tests[i];
        begin_ns =
            test->begin_ns >= 0 && test->begin_ns < begin_ns ? test->begin_ns : begin_ns;
        end_ns = test->end_ns > end_ns ? test->end_ns : end_ns;
    }
    int64_t took_ns = end_ns > begin_ns ? end_ns - begin_ns : 0;
    return (int64_t)time(NULL) - took_ns / DJ_SECOND_NS;
}

void dj_report_run_tests_add(void *all, const struct dj_device *device,
                             const struct dj_test_results *results)
{
    struct dj_run_tests *tests = all;
    char name[200];
    pthread_mutex_lock(&tests->lock);
    int run = count_run(tests, device->name);
    int length = snprintf(name, sizeof(name), "%s", device->name);
    if (run > 0) {
        snprintf(name + length, sizeof(name) - (size_t)length, ", run %d", run);
    }
    dj_report_add_junit_run(&tests->junit,
                            &(struct dj_junit_run){.name = name,
                                                   .device = device->name,
                                                   .started_unix = started_unix(results),
                                                   .results = results});
    pthread_mutex_unlock(&tests->lock);
}
