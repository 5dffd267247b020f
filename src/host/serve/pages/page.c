#include "serve/pages/page.h"

#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "memory/memory.h"
#include "report/served_page.h"
#include "store/browse.h"
#include "store/overview.h"

int dj_serve_reply_page(struct dj_call *call, struct dj_document *document, bool follows)
{
    call->reply->type = DJ_TYPE_HTML;
    dj_report_write_served_page(&call->reply->body, &(struct dj_served_content){
                                                        .document = document,
                                                        .follows = follows,
                                                        .event_id = call->event_id,
                                                    });
    dj_document_finish(document);
    return 0;
}

int dj_serve_need_store(const struct dj_call *call, struct dj_error *err)
{
    return call->store != NULL
               ? 0
               : dj_error_set(
                     err, DJ_E_NO_DATA,
                     "The store does not exist yet. dejank run and dejank import "
                     "create it.");
}

/* Adds a choice. Ignores a name that is empty or contains the character that separates
 * choices. */
static int add_choice(void *user, const char *name)
{
    if (name[0] != '\0' && strpbrk(name, "\t\n") == NULL) {
        dj_text_format(user, "%s\n", name);
    }
    return 0;
}

static int append_names(struct dj_text *text, const struct dj_call *call,
                        enum dj_project_part part, const char *project,
                        struct dj_error *err)
{
    return call->store != NULL
               ? dj_store_read_choices(call->store, part, project, add_choice, text, err)
               : 0;
}

int dj_serve_append_choices(struct dj_text *text, const struct dj_call *call,
                            enum dj_project_part part, const char *project,
                            struct dj_error *err)
{
    dj_text_add(text, "\n");
    return append_names(text, call, part, project, err);
}

int dj_serve_append_builds(struct dj_text *text, const struct dj_call *call,
                           const char *project, struct dj_error *err)
{
    return append_names(text, call, DJ_PROJECT_BUILDS, project, err);
}

void dj_serve_append_values(struct dj_text *text, const struct dj_request *request,
                            const char *name)
{
    for (size_t i = 0; i < request->parameter_count; i++) {
        const struct dj_web_parameter *parameter = &request->parameters[i];
        if (strcmp(parameter->name, name) == 0) {
            add_choice(text, parameter->value);
        }
    }
}

int dj_serve_find_batch(const struct dj_call *call, const char *id, int64_t *key,
                        struct dj_error *err)
{
    int code = dj_serve_need_store(call, err);
    return code == 0 ? dj_store_find_batch(call->store, id, key, err) : code;
}

int dj_serve_find_run(const struct dj_call *call, const char *word, int64_t *run,
                      int64_t *batch, struct dj_error *err)
{
    int code = dj_serve_need_store(call, err);
    if (code == 0 &&
        (word[strspn(word, "0123456789")] != '\0' || !dj_str_int(dj_str_of(word), run))) {
        code = dj_error_set(err, DJ_E_INVALID,
                            "expected the number of a run, found '%.40s'", word);
    }
    return code == 0 ? dj_store_find_batch_of_run(call->store, *run, batch, err) : code;
}

void dj_serve_append_path(struct dj_text *text, const char *first, const char *second)
{
    dj_text_add(text, "/");
    dj_report_append_encoded(text, first);
    if (second != NULL) {
        dj_text_add(text, "/");
        dj_report_append_encoded(text, second);
    }
}

void dj_serve_add_link(struct dj_document *document, struct dj_text *path,
                       struct dj_text *title)
{
    dj_document_add_link(document, dj_xtext(path), dj_xtext(title));
    dj_text_finish(path);
    dj_text_finish(title);
}

void dj_serve_append_address(struct dj_text *text, const struct dj_request *request,
                             const char *without)
{
    for (size_t i = 0; i < request->segment_count; i++) {
        dj_text_add(text, "/");
        dj_report_append_encoded(text, request->segments[i]);
    }
    dj_text_add(text, request->segment_count == 0 ? "/?" : "?");
    for (size_t i = 0; i < request->parameter_count; i++) {
        const struct dj_web_parameter *parameter = &request->parameters[i];
        if (strcmp(parameter->name, without) != 0 &&
            strcmp(parameter->name, "zoom") != 0 && parameter->value[0] != '\0') {
            dj_report_append_encoded(text, parameter->name);
            dj_text_add(text, "=");
            dj_report_append_encoded(text, parameter->value);
            dj_text_add(text, "&");
        }
    }
}

static void add_page(struct dj_document *document, const char *path, int64_t page,
                     const char *title)
{
    struct dj_text target = {0};
    dj_text_format(&target, "%spage=%" PRId64, path, page);
    dj_document_add_link(document, dj_xtext(&target), title);
    dj_text_finish(&target);
}

void dj_serve_add_paging(struct dj_document *document, const char *path, int64_t page,
                         bool has_next)
{
    if (page > 1) {
        add_page(document, path, page - 1, "Newer");
    }
    if (has_next) {
        add_page(document, path, page + 1, "Older");
    }
}
