#include "process/background.h"

#include <signal.h>

#include "process/deadline.h"

void dj_background_init(struct dj_background *background)
{
    pthread_condattr_t clock;
    pthread_mutex_init(&background->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&background->change, &clock);
    pthread_condattr_destroy(&clock);
}

int dj_background_start(struct dj_background *background, void *(*run)(void *user),
                        void *user)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int failure = pthread_create(&background->thread, NULL, run, user);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    background->has_thread = failure == 0;
    return failure;
}

bool dj_background_wait(struct dj_background *background, int64_t until_ns)
{
    const struct timespec until = {.tv_sec = (time_t)(until_ns / DJ_SECOND_NS),
                                   .tv_nsec = (long)(until_ns % DJ_SECOND_NS)};
    return !background->is_ending &&
           pthread_cond_timedwait(&background->change, &background->lock, &until) == 0 &&
           !background->is_ending;
}

bool dj_background_sleep(struct dj_background *background, int64_t until_ns)
{
    while (dj_background_wait(background, until_ns)) {
    }
    return !background->is_ending;
}

void dj_background_wake(struct dj_background *background)
{
    pthread_cond_signal(&background->change);
}

bool dj_background_is_ending(struct dj_background *background)
{
    pthread_mutex_lock(&background->lock);
    bool is_ending = background->is_ending;
    pthread_mutex_unlock(&background->lock);
    return is_ending;
}

void dj_background_end(struct dj_background *background)
{
    if (background->has_thread) {
        pthread_mutex_lock(&background->lock);
        background->is_ending = true;
        dj_background_wake(background);
        pthread_mutex_unlock(&background->lock);
        pthread_join(background->thread, NULL);
        background->has_thread = false;
    }
}

void dj_background_finish(struct dj_background *background)
{
    pthread_mutex_destroy(&background->lock);
    pthread_cond_destroy(&background->change);
}
