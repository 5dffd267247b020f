/* Pages: the running apps, and the live view of one app. */
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "live/apps.h"
#include "memory/memory.h"
#include "process/deadline.h"
#include "report/served_page.h"
#include "serve/live_views.h"
#include "serve/pages/page.h"

/* Interval in seconds at which browsers reload the list of apps. */
enum { REFRESH_S = 2 };

static void append_view(struct dj_text *text, const char *device, const char *app)
{
    dj_serve_append_path(text, "live", device);
    dj_text_add(text, "/");
    dj_report_append_encoded(text, app);
}

static void get_name(struct dj_cell *cell, const void *record)
{
    const struct dj_live_app *app = record;
    dj_text_append_escaped_name(&cell->text, app->name);
    append_view(&cell->target, "local:", app->name);
}

static void get_program(struct dj_cell *cell, const void *record)
{
    dj_text_append_escaped_name(&cell->text,
                                ((const struct dj_live_app *)record)->program);
}

static void get_pid(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%" PRId64, ((const struct dj_live_app *)record)->pid);
}

static const struct dj_table_column columns[] = {{"app", NULL, false, get_name},
                                                 {"program", NULL, false, get_program},
                                                 {"pid", NULL, true, get_pid}};

static void add_form(struct dj_document *document, const struct dj_request *request)
{
    struct dj_web_field fields[] = {{.name = "device",
                                     .label = "device (serial)",
                                     .value = dj_serve_get_parameter(request, "device")},
                                    {.name = "app",
                                     .label = "app (package or process)",
                                     .value = dj_serve_get_parameter(request, "app")}};
    dj_document_add_heading(document, 2, "An app on another device");
    dj_document_add_form(document,
                         &(struct dj_web_form){.action = "/live",
                                               .submit = "Watch",
                                               .fields = fields,
                                               .field_count = COUNT_OF(fields)});
}

static void add_verdict(struct dj_document *document, size_t count)
{
    struct dj_text words = {0};
    if (count > 0) {
        dj_text_format(&words, "%zu recorded app%s run%s on this machine", count,
                       count == 1 ? "" : "s", count == 1 ? "s" : "");
        dj_document_add_verdict(document, DJ_TONE_PLAIN, &words);
        return;
    }
    dj_text_add(&words, "No recorded app runs on this machine");
    dj_document_add_verdict(document, DJ_TONE_PLAIN, &words);
    dj_text_add(&words, "An app appears here as soon as it runs under the recorder, for "
                        "example with: dejank record -- glxgears");
    dj_document_add_paragraph(document, &words);
}

int dj_serve_list_live(struct dj_call *call, struct dj_error *err)
{
    struct dj_live_apps apps = {0};
    struct dj_document document = {0};
    const char *device = dj_serve_get_parameter(call->request, "device");
    const char *app = dj_serve_get_parameter(call->request, "app");
    if (device != NULL && app != NULL) {
        call->reply->status = 303;
        append_view(&call->reply->location, device, app);
        return 0;
    }
    int code = dj_live_list_apps(&apps, err);
    if (code == 0) {
        dj_document_set_title(&document, "Live");
        add_verdict(&document, apps.count);
        dj_document_begin_table(&document, columns, COUNT_OF(columns));
        for (size_t i = 0; i < apps.count; i++) {
            dj_document_add_row(&document, &apps.apps[i]);
        }
        add_form(&document, call->request);
        call->reply->type = DJ_TYPE_HTML;
        dj_report_write_served_page(
            &call->reply->body,
            &(struct dj_served_content){.document = &document, .refresh_s = REFRESH_S});
    }
    dj_document_finish(&document);
    dj_live_apps_finish(&apps);
    return code;
}

int dj_serve_show_live(struct dj_call *call, struct dj_error *err)
{
    struct dj_document document = {0};
    struct dj_text title = {0}, events = {0}, record = {0};
    const char *device = call->request->segments[1], *app = call->request->segments[2];
    (void)err;
    dj_text_append_name(&title, "", app, " on ");
    dj_text_append_name(&title, "",
                        strcmp(device, "local:") == 0 ? "this machine" : device, "");
    dj_document_set_title(&document, dj_xtext(&title));
    dj_text_add(&events, "/api/v1");
    append_view(&events, device, app);
    dj_text_add(&events, "/events");
    append_view(&record, device, app);
    dj_text_add(&record, "/record");
    call->reply->type = DJ_TYPE_HTML;
    bool may_record = call->server->options.may_record && call->csrf[0] != '\0';
    dj_report_write_served_page(
        &call->reply->body,
        &(struct dj_served_content){.document = &document,
                                    .live = dj_xtext(&events),
                                    .record = may_record ? dj_xtext(&record) : NULL,
                                    .csrf = call->csrf});
    dj_text_finish(&title);
    dj_text_finish(&events);
    dj_text_finish(&record);
    dj_document_finish(&document);
    return 0;
}

/* Appends JSON with schema dejank.live-apps/1. */
static void write_apps(struct dj_text *text, const struct dj_live_apps *apps)
{
    dj_json_open_document(text, "dejank.live-apps/1");
    dj_json_open_array(text, "apps");
    for (size_t i = 0; i < apps->count; i++) {
        const struct dj_live_app *app = &apps->apps[i];
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "device", "local:");
        dj_json_add_string(text, "app", app->name);
        dj_json_add_string(text, "program", app->program);
        dj_json_add_int(text, "pid", app->pid);
        dj_json_add_int(text, "last_ns", app->last_ns);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]}\n");
}

int dj_serve_send_live(struct dj_call *call, struct dj_error *err)
{
    struct dj_live_apps apps = {0};
    int code = dj_live_list_apps(&apps, err);
    if (code == 0) {
        call->reply->type = DJ_TYPE_JSON;
        write_apps(&call->reply->body, &apps);
    }
    dj_live_apps_finish(&apps);
    return code;
}

enum { NAME_MOST = 200, RECORD_DEFAULT_S = 10, RECORD_MOST_S = 600 };

static int check_writing(const struct dj_call *call, struct dj_error *err)
{
    return call->server->options.may_record
               ? 0
               : dj_error_set(err, DJ_E_UNSUPPORTED,
                              "this server does not record: it was started without "
                              "--allow-write=record");
}

static int accept(struct dj_call *call, int code, const char *state)
{
    if (code == 0) {
        call->reply->status = 202;
        call->reply->type = DJ_TYPE_JSON;
        dj_text_format(&call->reply->body, "{\"state\":\"%s\"}\n", state);
    }
    return code;
}

int dj_serve_record_live(struct dj_call *call, struct dj_error *err)
{
    const char *name = dj_serve_get_parameter(call->request, "name");
    const char *label = dj_serve_get_parameter(call->request, "label");
    int64_t seconds;
    int code = check_writing(call, err);
    code = code == 0 ? dj_serve_get_number(call->request, "seconds", RECORD_DEFAULT_S, 1,
                                           RECORD_MOST_S, &seconds, err)
                     : code;
    name = name != NULL ? name : "live";
    if (code == 0 &&
        (strlen(name) > NAME_MOST || (label != NULL && strlen(label) > NAME_MOST))) {
        code = dj_error_set(err, DJ_E_INVALID, "name, label: expected at most %d bytes",
                            NAME_MOST);
    }
    code = code == 0
               ? dj_serve_record_app(call->server->views, call->request->segments[1],
                                     call->request->segments[2], name, label,
                                     seconds * DJ_SECOND_NS, err)
               : code;
    return accept(call, code, "recording");
}

int dj_serve_mark_live(struct dj_call *call, struct dj_error *err)
{
    int code = check_writing(call, err);
    code = code == 0 ? dj_serve_mark_app(call->server->views, call->request->segments[1],
                                         call->request->segments[2], err)
                     : code;
    return accept(call, code, "marked");
}
