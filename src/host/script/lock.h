/* The lock that lets only one thread run Lua at a time. Threads get the lock in the order
 * of their requests. */
#ifndef DEJANK_SCRIPT_LOCK_H
#define DEJANK_SCRIPT_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct dj_script_lock {
    pthread_mutex_t mutex;
    pthread_cond_t turn;
    /* Numbers of the threads that request the lock. `next` is the next number to assign,
     * and `serving` is the number of the thread that has the lock. */
    uint64_t next, serving;
};

void dj_script_lock_init(struct dj_script_lock *lock);
void dj_script_lock_finish(struct dj_script_lock *lock);
void dj_script_lock_acquire(struct dj_script_lock *lock);
void dj_script_lock_release(struct dj_script_lock *lock);

/* Returns whether other threads wait for the lock. Only the thread that has the lock may
 * call this function. */
bool dj_script_lock_is_contended(struct dj_script_lock *lock);

#endif
