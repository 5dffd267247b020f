/*
 * Sections in C: nested on one thread, asynchronous across threads, and with a counter.
 *
 *   sections [JOBS]      then: dejank trace read sections --summary
 */
#include <dejank/sections.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { QUEUE = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queued, done, jobs;
static _Atomic unsigned decoded; /* used, so that the work is done */

static void decode(int job)
{
    unsigned sum = (unsigned)job;
    dejank_section_begin("decode");
    for (unsigned i = 0; i < 20000; i++) {
        sum = sum * 31 ^ i;
    }
    atomic_fetch_add(&decoded, sum);
    if (dejank_sections_enabled()) { /* This name must be formatted first. */
        char name[32];
        snprintf(name, sizeof(name), "store job %d", job);
        dejank_section_begin(name);
        dejank_section_end();
    }
    dejank_section_end();
}

static void *work(void *unused)
{
    (void)unused;
    for (int job = 0; job < jobs; job++) {
        pthread_mutex_lock(&lock);
        while (queued == 0) {
            pthread_cond_wait(&changed, &lock);
        }
        queued--;
        dejank_counter_set("queued", queued);
        pthread_mutex_unlock(&lock);
        decode(job);
        dejank_section_end_async("job", job);
        pthread_mutex_lock(&lock);
        done++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t worker;
    jobs = argc > 1 ? atoi(argv[1]) : 50;
    dejank_section_begin("all");
    if (pthread_create(&worker, NULL, work, NULL) != 0) {
        return 1;
    }
    for (int job = 0; job < jobs; job++) {
        dejank_section_begin_async("job", job);
        pthread_mutex_lock(&lock);
        while (queued == QUEUE) {
            pthread_cond_wait(&changed, &lock);
        }
        queued++;
        dejank_counter_set("queued", queued);
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(worker, NULL);
    dejank_section_end();
    printf("%d jobs\n", done);
    return 0;
}
