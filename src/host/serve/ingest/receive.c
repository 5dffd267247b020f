#include "serve/ingest/receive.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "fleet/ingest.h"
#include "fleet/spool.h"
#include "memory/memory.h"
#include "serve/error_page.h"
#include "serve/http/microhttpd.h"
#include "serve/ingest/request_limit.h"
#include "serve/router.h"

enum {
    FULL_RETRY_S = 60,
    /* Phones of a whole town may share the address of their provider. */
    PER_MINUTE = 600
};

/* Checks the addresses of the fleet's shards without contacting a shard. */
static int check_place(const struct dj_server *server, struct dj_error *err)
{
    struct dj_cluster cluster = {0};
    int code = dj_fleet_cluster_open(&cluster, &server->options.fleet, err);
    dj_fleet_cluster_close(&cluster);
    return code == 0 ? dj_fleet_cluster_load_curl(err) : code;
}

static int find_spool(struct dj_server *server, struct dj_error *err)
{
    int code = dj_fleet_spool_path(server->options.spool, &server->spool, err);
    if (code == 0 && access(dj_xtext(&server->spool), R_OK | W_OK | X_OK) != 0) {
        code = dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %m",
                            dj_xtext(&server->spool));
    }
    return code;
}

int dj_serve_check_fleet(struct dj_server *server, struct dj_error *err)
{
    const struct dj_serve_options *options = &server->options;
    if (!options->has_fleet) {
        return options->ingest_token_file == NULL && options->fleet.shard_count == 0
                   ? 0
                   : dj_error_set(err, DJ_E_USAGE,
                                  "--ingest-token-file and --shard need --fleet");
    }
    int code = check_place(server, err);
    return code == 0 && options->ingest_token_file != NULL ? find_spool(server, err)
                                                           : code;
}

static void log_message(void *user, const char *message)
{
    dj_serve_log(user, "%s", message);
}

void dj_serve_start_ingest(struct dj_server *server)
{
    server->messages = (struct dj_messages){log_message, server};
    if (server->spool.length > 0) {
        server->forwarder = dj_fleet_forwarder_start(
            &server->options.fleet, dj_xtext(&server->spool), &server->messages);
        int64_t per_minute = server->options.ingest_per_minute;
        server->ingest_limit =
            dj_request_limit_create(per_minute > 0 ? per_minute : PER_MINUTE);
    }
}

static void refuse(struct dj_call *call, unsigned status, const char *message)
{
    dj_serve_write_error(call->reply, true, status, message);
}

/* Writes the accepted sessions to the spool. If that fails, fills the reply and returns
 * false. */
static bool store_sessions(struct dj_call *call, const struct dj_ingest_result *result)
{
    struct dj_error err = {0};
    struct dj_spool_label label = {.sessions = result->accepted};
    struct dj_server *server = call->server;
    if (result->accepted == 0) {
        return true;
    }
    if (dj_fleet_spool_write(dj_xtext(&server->spool), dj_text_str(&result->rows), &label,
                             &err) != 0) {
        dj_serve_log(server, "sessions were not accepted: %s", err.message);
        refuse(call, MHD_HTTP_INSUFFICIENT_STORAGE,
               "the server cannot store the sessions now: send them again later");
        call->reply->retry_after_s = FULL_RETRY_S;
        return false;
    }
    dj_fleet_forwarder_wake(server->forwarder);
    return true;
}

static void answer(struct dj_call *call, const struct dj_ingest_result *result)
{
    if (result->accepted + result->refused == 0) {
        refuse(call, MHD_HTTP_BAD_REQUEST,
               "expected one session per line (docs/format/session.md), found none");
    } else if (store_sessions(call, result)) {
        call->reply->status = result->refused == 0   ? MHD_HTTP_OK
                              : result->accepted > 0 ? MHD_HTTP_MULTI_STATUS
                                                     : MHD_HTTP_BAD_REQUEST;
        call->reply->type = DJ_TYPE_JSON;
        dj_fleet_write_ingest_json(&call->reply->body, result);
    }
}

int dj_serve_receive_sessions(struct dj_call *call, struct dj_error *err)
{
    const char *encoding = call->encoding != NULL ? call->encoding : "identity";
    bool is_gzip = strcasecmp(encoding, "gzip") == 0;
    if (!is_gzip && strcasecmp(encoding, "identity") != 0) {
        refuse(call, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE,
               "Content-Encoding: expected gzip or none");
        return 0;
    }
    struct dj_ingest_result result = {0};
    int code = dj_fleet_read_ingest(dj_text_str(call->body), is_gzip, (int64_t)time(NULL),
                                    &result, err);
    if (code == DJ_E_LIMIT) {
        refuse(call, MHD_HTTP_CONTENT_TOO_LARGE, err->message);
        code = 0;
    } else if (code == 0) {
        answer(call, &result);
    }
    dj_fleet_ingest_result_finish(&result);
    return code;
}
