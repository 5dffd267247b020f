/* A thread that works in the background until it is asked to end. */
#ifndef DEJANK_PROCESS_BACKGROUND_H
#define DEJANK_PROCESS_BACKGROUND_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Zero it before dj_background_init(). */
struct dj_background {
    pthread_mutex_t lock; /* Protects what the thread shares with other threads. */
    pthread_cond_t change;
    pthread_t thread;
    bool has_thread; /* The thread was started, and dj_background_end() was not called. */
    bool is_ending;  /* Protected by the lock. */
};

void dj_background_init(struct dj_background *background);

/* Starts the thread. All its signals are blocked, so other threads receive them. Returns
 * 0, or a number of errno if there is no thread. */
int dj_background_start(struct dj_background *background, void *(*run)(void *user),
                        void *user);

/* Waits for dj_background_wake(). Returns false at the host time `until_ns`, and if the
 * thread must end. The caller holds the lock, which is free while it waits. */
bool dj_background_wait(struct dj_background *background, int64_t until_ns);

/* Waits until the host time `until_ns`, also if it is woken. Returns false if the thread
 * must end. The caller holds the lock, which is free while it waits. */
bool dj_background_sleep(struct dj_background *background, int64_t until_ns);

/* Wakes the waiting thread. The caller holds the lock. */
void dj_background_wake(struct dj_background *background);

/* Returns whether the thread must end. The caller must not hold the lock. */
bool dj_background_is_ending(struct dj_background *background);

/* Asks the thread to end, and waits until it has ended. Does nothing if it does not
 * run. */
void dj_background_end(struct dj_background *background);

/* Frees the lock after dj_background_end(). */
void dj_background_finish(struct dj_background *background);

#endif
