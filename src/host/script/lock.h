/* Who runs Lua: one thread of all that share a state, in the order they asked. */
#ifndef DEJANK_SCRIPT_LOCK_H
#define DEJANK_SCRIPT_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct dj_script_lock {
    pthread_mutex_t mutex;
    pthread_cond_t turn;
    uint64_t next, serving; /* numbers drawn, and the one that runs */
};

void dj_script_lock_init(struct dj_script_lock *lock);
void dj_script_lock_finish(struct dj_script_lock *lock);
void dj_script_lock_take(struct dj_script_lock *lock);
void dj_script_lock_give(struct dj_script_lock *lock);

/* Asked by whoever has it: whether others stand in line. */
bool dj_script_lock_wanted(struct dj_script_lock *lock);

#endif
