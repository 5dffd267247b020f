/* The state of all projects. Computing it takes up to a second for a large store, so it
 * is computed when the store changes, and each request gets the newest result. */
#ifndef DEJANK_SERVE_PROJECT_CACHE_H
#define DEJANK_SERVE_PROJECT_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "report/trend.h"

struct dj_store;
struct dj_project_cache;

enum { DJ_PROJECT_VALUES_MAX = 24, DJ_RECENT_CHANGES_MAX = 50 };

struct dj_project_state {
    char *name;
    int64_t batches;
    int64_t last_unix_ms; /* Time of the newest data, or 0. */
    char *last_batch;     /* Id of the newest batch, or NULL. */
    /* The state of the segment with the most important change. */
    enum dj_trend_state state;
    char *change; /* Its change, or NULL. */
    char *metric; /* The metric of `values`, or NULL. */
    /* The newest values of the segment. */
    double values[DJ_PROJECT_VALUES_MAX];
    size_t value_count;
};

/* A change of the last seven days. */
struct dj_recent_change {
    char *project, *text;
    char *older, *newer; /* Ids of the batches around it, or NULL. */
    int64_t at_unix_ms;
    enum dj_trend_state state;
};

struct dj_project_list {
    struct dj_project_state *projects; /* Sorted by name. */
    size_t count;
    struct dj_recent_change *changes; /* Newest first. */
    size_t change_count;
    bool is_whole; /* The states are known. */
};

struct dj_project_cache *dj_serve_create_cache(void);
void dj_serve_free_cache(struct dj_project_cache *cache); /* NULL is allowed. */

/* Reads the projects from the store, and replaces the content of the cache. If the store
 * cannot be read, the old content stays. */
void dj_serve_fill_cache(struct dj_project_cache *cache, struct dj_store *store);

/* Calls `use` with the content of the cache, which does not change during the call. */
void dj_serve_use_cache(struct dj_project_cache *cache,
                        void (*use)(void *user, const struct dj_project_list *list),
                        void *user);

#endif
