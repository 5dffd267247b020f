/* The gate of a build. */
#include "report/gate.h"
#include "serve/gated.h"
#include "serve/pages/page.h"

static void add_form(struct dj_document *document, const struct dj_request *request)
{
    static const char *const names[][2] = {{"project", "project"},
                                           {"candidate", "candidate"},
                                           {"baseline", "baseline"},
                                           {"flow", "flow"},
                                           {"device", "device serial"}};
    struct dj_web_field fields[COUNT_OF(names)];
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        fields[i] = (struct dj_web_field){
            names[i][0], names[i][1], dj_serve_get_parameter(request, names[i][0]), NULL};
    }
    dj_document_add_form(document,
                         &(struct dj_web_form){.action = "/gate",
                                               .submit = "Judge",
                                               .fields = fields,
                                               .field_count = COUNT_OF(fields)});
}

int dj_serve_show_gate(struct dj_call *call, struct dj_error *err)
{
    struct dj_gated gated = {.options = {.plan = NULL}};
    struct dj_document document = {0};
    struct dj_text words = {0};
    int code = 0;
    if (call->request->parameter_count == 0) {
        dj_document_set_title(&document, "Gate");
        dj_text_add(&words, "May this build be released? Without a candidate, the newest "
                            "build of the project is judged.");
        dj_document_add_paragraph(&document, &words);
    } else {
        code = dj_serve_gate(call, &gated, err);
        if (code == 0) {
            dj_report_build_gate(&document, &gated.report);
        }
    }
    if (code == 0) {
        add_form(&document, call->request);
        code = dj_serve_reply_page(call, &document, true);
    }
    dj_serve_finish_gated(&gated);
    return code;
}
