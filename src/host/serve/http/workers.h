/* Worker threads that answer requests, so that the thread of the connections never waits.
 * Each job gets a connection of its own to the store. */
#ifndef DEJANK_SERVE_HTTP_WORKERS_H
#define DEJANK_SERVE_HTTP_WORKERS_H

#include "base/error.h"
#include "store/store.h"

/* The threads that answer a request, by what they wait for. */
enum dj_worker_kind {
    DJ_THREADS_STORE,
    DJ_THREADS_DEVICES, /* Devices take seconds to answer. */
    DJ_THREADS_FLEET,   /* The shards of a fleet may take seconds, too. */
    DJ_THREADS_SPOOL,   /* The disk. */
    DJ_THREADS_COUNT
};

struct dj_workers;

/* A piece of work. The caller owns it, and keeps it until `run` has returned. */
struct dj_job {
    /* Called by a worker. `store` is NULL if the store does not exist or cannot be
     * opened; `err` then has the reason, or code 0 if there is no store yet. */
    void (*run)(struct dj_job *job, struct dj_store *store, const struct dj_error *err);
    bool needs_no_store; /* `store` is NULL and `err` has code 0. */
    struct dj_job *next; /* Only for dj_workers. */
};

struct dj_workers *dj_serve_start_workers(const char *store, size_t count);

/* Adds the job to the end of the queue. Returns false if the workers are stopping or if
 * the queue is full. */
bool dj_serve_add_job(struct dj_workers *workers, struct dj_job *job);

/* Waits for the running jobs and ends the workers. The jobs of the queue run with the
 * error DJ_E_INTERRUPTED. Later jobs are not accepted. NULL is allowed in both
 * functions. */
void dj_serve_stop_workers(struct dj_workers *workers);
void dj_serve_free_workers(struct dj_workers *workers); /* After they have stopped. */

#endif
