#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "fleet/commands/commands.h"
#include "fleet/convert.h"
#include "fleet/push.h"
#include "fleet/spool.h"
#include "memory/memory.h"
#include "process/deadline.h"
#include "store/open_existing.h"

enum { DAY_MS = 24 * 3600 * 1000 };

/* A push while it runs. */
struct push {
    struct dj_fleet_job *job;
    struct dj_pusher *pusher;
    struct dj_session_origin origin;
    struct dj_store *store;
    struct dj_text spool; /* Path of the spool folder. */
    int64_t refused;      /* Lines and files that are no sessions. */
    int64_t since_ms;     /* Value of --since in ms since 1970, or −1. */
    int64_t shown_ns;
    /* What a dry run has read from each source. */
    struct dj_push_source *sources;
    size_t source_count;
};

static int64_t count_refused(const struct push *push)
{
    return push->refused + dj_fleet_pusher_counts(push->pusher).refused;
}

/* Sets the counts of a source: the counts after the source minus the counts before it. */
static void end_source(struct push *push)
{
    if (push->source_count > 0) {
        struct dj_push_source *last = &push->sources[push->source_count - 1];
        last->sessions += dj_fleet_pusher_counts(push->pusher).sent;
        last->refused += count_refused(push);
    }
}

static void begin_source(struct push *push, const char *name)
{
    end_source(push);
    dj_fleet_pusher_set_source(push->pusher, name);
    struct dj_push_source source = {.name = dj_xstrdup(name),
                                    .sessions =
                                        -dj_fleet_pusher_counts(push->pusher).sent,
                                    .refused = -count_refused(push)};
    DJ_XPUSH(push->sources, push->source_count, source);
}

static void show_progress(struct push *push)
{
    const struct dj_fleet_request *request = push->job->request;
    int64_t now_ns = dj_host_now_ns();
    if (request->show_progress == NULL || now_ns - push->shown_ns < DJ_SECOND_NS / 5) {
        return;
    }
    struct dj_push_counts counts = dj_fleet_pusher_counts(push->pusher);
    struct dj_text words = {0};
    push->shown_ns = now_ns;
    dj_text_format(&words, "%s: %" PRId64 " %s",
                   request->dry_run ? "reading sessions" : "pushing sessions",
                   counts.sent, request->dry_run ? "read" : "sent");
    if (counts.spooled > 0) {
        dj_text_format(&words, ", %" PRId64 " spooled", counts.spooled);
    }
    request->show_progress(request->progress_user, dj_xtext(&words));
    dj_text_finish(&words);
}

static int add_session(void *user, const struct dj_session *session)
{
    struct push *push = user;
    struct dj_push_counts counts = dj_fleet_pusher_counts(push->pusher);
    if ((counts.sent + counts.spooled) % 1024 == 0) {
        show_progress(push);
    }
    return dj_fleet_pusher_add(push->pusher, session);
}

static void set_origin(struct push *push)
{
    const struct dj_fleet_request *request = push->job->request;
    push->origin = (struct dj_session_origin){
        .device_id = request->device_id,
        .text = {[DJ_SESSION_APP] = request->app,
                 [DJ_SESSION_VERSION] = request->app_version,
                 [DJ_SESSION_DEVICE] = request->model,
                 [DJ_SESSION_CLASS] = request->class,
                 [DJ_SESSION_RELEASE] = request->release},
        .refresh_hz = request->refresh_hz > 0 ? (int64_t)(request->refresh_hz + 0.5) : -1,
        .ram_mb = request->ram_mb > 0 ? request->ram_mb : -1};
}

static int read_file(struct push *push, const char *path, struct dj_error *err)
{
    begin_source(push, path);
    return dj_fleet_read_file(path, &push->origin, push->job->request->messages,
                              add_session, push, &push->refused, err);
}

static int open_store(struct push *push)
{
    if (push->store != NULL) {
        return 0;
    }
    int code =
        dj_store_open_existing(push->job->request->store, &push->store, push->job->err);
    return code == 0 && push->store == NULL
               ? dj_error_set(push->job->err, DJ_E_NO_DATA, "there is no store yet")
               : code;
}

static int push_batch(struct push *push, int64_t key)
{
    return dj_fleet_convert_batch(push->store, key, add_session, push, push->job->err);
}

/* An operand is a file if there is one with this name, or else a batch. */
static int push_operand(struct push *push, const char *operand)
{
    struct stat status;
    int64_t key = 0;
    if (strcmp(operand, "-") == 0 || stat(operand, &status) == 0 ||
        strchr(operand, '/') != NULL) {
        return read_file(push, operand, push->job->err);
    }
    int code = open_store(push);
    if (code == 0) {
        code = dj_store_find_batch(push->store, operand, &key, push->job->err);
    }
    if (code != 0) {
        dj_error_prepend(push->job->err, "there is no file '%s', and no such batch",
                         operand);
        return code;
    }
    begin_source(push, operand);
    return push_batch(push, key);
}

struct batch_keys {
    int64_t since_ms;
    int64_t *keys;
    size_t count;
};

static int keep_key(void *user, const struct dj_batch_row *batch)
{
    struct batch_keys *kept = user;
    if (batch->began_unix_ms >= kept->since_ms && batch->excluded == NULL) {
        DJ_XPUSH(kept->keys, kept->count, batch->key);
    }
    return 0;
}

static int push_since(struct push *push)
{
    struct batch_keys kept = {.since_ms = push->since_ms};
    struct dj_batch_filter all = {0};
    int code = open_store(push);
    if (code == 0) {
        code = dj_store_read_batches(push->store, &all, keep_key, &kept, push->job->err);
    }
    begin_source(push, "store");
    for (size_t i = 0; i < kept.count && code == 0; i++) {
        code = push_batch(push, kept.keys[i]);
    }
    free(kept.keys);
    return code;
}

static int push_sources(struct push *push)
{
    const struct dj_fleet_request *request = push->job->request;
    int code = push->since_ms >= 0 ? push_since(push) : 0;
    for (int i = 0; i < request->operand_count && code == 0; i++) {
        code = push_operand(push, request->operands[i]);
    }
    end_source(push);
    return code;
}

static int push_all(struct push *push)
{
    int code = dj_fleet_forward_spool(push->pusher, dj_xtext(&push->spool),
                                      push->job->request->messages, push->job->err);
    code = code == 0 ? push_sources(push) : code;
    /* Sessions that were read before an error are sent, too. */
    struct dj_error err = {0};
    int flushed = dj_fleet_pusher_flush(push->pusher, &err);
    if (flushed != 0) {
        return dj_error_set(push->job->err, flushed, "%s", err.message);
    }
    return code;
}

static void write_answer(struct push *push)
{
    struct dj_push_counts counts = dj_fleet_pusher_counts(push->pusher);
    struct dj_fleet_answer *answer = push->job->answer;
    const char *failure = dj_fleet_pusher_failure(push->pusher);
    struct dj_text words = {0};
    int64_t refused = counts.refused + push->refused;
    answer->has_problems = refused > 0;
    dj_json_open_document(&answer->json, "dejank.fleet-push/1");
    dj_json_add_int(&answer->json, "sent", counts.sent);
    dj_json_add_int(&answer->json, "spooled", counts.spooled);
    dj_json_add_int(&answer->json, "refused", refused);
    dj_json_add_string(&answer->json, "spool", dj_xtext(&push->spool));
    dj_json_add_string(&answer->json, "failure", failure);
    dj_json_close(&answer->json, "}\n");
    dj_fleet_append_count(&words, counts.sent);
    dj_text_add(&words, counts.sent == 1 ? " session was sent" : " sessions were sent");
    if (refused > 0) {
        dj_text_add(&words, ", ");
        dj_fleet_append_count(&words, refused);
        dj_text_add(&words, " refused");
    }
    if (counts.spooled > 0) {
        dj_text_add(&words, ", ");
        dj_fleet_append_count(&words, counts.spooled);
        dj_text_format(&words, " wait in %s", dj_xtext(&push->spool));
    }
    bool is_good = refused == 0 && counts.spooled == 0;
    dj_document_set_title(&answer->document, "Fleet — dejank");
    dj_document_add_verdict(&answer->document, is_good ? DJ_TONE_GOOD : DJ_TONE_WARNING,
                            &words);
    if (counts.spooled > 0) {
        dj_document_add_command(&answer->document, "dejank fleet push",
                                "sends the waiting sessions when the shards answer");
    }
}

/* Reads and checks what a push would send, without changing the waiting files. */
static int run_dry(struct push *push, const struct dj_fleet_spool *waiting)
{
    const struct dj_fleet_request *request = push->job->request;
    push->pusher = dj_fleet_pusher_create_check(request->messages);
    for (size_t i = 0; i < waiting->count; i++) {
        struct dj_error err = {0};
        if (read_file(push, waiting->paths[i], &err) != 0) {
            dj_message(request->messages, "%s", err.message);
        }
    }
    int code = push_sources(push);
    dj_fleet_write_dry_run(push->job->answer, push->sources, push->source_count);
    return code;
}

static int run_push(struct push *push)
{
    struct dj_error *err = push->job->err;
    int code = dj_fleet_pusher_create(&push->job->cluster, dj_xtext(&push->spool),
                                      push->job->request->messages, &push->pusher, err);
    if (code != 0) {
        return code;
    }
    code = push_all(push);
    write_answer(push);
    const char *failure = dj_fleet_pusher_failure(push->pusher);
    if (code == 0 && dj_fleet_pusher_counts(push->pusher).spooled > 0) {
        code = dj_error_set(err, DJ_E_GONE, "%s", failure != NULL ? failure : "");
    }
    return code;
}

int dj_fleet_run_push(struct dj_fleet_job *job)
{
    struct push push = {.job = job};
    struct dj_fleet_spool waiting = {0}; /* The files of earlier pushes. */
    int64_t since = -1;
    int code = dj_fleet_read_day("--since", job->request->since, &since, job->err);
    push.since_ms = since >= 0 ? since * DAY_MS : -1;
    if (code == 0) {
        code = dj_fleet_spool_path(job->request->spool, &push.spool, job->err);
    }
    if (code == 0) {
        code = dj_fleet_spool_list(dj_xtext(&push.spool), &waiting, job->err);
    }
    if (code == 0 && job->request->operand_count == 0 && since < 0 &&
        waiting.count == 0) {
        code =
            dj_error_set(job->err, DJ_E_USAGE,
                         "push: expected FILE, BATCH or --since DATE: no session waits "
                         "in %s",
                         dj_xtext(&push.spool));
    }
    if (code == 0) {
        set_origin(&push);
        code = job->request->dry_run ? run_dry(&push, &waiting) : run_push(&push);
    }
    for (size_t i = 0; i < push.source_count; i++) {
        free(push.sources[i].name);
    }
    free(push.sources);
    dj_fleet_pusher_destroy(push.pusher);
    dj_fleet_spool_finish(&waiting);
    dj_text_finish(&push.spool);
    dj_store_close(push.store);
    return code;
}
