#include <string.h>

#include "fleet/cluster.h"
#include "fleet/cluster/curl.h"
#include "memory/memory.h"
#include "process/deadline.h"

enum { CONNECT_TIMEOUT_MS = 3000, POLL_MS = 100, MESSAGE_MOST = 240 };

DJ_LIBRARY_DEFINE(dj_curl, DJ_CURL_FUNCTIONS, "libcurl.so.4", "libcurl4", "fleets");

int dj_fleet_cluster_load_curl(struct dj_error *err)
{
    static bool initialized;
    int code = dj_device_library_load(&dj_curl_library, err);
    if (code == 0 && !initialized) {
        initialized = dj_curl->curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    }
    return code == 0 && !initialized
               ? dj_error_set(err, DJ_E_UNSUPPORTED, "libcurl cannot start")
               : code;
}

/* Receives bytes of an answer. A return value below the length ends the transfer. */
static size_t receive_bytes(char *bytes, size_t size, size_t count, void *user)
{
    struct dj_shard *shard = user;
    dj_text_append(&shard->answer, bytes, size * count);
    return shard->answer.failed ? 0 : size * count;
}

/* libcurl would wait for an answer before it sends a large body. */
static struct curl_slist no_expect = {.data = "Expect:"};

static void set_options(const struct dj_cluster *cluster, struct dj_shard *shard)
{
    CURL *easy = shard->easy;
    dj_curl->curl_easy_setopt(easy, CURLOPT_URL, dj_xtext(&shard->address));
    dj_curl->curl_easy_setopt(easy, CURLOPT_HTTPHEADER, &no_expect);
    dj_curl->curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive_bytes);
    dj_curl->curl_easy_setopt(easy, CURLOPT_WRITEDATA, shard);
    dj_curl->curl_easy_setopt(easy, CURLOPT_PRIVATE, shard);
    dj_curl->curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, shard->curl_message);
    dj_curl->curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    dj_curl->curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    dj_curl->curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_TIMEOUT_MS);
    dj_curl->curl_easy_setopt(easy, CURLOPT_TIMEOUT, cluster->timeout_s);
    if (shard->user != NULL) {
        dj_curl->curl_easy_setopt(easy, CURLOPT_USERNAME, shard->user);
        dj_curl->curl_easy_setopt(easy, CURLOPT_PASSWORD,
                                  cluster->password != NULL ? cluster->password : "");
    }
}

/* Sets what the request sends: rows, with the statement in the address, or only the
 * statement, which libcurl copies because it may be gone before the transfer ends. */
static void set_body(struct dj_shard *shard, const char *sql, struct dj_str rows)
{
    size_t length = rows.length > 0 ? rows.length : strlen(sql);
    dj_curl->curl_easy_setopt(shard->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                              (curl_off_t)length);
    if (rows.length > 0) {
        dj_text_add(&shard->address, "&query=");
        dj_text_append_percent(&shard->address, sql, "");
        dj_curl->curl_easy_setopt(shard->easy, CURLOPT_POSTFIELDS, rows.at);
    } else {
        dj_curl->curl_easy_setopt(shard->easy, CURLOPT_COPYPOSTFIELDS, sql);
    }
}

int dj_fleet_cluster_start(struct dj_cluster *cluster, size_t index, const char *sql,
                           struct dj_str body, struct dj_error *err)
{
    struct dj_shard *shard = &cluster->shards[index];
    int code = dj_fleet_cluster_load_curl(err);
    if (code != 0) {
        return code;
    }
    if (cluster->multi == NULL) {
        cluster->multi = dj_curl->curl_multi_init();
    }
    if (shard->easy == NULL) {
        shard->easy = dj_curl->curl_easy_init();
    }
    dj_xcheck(cluster->multi != NULL && shard->easy != NULL);
    dj_text_clear(&shard->answer);
    shard->answer.maximum = DJ_CLUSTER_ANSWER_MOST;
    shard->error = (struct dj_error){0};
    shard->status = 0;
    shard->curl_message[0] = '\0';
    dj_text_clear(&shard->address);
    /* With wait_end_of_query, an error in the middle of an answer is an error of HTTP. */
    dj_text_format(&shard->address, "%s/?wait_end_of_query=1", shard->url);
    set_body(shard, sql, body);
    set_options(cluster, shard);
    shard->is_busy = true;
    dj_xcheck(dj_curl->curl_multi_add_handle(cluster->multi, shard->easy) == CURLM_OK);
    dj_fleet_cluster_advance(cluster);
    return 0;
}

/* Sets the error of a transfer from the result of libcurl and the status of HTTP. */
static void end_transfer(struct dj_shard *shard, CURLcode result)
{
    shard->is_busy = false;
    dj_curl->curl_easy_getinfo(shard->easy, CURLINFO_RESPONSE_CODE, &shard->status);
    if (shard->answer.failed) {
        dj_error_set(&shard->error, DJ_E_LIMIT, "shard %s: the answer is too long",
                     shard->label);
    } else if (result != CURLE_OK) {
        dj_error_set(
            &shard->error, DJ_E_GONE, "shard %s did not answer: %s", shard->label,
            shard->curl_message[0] != '\0' ? shard->curl_message
                                           : dj_curl->curl_easy_strerror(result));
    } else if (shard->status != 200) {
        char message[MESSAGE_MOST];
        dj_text_copy_escaped(dj_str_until(dj_text_str(&shard->answer), "\n"), message,
                             sizeof(message));
        dj_error_set(&shard->error, DJ_E_PROTOCOL, "shard %s: HTTP %ld: %s", shard->label,
                     shard->status, message);
    }
}

void dj_fleet_cluster_advance(struct dj_cluster *cluster)
{
    int running = 0, left = 0;
    dj_curl->curl_multi_perform(cluster->multi, &running);
    for (CURLMsg *message;
         (message = dj_curl->curl_multi_info_read(cluster->multi, &left)) != NULL;) {
        char *shard = NULL;
        CURLcode result = message->data.result;
        CURL *easy = message->easy_handle;
        dj_curl->curl_easy_getinfo(easy, CURLINFO_PRIVATE, &shard);
        dj_curl->curl_multi_remove_handle(cluster->multi, easy);
        end_transfer((struct dj_shard *)(void *)shard, result);
    }
}

static size_t count_busy(const struct dj_cluster *cluster)
{
    size_t busy = 0;
    for (size_t i = 0; i < cluster->count; i++) {
        busy += cluster->shards[i].is_busy;
    }
    return busy;
}

/* Ends all transfers if the caller must not wait any longer. */
static void cancel_if_interrupted(struct dj_cluster *cluster)
{
    if (dj_interrupt_latest_ns(NULL) > dj_host_now_ns()) {
        return;
    }
    for (size_t i = 0; i < cluster->count; i++) {
        struct dj_shard *shard = &cluster->shards[i];
        if (shard->is_busy) {
            dj_curl->curl_multi_remove_handle(cluster->multi, shard->easy);
            shard->is_busy = false;
            dj_error_set(&shard->error, DJ_E_INTERRUPTED,
                         "shard %s: the request was cancelled", shard->label);
        }
    }
}

void dj_fleet_cluster_wait(struct dj_cluster *cluster, size_t shard)
{
    size_t busy = count_busy(cluster);
    while (count_busy(cluster) > 0 &&
           (shard < cluster->count ? cluster->shards[shard].is_busy
                                   : count_busy(cluster) == busy)) {
        dj_curl->curl_multi_poll(cluster->multi, NULL, 0, POLL_MS, NULL);
        dj_fleet_cluster_advance(cluster);
        cancel_if_interrupted(cluster);
    }
}

int dj_fleet_cluster_query(struct dj_cluster *cluster, size_t index, const char *sql,
                           struct dj_error *err)
{
    struct dj_shard *shard = &cluster->shards[index];
    int code = dj_fleet_cluster_start(cluster, index, sql, (struct dj_str){0}, err);
    if (code == 0) {
        dj_fleet_cluster_wait(cluster, index);
        code = shard->error.code == 0
                   ? 0
                   : dj_error_set(err, shard->error.code, "%s", shard->error.message);
    }
    return code;
}

int dj_fleet_cluster_query_all(struct dj_cluster *cluster, const char *sql,
                               struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < cluster->count && code == 0; i++) {
        code = dj_fleet_cluster_start(cluster, i, sql, (struct dj_str){0}, err);
    }
    for (size_t i = 0; i < cluster->count; i++) {
        if (cluster->shards[i].is_busy) {
            dj_fleet_cluster_wait(cluster, i);
        }
    }
    return code;
}

int dj_fleet_cluster_require_all(const struct dj_cluster *cluster, struct dj_error *err)
{
    for (size_t i = 0; i < cluster->count; i++) {
        const struct dj_error *error = &cluster->shards[i].error;
        if (error->code != 0) {
            return dj_error_set(err, error->code, "%s", error->message);
        }
    }
    return 0;
}

int dj_fleet_cluster_run(struct dj_cluster *cluster, struct dj_text *sql,
                         struct dj_error *err)
{
    int code = dj_fleet_cluster_query_all(cluster, dj_xtext(sql), err);
    dj_text_finish(sql);
    return code == 0 ? dj_fleet_cluster_require_all(cluster, err) : code;
}

int64_t dj_fleet_cluster_read_int(struct dj_str *rest)
{
    int64_t value = 0;
    struct dj_str after = {0};
    dj_str_int(*rest, &value);
    *rest = dj_str_after(*rest, "\t", &after) ? after : (struct dj_str){0};
    return value;
}

void dj_fleet_cluster_close(struct dj_cluster *cluster)
{
    for (size_t i = 0; i < cluster->count; i++) {
        struct dj_shard *shard = &cluster->shards[i];
        if (shard->easy != NULL) {
            dj_curl->curl_multi_remove_handle(cluster->multi, shard->easy);
            dj_curl->curl_easy_cleanup(shard->easy);
        }
        dj_text_finish(&shard->answer);
        dj_text_finish(&shard->address);
        free(shard->url);
        free(shard->user);
        free(shard->label);
    }
    if (cluster->multi != NULL) {
        dj_curl->curl_multi_cleanup(cluster->multi);
    }
    free(cluster->shards);
    free(cluster->name);
    free(cluster->password);
    *cluster = (struct dj_cluster){0};
}
