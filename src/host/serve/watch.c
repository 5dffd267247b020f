#include "serve/watch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "memory/memory.h"
#include "process/background.h"
#include "process/deadline.h"
#include "serve/project_cache.h"
#include "serve/state.h"
#include "store/open_existing.h"
#include "store/overview.h"
#include "store/store.h"

enum { PERIOD_MS = 500, COMMENT_EVERY = 30 /* Number of periods. */ };

struct dj_store_watch {
    struct dj_server *server;
    struct dj_channel *events;
    struct dj_background background;
    struct dj_store *store; /* The open store, or NULL while it cannot be opened. */
    int64_t seen;           /* Value of the store's change counter at the last check. */
    /* Device and inode of the store's file. 0 if the store is on a server. */
    dev_t device;
    ino_t inode;
};

/* Waits for one period. Returns false if the watch must end. */
static bool wait_period(struct dj_store_watch *watch)
{
    int64_t until_ns = dj_host_now_ns() + PERIOD_MS * DJ_MILLISECOND_NS;
    pthread_mutex_lock(&watch->background.lock);
    bool goes_on = dj_background_sleep(&watch->background, until_ns);
    pthread_mutex_unlock(&watch->background.lock);
    return goes_on;
}

/* Opens the store again. Its content then counts as changed. */
static void open_store(struct dj_store_watch *watch)
{
    dj_store_close(watch->store);
    if (dj_store_open_existing(watch->server->options.store, &watch->store, NULL) != 0) {
        watch->store = NULL;
    }
    watch->seen = -1;
    struct stat status;
    bool is_file =
        watch->store != NULL && stat(dj_store_path(watch->store), &status) == 0;
    watch->device = is_file ? status.st_dev : 0;
    watch->inode = is_file ? status.st_ino : 0;
}

/* Returns whether another file has replaced the store's file, or the file was removed. An
 * open store would still read the old file. */
static bool is_replaced(const struct dj_store_watch *watch)
{
    struct stat status;
    return watch->inode != 0 &&
           (stat(dj_store_path(watch->store), &status) != 0 ||
            status.st_dev != watch->device || status.st_ino != watch->inode);
}

/* If the store has changed since the last check, fills the cache again and sends an event
 * to the browsers. A store that cannot be reached counts as unchanged. */
static void check_store(struct dj_store_watch *watch)
{
    int64_t counter;
    struct dj_text data = {0};
    if (watch->store == NULL || is_replaced(watch)) {
        open_store(watch);
    }
    if (watch->store == NULL) {
        return;
    }
    if (dj_store_read_change_counter(watch->store, &counter, NULL) != 0) {
        dj_store_close(watch->store);
        watch->store = NULL;
    } else if (counter != watch->seen) {
        watch->seen = counter;
        dj_serve_fill_cache(watch->server->cache, watch->store);
        dj_text_format(&data, "{\"counter\":%" PRId64 "}", counter);
        dj_serve_send_event(watch->events, "store", &data);
        dj_text_finish(&data);
    }
}

static void *run_watch(void *user)
{
    struct dj_store_watch *watch = user;
    unsigned periods = 0;
    do {
        check_store(watch);
        if (++periods % COMMENT_EVERY == 0) {
            dj_serve_send_comment(watch->events);
        }
    } while (wait_period(watch));
    dj_store_close(watch->store);
    return NULL;
}

struct dj_store_watch *dj_serve_start_watch(struct dj_server *server)
{
    struct dj_store_watch *watch = dj_xcalloc(1, sizeof(*watch));
    watch->server = server;
    watch->events = dj_serve_open_channel();
    dj_background_init(&watch->background);
    dj_xcheck(dj_background_start(&watch->background, run_watch, watch) == 0);
    return watch;
}

void dj_serve_stop_watch(struct dj_store_watch *watch)
{
    dj_background_end(&watch->background);
    dj_serve_close_channel(watch->events);
}

void dj_serve_free_watch(struct dj_store_watch *watch)
{
    dj_serve_unref_channel(watch->events);
    dj_background_finish(&watch->background);
    free(watch);
}

struct dj_channel *dj_serve_get_store_events(struct dj_store_watch *watch)
{
    return watch->events;
}
