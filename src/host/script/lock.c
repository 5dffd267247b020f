#include "script/lock.h"

void dj_script_lock_init(struct dj_script_lock *lock)
{
    pthread_mutex_init(&lock->mutex, NULL);
    pthread_cond_init(&lock->turn, NULL);
    lock->next = 0;
    lock->serving = 0;
}

void dj_script_lock_finish(struct dj_script_lock *lock)
{
    pthread_cond_destroy(&lock->turn);
    pthread_mutex_destroy(&lock->mutex);
}

void dj_script_lock_acquire(struct dj_script_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
    uint64_t own = lock->next++;
    while (lock->serving != own) {
        pthread_cond_wait(&lock->turn, &lock->mutex);
    }
    pthread_mutex_unlock(&lock->mutex);
}

void dj_script_lock_release(struct dj_script_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
    lock->serving++;
    pthread_cond_broadcast(&lock->turn);
    pthread_mutex_unlock(&lock->mutex);
}

bool dj_script_lock_is_contended(struct dj_script_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
    bool wanted = lock->next - lock->serving > 1;
    pthread_mutex_unlock(&lock->mutex);
    return wanted;
}
