/* Worker threads that answer requests, so that the thread of the connections never waits.
 * Each job gets a connection of its own to the store. */
#ifndef DEJANK_SERVE_HTTP_WORKERS_H
#define DEJANK_SERVE_HTTP_WORKERS_H

#include "base/error.h"
#include "store/store.h"

/* Groups of threads, by what their requests wait for. */
enum dj_worker_kind {
    DJ_THREADS_STORE,
    DJ_THREADS_DEVICES, /* For requests to devices, which take seconds to answer. */
    /* For requests to the shards of a fleet, which may take seconds. */
    DJ_THREADS_FLEET,
    DJ_THREADS_SPOOL, /* For writing sessions to the disk. */
    DJ_THREADS_COUNT
};

struct dj_workers;

/* A piece of work. The caller owns the struct, which must exist until `run` has
 * returned. */
struct dj_job {
    /* Function that a worker calls. `store` is NULL if the store does not exist or cannot
     * be opened. If it cannot be opened, `err` has the reason. If it does not exist, the
     * code of `err` is 0. */
    void (*run)(struct dj_job *job, struct dj_store *store, const struct dj_error *err);
    /* True if `run` needs no store. `store` is then NULL and the code of `err` is 0. */
    bool needs_no_store;
    struct dj_job *next; /* Next job of the queue. Used only by the workers. */
};

struct dj_workers *dj_serve_start_workers(const char *store, size_t count);

/* Appends the job to the queue. Returns false if the workers are being stopped or if the
 * queue is full. */
bool dj_serve_add_job(struct dj_workers *workers, struct dj_job *job);

/* Waits for the running jobs and ends the workers. Calls the waiting jobs with the error
 * DJ_E_INTERRUPTED. No further jobs are accepted. NULL is allowed. */
void dj_serve_stop_workers(struct dj_workers *workers);
/* Frees the workers. Call dj_serve_stop_workers() before. NULL is allowed. */
void dj_serve_free_workers(struct dj_workers *workers);

#endif
