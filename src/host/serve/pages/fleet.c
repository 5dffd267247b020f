/* Pages of a fleet: a list of its apps or of another grouping of sessions, and one
 * app. */
#include <inttypes.h>
#include <string.h>

#include "fleet/fleet.h"
#include "fleet/spool.h"
#include "memory/memory.h"
#include "report/served_page.h"
#include "serve/http/microhttpd.h"
#include "serve/pages/page.h"

enum { TIMEOUT_S = 30, ROWS_MOST = 1000 };

/* Reads the metrics that decide a comparison, in the form of the option --metric. */
static void read_metrics(const struct dj_request *from, struct dj_fleet_request *request)
{
    for (size_t i = 0; i < from->parameter_count; i++) {
        const struct dj_web_parameter *parameter = &from->parameters[i];
        if (strcmp(parameter->name, "metric") == 0 && parameter->value[0] != '\0') {
            request->metrics = &parameter->value;
            request->metric_count = 1;
        }
    }
}

/* Reads the request parameters. They have the names and meanings of the options of
 * `dejank fleet query` and `dejank fleet compare`. */
static int read_request(const struct dj_call *call, struct dj_fleet_request *request,
                        struct dj_error *err)
{
    const struct dj_serve_options *options = &call->server->options;
    if (!options->has_fleet) {
        return dj_error_set(err, DJ_E_NOT_FOUND,
                            "This server shows no fleet. Start it with --fleet.");
    }
    *request = (struct dj_fleet_request){
        .place = options->fleet,
        .by = dj_serve_get_parameter(call->request, "by"),
        .app = dj_serve_get_parameter(call->request, "app"),
        .version = dj_serve_get_parameter(call->request, "version"),
        .from = dj_serve_get_parameter(call->request, "from"),
        .to = dj_serve_get_parameter(call->request, "to"),
        .margin = dj_serve_get_parameter(call->request, "margin"),
        .alpha = dj_serve_get_parameter(call->request, "alpha"),
        .since = dj_serve_get_parameter(call->request, "since"),
        .before = dj_serve_get_parameter(call->request, "before"),
        .slow_session = dj_serve_get_parameter(call->request, "slow-session"),
        .frozen_session = dj_serve_get_parameter(call->request, "frozen-session"),
        .messages = &call->server->messages};
    request->place.timeout_s = TIMEOUT_S;
    read_metrics(call->request, request);
    int64_t partial = 0;
    int code = dj_serve_get_number(call->request, "partial", 0, 0, 1, &partial, err);
    request->partial = partial == 1;
    return code == 0 ? dj_serve_get_number(call->request, "top", ROWS_MOST, 1, ROWS_MOST,
                                           &request->top, err)
                     : code;
}

static bool is_of_shards(int code)
{
    return code == DJ_E_GONE || code == DJ_E_PROTOCOL || code == DJ_E_NO_DATA ||
           code == DJ_E_VERSION;
}

/* Shows which shards failed and what the user can do. Without this, the answer would lack
 * a part of the sessions. */
static int reply_failure(struct dj_call *call, const struct dj_fleet_request *request,
                         int code, struct dj_error *err)
{
    struct dj_document document = {0};
    struct dj_text words = {0};
    if (!is_of_shards(code)) {
        return code;
    }
    dj_document_set_title(&document, "Fleet");
    dj_text_add(&words, code == DJ_E_GONE ? "A shard of the fleet does not answer"
                                          : "A shard of the fleet cannot answer");
    dj_document_add_verdict(&document, DJ_TONE_BAD, &words);
    dj_text_add(&words, err->message);
    dj_document_add_paragraph(&document, &words);
    dj_text_add(&words, "An answer without a shard would lack a part of the sessions. "
                        "Start the shard, and load this page again.");
    dj_document_add_paragraph(&document, &words);
    dj_document_add_command(&document, "dejank fleet check",
                            "shows the state of the shards");
    if (code == DJ_E_GONE && !request->partial) {
        dj_serve_append_address(&words, call->request, "partial");
        dj_text_add(&words, "partial=1");
        dj_document_add_link(&document, dj_xtext(&words),
                             "Show the sessions of the other shards");
        dj_text_finish(&words);
    }
    call->reply->status = MHD_HTTP_SERVICE_UNAVAILABLE;
    return dj_serve_reply_page(call, &document, false);
}

/* Links the names of apps to their pages. */
static void link_apps(struct dj_document *document)
{
    for (size_t i = 0; i < document->block_count; i++) {
        struct dj_table *table = &document->blocks[i].table;
        if (document->blocks[i].kind != DJ_BLOCK_TABLE ||
            strcmp(table->columns[0].label, "app") != 0) {
            continue;
        }
        for (size_t at = 0; at < table->cell_count; at += table->column_count) {
            dj_serve_append_path(&table->cells[at].target, "fleet",
                                 dj_xtext(&table->cells[at].text));
        }
    }
}

static void add_form(struct dj_document *document, const struct dj_fleet_request *request)
{
    static const char keys[] = "app\nversion\ndevice\nclass\nrelease\nrefresh\nday\n"
                               "app,version\nversion,class\nversion,day\n";
    struct dj_web_field fields[] = {
        {.name = "by",
         .label = "group by",
         .value = request->by,
         .choices = keys,
         .kind = DJ_FIELD_ANY},
        {.name = "app", .label = "app", .value = request->app},
        {.name = "version", .label = "version", .value = request->version},
        {.name = "since", .label = "since (day)", .value = request->since},
        {.name = "before", .label = "before (day)", .value = request->before}};
    dj_document_add_form(document,
                         &(struct dj_web_form){.action = "/fleet",
                                               .submit = "Show",
                                               .fields = fields,
                                               .field_count = COUNT_OF(fields)});
}

/* Adds a note about the number of received sessions that are not in the answer yet. */
static void add_waiting(struct dj_document *document, const struct dj_server *server)
{
    struct dj_fleet_spool files = {0};
    struct dj_text words = {0};
    int64_t sessions = 0;
    if (server->forwarder != NULL &&
        dj_fleet_spool_list(dj_xtext(&server->spool), &files, NULL) == 0) {
        for (size_t i = 0; i < files.count; i++) {
            sessions += dj_fleet_spool_parse_label(files.paths[i]).sessions;
        }
    }
    if (sessions > 0) {
        dj_text_format(&words, "%" PRId64 " accepted sessions wait for a shard.",
                       sessions);
        dj_document_add_note(document, DJ_TONE_MUTED, &words);
    }
    dj_fleet_spool_finish(&files);
}

int dj_serve_show_fleet(struct dj_call *call, struct dj_error *err)
{
    struct dj_fleet_request request;
    struct dj_fleet_answer answer = {0};
    int code = read_request(call, &request, err);
    if (code != 0) {
        return code;
    }
    request.by = request.by != NULL ? request.by : "app";
    code = dj_fleet_run("query", &request, &answer, err);
    if (code == 0) {
        link_apps(&answer.document);
        add_waiting(&answer.document, call->server);
        add_form(&answer.document, &request);
        code = dj_serve_reply_page(call, &answer.document, false);
    } else {
        code = reply_failure(call, &request, code, err);
    }
    dj_fleet_answer_finish(&answer);
    return code;
}

static int send_json(struct dj_call *call, const char *command, struct dj_error *err)
{
    struct dj_fleet_request request;
    struct dj_fleet_answer answer = {0};
    int code = read_request(call, &request, err);
    code = code == 0 ? dj_fleet_run(command, &request, &answer, err) : code;
    if (code == 0) {
        call->reply->type = DJ_TYPE_JSON;
        dj_text_append(&call->reply->body, answer.json.data, answer.json.length);
    }
    dj_fleet_answer_finish(&answer);
    return code;
}

int dj_serve_send_fleet(struct dj_call *call, struct dj_error *err)
{
    return send_json(call, "query", err);
}

int dj_serve_send_fleet_comparison(struct dj_call *call, struct dj_error *err)
{
    return send_json(call, "compare", err);
}

static void add_links(struct dj_document *document, const char *app)
{
    static const struct {
        const char *keys, *title;
    } links[] = {{"class,version", "Versions on each class of devices"},
                 {"release,version", "Versions on each Android release"},
                 {"refresh,version", "Versions at each refresh rate"}};
    for (size_t i = 0; i < COUNT_OF(links); i++) {
        struct dj_text path = {0};
        dj_text_format(&path, "/fleet?by=%s&app=", links[i].keys);
        dj_report_append_encoded(&path, app);
        dj_document_add_link(document, dj_xtext(&path), links[i].title);
        dj_text_finish(&path);
    }
    dj_document_add_link(document, "/fleet", "All apps of the fleet");
}

int dj_serve_show_fleet_app(struct dj_call *call, struct dj_error *err)
{
    struct dj_fleet_request request;
    struct dj_document document = {0};
    int code = read_request(call, &request, err);
    if (code != 0) {
        return code;
    }
    request.app = call->request->segments[1];
    code = dj_fleet_build_app(&request, &document, err);
    if (code == 0) {
        add_links(&document, request.app);
        code = dj_serve_reply_page(call, &document, false);
    } else {
        code = reply_failure(call, &request, code, err);
    }
    dj_document_finish(&document);
    return code;
}

static void add_app_link(struct dj_document *document, const char *app)
{
    struct dj_text path = {0}, title = {0};
    dj_serve_append_path(&path, "fleet", app);
    dj_text_append_name(&title, "All versions of ", app, "");
    dj_serve_add_link(document, &path, &title);
}

static void set_comparison_title(struct dj_document *document,
                                 const struct dj_fleet_request *request)
{
    struct dj_text title = {0};
    dj_text_append_name(&title, "", request->app, ": ");
    dj_text_append_name(&title, "", request->to, " against ");
    dj_text_append_name(&title, "", request->from, "");
    dj_document_set_title(document, dj_xtext(&title));
    dj_text_finish(&title);
}

int dj_serve_compare_fleet(struct dj_call *call, struct dj_error *err)
{
    struct dj_fleet_request request;
    struct dj_fleet_answer answer = {0};
    int code = read_request(call, &request, err);
    if (code != 0) {
        return code;
    }
    request.app = call->request->segments[1];
    code = dj_fleet_run("compare", &request, &answer, err);
    if (code == 0) {
        dj_document_remove_commands(&answer.document);
        set_comparison_title(&answer.document, &request);
        add_app_link(&answer.document, request.app);
        code = dj_serve_reply_page(call, &answer.document, false);
    } else if (code != DJ_E_NO_DATA) {
        code = reply_failure(call, &request, code, err);
    }
    dj_fleet_answer_finish(&answer);
    return code;
}
