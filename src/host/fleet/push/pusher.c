#include "fleet/push.h"

#include <time.h>

#include "fleet/spool.h"
#include "fleet/state.h"
#include "memory/memory.h"
#include "process/deadline.h"

enum { TRIES_MOST = 4, FIRST_PAUSE_MS = 200, MESSAGES_MOST = 20, TIME_EVERY = 64 };

/* Rows of one shard. */
struct batch {
    struct dj_text rows;
    int64_t count;
    int64_t since_ns; /* When the first row was added. */
};

struct lane {
    struct batch filling, sending;
    int tries;    /* Number of times that `sending` was sent. */
    bool is_down; /* The shard failed, so that all further batches are spooled. */
};

struct dj_pusher {
    struct dj_cluster *cluster; /* NULL if sessions are only checked. */
    const char *spool;
    const struct dj_messages *messages;
    struct lane *lanes; /* One lane for each shard. */
    struct dj_push_counts counts;
    char *source;
    int64_t number; /* Number of the session in its source, from 1. */
    int64_t now_unix_s;
    int64_t now_ns;
    char *failure;
    struct dj_text sql;
    size_t batch_bytes;    /* Size from which a batch is sent. */
    struct dj_error error; /* Set if a batch could not be spooled. */
};

int dj_fleet_pusher_create(struct dj_cluster *cluster, const char *spool,
                           const struct dj_messages *messages, struct dj_pusher **made,
                           struct dj_error *err)
{
    struct dj_fleet_state state = {0};
    struct dj_error reason = {0};
    *made = NULL;
    int code = dj_fleet_read_state(cluster, true, &state, &reason);
    if (code != 0 && code != DJ_E_GONE && code != DJ_E_PROTOCOL) {
        dj_fleet_state_finish(&state);
        return dj_error_set(err, code, "%s", reason.message);
    }
    struct dj_pusher *pusher = dj_xcalloc(1, sizeof(*pusher));
    pusher->cluster = cluster;
    pusher->spool = spool;
    pusher->messages = messages;
    pusher->lanes = dj_xcalloc(cluster->count, sizeof(*pusher->lanes));
    pusher->now_unix_s = time(NULL);
    pusher->now_ns = dj_host_now_ns();
    /* Each shard has a batch that is filled and one that is sent. */
    size_t share = DJ_PUSH_BUFFERS_MOST / (2 * cluster->count);
    pusher->batch_bytes = share < DJ_PUSH_BYTES_MOST ? share : DJ_PUSH_BYTES_MOST;
    for (size_t i = 0; i < cluster->count; i++) {
        pusher->lanes[i].is_down = !state.shards[i].answers;
        if (pusher->lanes[i].is_down && pusher->failure == NULL) {
            pusher->failure = dj_xstrdup(cluster->shards[i].error.message[0] != '\0'
                                             ? cluster->shards[i].error.message
                                             : reason.message);
        }
    }
    dj_text_format(&pusher->sql,
                   "INSERT INTO dejank.sessions_local (%s) FORMAT RowBinary",
                   dj_session_columns);
    dj_fleet_state_finish(&state);
    *made = pusher;
    return 0;
}

struct dj_pusher *dj_fleet_pusher_create_check(const struct dj_messages *messages)
{
    struct dj_pusher *pusher = dj_xcalloc(1, sizeof(*pusher));
    pusher->messages = messages;
    return pusher;
}

static size_t count_lanes(const struct dj_pusher *pusher)
{
    return pusher->cluster != NULL ? pusher->cluster->count : 0;
}

static void clear(struct batch *batch)
{
    dj_text_clear(&batch->rows);
    batch->count = 0;
}

/* Writes a batch to the spool. If that fails, keeps the first error. */
static void spool_batch(struct dj_pusher *pusher, size_t index, struct batch *batch)
{
    if (batch->count > 0) {
        struct dj_error err = {0};
        struct dj_spool_label label = {batch->count, index, pusher->cluster->count};
        if (dj_fleet_spool_write(pusher->spool, dj_text_str(&batch->rows), &label,
                                 &err) == 0) {
            pusher->counts.spooled += batch->count;
        } else if (pusher->error.code == 0) {
            pusher->error = err;
        }
    }
    clear(batch);
}

static void send_batch(struct dj_pusher *pusher, size_t index)
{
    struct lane *lane = &pusher->lanes[index];
    struct dj_error err = {0};
    lane->tries++;
    int code = dj_fleet_cluster_start(pusher->cluster, index, dj_xtext(&pusher->sql),
                                      dj_text_str(&lane->sending.rows), &err);
    if (code != 0) {
        pusher->error = pusher->error.code == 0 ? err : pusher->error;
    }
}

static bool is_worth_retry(const struct dj_shard *shard)
{
    return shard->error.code == DJ_E_GONE || shard->status >= 500;
}

/* Waits until the batch that is being sent has arrived, or has failed and is spooled. */
static void settle(struct dj_pusher *pusher, size_t index)
{
    struct lane *lane = &pusher->lanes[index];
    const struct dj_shard *shard = &pusher->cluster->shards[index];
    while (lane->sending.count > 0) {
        dj_fleet_cluster_wait(pusher->cluster, index);
        if (shard->error.code == 0) {
            pusher->counts.sent += lane->sending.count;
            clear(&lane->sending);
        } else if (lane->tries < TRIES_MOST && is_worth_retry(shard)) {
            dj_host_sleep_ns((int64_t)FIRST_PAUSE_MS * DJ_MILLISECOND_NS
                             << (lane->tries - 1));
            send_batch(pusher, index);
        } else {
            lane->is_down = true;
            if (pusher->failure == NULL) {
                pusher->failure = dj_xstrdup(shard->error.message);
            }
            spool_batch(pusher, index, &lane->sending);
        }
    }
}

/* Sends the rows that have been added, while further rows are added. */
static void dispatch(struct dj_pusher *pusher, size_t index)
{
    struct lane *lane = &pusher->lanes[index];
    settle(pusher, index);
    struct batch full = lane->filling;
    lane->filling = lane->sending;
    lane->sending = full;
    lane->tries = 0;
    if (lane->is_down) {
        spool_batch(pusher, index, &lane->sending);
    } else if (lane->sending.count > 0) {
        send_batch(pusher, index);
    }
}

static void refuse(struct dj_pusher *pusher, const struct dj_error *err)
{
    pusher->counts.refused++;
    if (pusher->counts.refused <= MESSAGES_MOST) {
        dj_message(pusher->messages, "%s: session %lld: %s",
                   pusher->source != NULL ? pusher->source : "input",
                   (long long)pusher->number, err->message);
    }
}

/* Sends batches that are old. A shard that still receives a batch does not get the next
 * one: many small batches would make a slow shard slower. */
static void send_old_batches(struct dj_pusher *pusher)
{
    dj_fleet_cluster_advance(pusher->cluster);
    for (size_t i = 0; i < pusher->cluster->count; i++) {
        const struct batch *batch = &pusher->lanes[i].filling;
        if (batch->count > 0 && !pusher->cluster->shards[i].is_busy &&
            pusher->now_ns - batch->since_ns >= DJ_PUSH_BATCH_MS * DJ_MILLISECOND_NS) {
            dispatch(pusher, i);
        }
    }
}

int dj_fleet_pusher_add(void *user, const struct dj_session *session)
{
    struct dj_pusher *pusher = user;
    struct dj_error err = {0};
    if (pusher->number++ % TIME_EVERY == 0) {
        pusher->now_ns = dj_host_now_ns();
        pusher->now_unix_s = time(NULL);
        if (pusher->cluster != NULL) {
            send_old_batches(pusher);
        }
    }
    if (dj_session_check(session, pusher->now_unix_s, &err) != 0) {
        refuse(pusher, &err);
        return 0;
    }
    if (pusher->cluster == NULL) {
        pusher->counts.sent++;
        return 0;
    }
    size_t index =
        dj_fleet_cluster_hash(session->id, sizeof(session->id)) % pusher->cluster->count;
    struct batch *batch = &pusher->lanes[index].filling;
    if (batch->count == 0) {
        batch->since_ns = pusher->now_ns;
    }
    dj_session_write_row(&batch->rows, session);
    dj_xcheck(!batch->rows.failed);
    batch->count++;
    if (batch->count >= DJ_PUSH_ROWS_MOST || batch->rows.length >= pusher->batch_bytes) {
        dispatch(pusher, index);
    }
    return pusher->error.code;
}

void dj_fleet_pusher_set_source(struct dj_pusher *pusher, const char *source)
{
    free(pusher->source);
    pusher->source = dj_xstrdup(source);
    pusher->number = 0;
}

struct dj_push_counts dj_fleet_pusher_counts(const struct dj_pusher *pusher)
{
    return pusher->counts;
}

bool dj_fleet_pusher_is_down(const struct dj_pusher *pusher,
                             const struct dj_spool_label *label)
{
    return label->shard_count == pusher->cluster->count &&
           pusher->lanes[label->shard].is_down;
}

void dj_fleet_pusher_keep(struct dj_pusher *pusher, int64_t sessions)
{
    pusher->counts.spooled += sessions;
}

int dj_fleet_pusher_flush(struct dj_pusher *pusher, struct dj_error *err)
{
    for (size_t i = 0; i < count_lanes(pusher); i++) {
        dispatch(pusher, i);
    }
    for (size_t i = 0; i < count_lanes(pusher); i++) {
        settle(pusher, i);
    }
    return pusher->error.code == 0
               ? 0
               : dj_error_set(err, pusher->error.code, "%s", pusher->error.message);
}

const char *dj_fleet_pusher_failure(const struct dj_pusher *pusher)
{
    return pusher->failure;
}

void dj_fleet_pusher_destroy(struct dj_pusher *pusher)
{
    if (pusher == NULL) {
        return;
    }
    for (size_t i = 0; i < count_lanes(pusher); i++) {
        dj_text_finish(&pusher->lanes[i].filling.rows);
        dj_text_finish(&pusher->lanes[i].sending.rows);
    }
    free(pusher->lanes);
    free(pusher->source);
    free(pusher->failure);
    dj_text_finish(&pusher->sql);
    free(pusher);
}
