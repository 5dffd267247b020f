#include "serve/http/workers.h"

#include <pthread.h>
#include <stdlib.h>

#include "memory/memory.h"
#include "store/open_existing.h"

enum { JOBS_MAX = 256 };

struct dj_workers {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const char *store;
    struct dj_job *first, **last;
    size_t waiting;
    bool is_stopping;
    pthread_t *threads;
    size_t count;
};

/* Waits for a job. Returns NULL if the worker must end. Sets *is_late to true if the
 * workers are being stopped. */
static struct dj_job *get_job(struct dj_workers *workers, bool *is_late)
{
    pthread_mutex_lock(&workers->lock);
    while (workers->first == NULL && !workers->is_stopping) {
        pthread_cond_wait(&workers->changed, &workers->lock);
    }
    struct dj_job *job = workers->first;
    if (job != NULL) {
        workers->first = job->next;
        workers->last = workers->first == NULL ? &workers->first : workers->last;
        workers->waiting--;
    }
    *is_late = workers->is_stopping;
    pthread_mutex_unlock(&workers->lock);
    return job;
}

static void *work(void *user)
{
    struct dj_workers *workers = user;
    struct dj_job *job;
    bool is_late;
    while ((job = get_job(workers, &is_late)) != NULL) {
        /* The store is opened for each job. This takes less than a millisecond, and the
         * worker then sees the current store, even if it was created or migrated
         * meanwhile. */
        struct dj_store *store = NULL;
        struct dj_error err = {0};
        if (is_late) {
            dj_error_set(&err, DJ_E_INTERRUPTED, "the server is stopping");
        } else if (!job->needs_no_store &&
                   dj_store_open_existing(workers->store, &store, &err) != 0) {
            store = NULL;
        }
        job->run(job, store, &err);
        dj_store_close(store);
    }
    return NULL;
}

struct dj_workers *dj_serve_start_workers(const char *store, size_t count)
{
    struct dj_workers *workers = dj_xcalloc(1, sizeof(*workers));
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->changed, NULL);
    workers->store = store;
    workers->last = &workers->first;
    workers->threads = dj_xcalloc(count, sizeof(*workers->threads));
    while (workers->count < count &&
           pthread_create(&workers->threads[workers->count], NULL, work, workers) == 0) {
        workers->count++;
    }
    dj_xcheck(workers->count > 0);
    return workers;
}

bool dj_serve_add_job(struct dj_workers *workers, struct dj_job *job)
{
    pthread_mutex_lock(&workers->lock);
    bool accepted = !workers->is_stopping && workers->waiting < JOBS_MAX;
    if (accepted) {
        job->next = NULL;
        *workers->last = job;
        workers->last = &job->next;
        workers->waiting++;
        pthread_cond_signal(&workers->changed);
    }
    pthread_mutex_unlock(&workers->lock);
    return accepted;
}

void dj_serve_stop_workers(struct dj_workers *workers)
{
    if (workers == NULL) {
        return;
    }
    pthread_mutex_lock(&workers->lock);
    workers->is_stopping = true;
    pthread_cond_broadcast(&workers->changed);
    pthread_mutex_unlock(&workers->lock);
    for (size_t i = 0; i < workers->count; i++) {
        pthread_join(workers->threads[i], NULL);
    }
}

void dj_serve_free_workers(struct dj_workers *workers)
{
    if (workers == NULL) {
        return;
    }
    pthread_cond_destroy(&workers->changed);
    pthread_mutex_destroy(&workers->lock);
    free(workers->threads);
    free(workers);
}
