/* Tests of a thread that works in the background. */
#include <criterion/criterion.h>
#include <signal.h>

#include "process/background.h"
#include "process/deadline.h"

/* Shared with the thread, and protected by the lock of `background`. */
static struct dj_background background;
static int wakes;
static bool has_seen_end, blocks_signals;

static void *count_wakes(void *user)
{
    sigset_t blocked;
    (void)user;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    pthread_mutex_lock(&background.lock);
    blocks_signals = sigismember(&blocked, SIGINT) == 1;
    while (dj_background_wait(&background, INT64_MAX)) {
        wakes++;
    }
    has_seen_end = background.is_ending;
    pthread_mutex_unlock(&background.lock);
    return NULL;
}

static int read_wakes(void)
{
    pthread_mutex_lock(&background.lock);
    int count = wakes;
    dj_background_wake(&background);
    pthread_mutex_unlock(&background.lock);
    return count;
}

Test(background, is_woken_until_it_ends, .timeout = 30)
{
    dj_background_init(&background);
    cr_assert_eq(dj_background_start(&background, count_wakes, NULL), 0);
    while (read_wakes() < 3) {
        dj_host_sleep_ns(DJ_MILLISECOND_NS);
    }
    cr_expect_not(dj_background_is_ending(&background));
    dj_background_end(&background);
    cr_expect(has_seen_end && blocks_signals);
    dj_background_end(&background); /* It does not run any more. */
    dj_background_finish(&background);
}

Test(background, waits_until_a_time)
{
    dj_background_init(&background);
    int64_t until_ns = dj_host_now_ns() + 20 * DJ_MILLISECOND_NS;
    pthread_mutex_lock(&background.lock);
    cr_expect(dj_background_sleep(&background, until_ns));
    pthread_mutex_unlock(&background.lock);
    cr_expect_geq(dj_host_now_ns(), until_ns);
    cr_expect_not(dj_background_is_ending(&background));
    dj_background_end(&background); /* It was not started. */
    dj_background_finish(&background);
}
