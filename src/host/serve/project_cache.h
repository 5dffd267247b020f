/* Stores the state of all projects. Computing it takes up to a second for a large store.
 * So it is computed when the store changes, and each request uses the newest result. */
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
    /* Time of the project's newest data in ms since 1970, or 0 if there is none. */
    int64_t last_unix_ms;
    char *last_batch; /* Id of the project's newest batch, or NULL. */
    /* State of the trend segment with the most important change. */
    enum dj_trend_state state;
    char *change; /* Text about this change, or NULL. */
    char *metric; /* Name of the metric of `values`, or NULL. */
    /* The newest values of this segment, for a sparkline. */
    double values[DJ_PROJECT_VALUES_MAX];
    size_t value_count;
};

/* A change of the last seven days. */
struct dj_recent_change {
    char *project, *text;
    char *older, *newer; /* Ids of the batches before and after the change, or NULL. */
    int64_t at_unix_ms;
    enum dj_trend_state state;
};

struct dj_project_list {
    struct dj_project_state *projects; /* Projects, sorted by name. */
    size_t count;
    struct dj_recent_change *changes; /* Changes, the newest first. */
    size_t change_count;
    /* True if the states of the projects are known. Otherwise only their names are. */
    bool is_whole;
};

struct dj_project_cache *dj_serve_create_cache(void);
/* Frees the cache. NULL is allowed. */
void dj_serve_free_cache(struct dj_project_cache *cache);

/* Reads the projects from the store, and replaces the content of the cache. Keeps the old
 * content if the store cannot be read. */
void dj_serve_fill_cache(struct dj_project_cache *cache, struct dj_store *store);

/* Calls `use` with the content of the cache. The content does not change during the
 * call. */
void dj_serve_use_cache(struct dj_project_cache *cache,
                        void (*use)(void *user, const struct dj_project_list *list),
                        void *user);

#endif
