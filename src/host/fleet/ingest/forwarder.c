#include <stdlib.h>

#include "fleet/ingest.h"
#include "fleet/push.h"
#include "memory/memory.h"
#include "process/background.h"
#include "process/deadline.h"

enum {
    GATHER_MS = 1000, /* Sessions that arrive within this time are sent together. */
    FIRST_PAUSE_MS = 1000,
    PAUSE_MOST_MS = 30000,
    IDLE_MS = 60000, /* Other processes may have written to the spool. */
    TIMEOUT_S = 60
};

struct dj_forwarder {
    const struct dj_fleet_cluster_place *place;
    const char *spool;
    const struct dj_messages *messages;
    struct dj_background background;
    bool has_new; /* The spool has new files. Protected by the lock of `background`. */
    int problem;  /* The error that was reported last, or 0. */
};

/* Reports a problem when it begins, changes and ends. */
static void report(struct dj_forwarder *forwarder, const struct dj_error *err)
{
    if (err->code == forwarder->problem || err->code == DJ_E_INTERRUPTED) {
        return;
    }
    if (err->code != 0) {
        dj_message(forwarder->messages, "sessions wait in %s: %s", forwarder->spool,
                   err->message);
    } else {
        dj_message(forwarder->messages, "all waiting sessions were sent");
    }
    forwarder->problem = err->code;
}

static void send_with(struct dj_forwarder *forwarder, struct dj_pusher *pusher,
                      struct dj_error *err)
{
    int code = dj_fleet_forward_spool(pusher, forwarder->spool, forwarder->messages, err);
    const char *failure = dj_fleet_pusher_failure(pusher);
    if (code == 0 && failure != NULL) {
        dj_error_set(err, DJ_E_GONE, "%s", failure);
    }
}

/* Sends what is in the spool. Returns whether all of it was sent. */
static bool send_spool(struct dj_forwarder *forwarder)
{
    struct dj_fleet_spool files = {0};
    struct dj_cluster cluster = {0};
    struct dj_pusher *pusher = NULL;
    struct dj_error err = {0};
    int code = dj_fleet_spool_list(forwarder->spool, &files, &err);
    if (code == 0 && files.count > 0) {
        code = dj_fleet_cluster_open(&cluster, forwarder->place, &err);
        cluster.timeout_s = TIMEOUT_S;
        code = code == 0 ? dj_fleet_pusher_create(&cluster, forwarder->spool,
                                                  forwarder->messages, &pusher, &err)
                         : code;
        if (code == 0) {
            send_with(forwarder, pusher, &err);
        }
        dj_fleet_pusher_destroy(pusher);
        dj_fleet_cluster_close(&cluster);
    }
    dj_fleet_spool_finish(&files);
    report(forwarder, &err);
    return err.code == 0;
}

/* Waits until the time is over, until the thread must end, or with `for_new` until the
 * spool has a new file. */
static void wait_for(struct dj_forwarder *forwarder, int64_t ms, bool for_new)
{
    int64_t until_ns = dj_host_now_ns() + ms * DJ_MILLISECOND_NS;
    pthread_mutex_lock(&forwarder->background.lock);
    while (!(for_new && forwarder->has_new) &&
           dj_background_wait(&forwarder->background, until_ns)) {
    }
    pthread_mutex_unlock(&forwarder->background.lock);
}

static int64_t get_latest_ns(void *user)
{
    struct dj_forwarder *forwarder = user;
    return dj_background_is_ending(&forwarder->background) ? 0 : INT64_MAX;
}

static void clear_new(struct dj_forwarder *forwarder)
{
    pthread_mutex_lock(&forwarder->background.lock);
    forwarder->has_new = false;
    pthread_mutex_unlock(&forwarder->background.lock);
}

static void *forward(void *user)
{
    struct dj_forwarder *forwarder = user;
    int64_t pause_ms = FIRST_PAUSE_MS;
    dj_process_set_thread_interrupt(
        (struct dj_interrupt_request){get_latest_ns, forwarder});
    while (!dj_background_is_ending(&forwarder->background)) {
        clear_new(forwarder);
        if (send_spool(forwarder)) {
            pause_ms = FIRST_PAUSE_MS;
            wait_for(forwarder, IDLE_MS, true);
            wait_for(forwarder, GATHER_MS, false);
        } else {
            wait_for(forwarder, pause_ms, false);
            pause_ms = pause_ms * 2 < PAUSE_MOST_MS ? pause_ms * 2 : PAUSE_MOST_MS;
        }
    }
    return NULL;
}

struct dj_forwarder *dj_fleet_forwarder_start(const struct dj_fleet_cluster_place *place,
                                              const char *spool,
                                              const struct dj_messages *messages)
{
    struct dj_forwarder *forwarder = dj_xcalloc(1, sizeof(*forwarder));
    forwarder->place = place;
    forwarder->spool = spool;
    forwarder->messages = messages;
    dj_background_init(&forwarder->background);
    dj_xcheck(dj_background_start(&forwarder->background, forward, forwarder) == 0);
    return forwarder;
}

void dj_fleet_forwarder_wake(struct dj_forwarder *forwarder)
{
    pthread_mutex_lock(&forwarder->background.lock);
    forwarder->has_new = true;
    dj_background_wake(&forwarder->background);
    pthread_mutex_unlock(&forwarder->background.lock);
}

void dj_fleet_forwarder_stop(struct dj_forwarder *forwarder)
{
    if (forwarder == NULL) {
        return;
    }
    dj_background_end(&forwarder->background);
    dj_background_finish(&forwarder->background);
    free(forwarder);
}
