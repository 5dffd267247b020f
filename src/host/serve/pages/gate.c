/* The gate of a build. */
#include "report/gate.h"
#include "memory/memory.h"
#include "serve/gated.h"
#include "serve/pages/page.h"

static int add_form(struct dj_document *document, const struct dj_call *call,
                    struct dj_error *err)
{
    static const char *const names[][2] = {{"project", "project"},
                                           {"flow", "flow"},
                                           {"device", "device"},
                                           {"candidate", "candidate (build)"},
                                           {"baseline", "baseline (build)"}};
    const char *project = dj_serve_get_parameter(call->request, "project");
    struct dj_web_field fields[COUNT_OF(names)];
    struct dj_text lists[] = {
        [DJ_PROJECT_NAMES] = {0}, [DJ_PROJECT_FLOWS] = {0}, [DJ_PROJECT_DEVICES] = {0}};
    int code = 0;
    for (unsigned i = 0; i < COUNT_OF(names); i++) {
        if (i < COUNT_OF(lists) && code == 0) {
            code = dj_serve_append_choices(&lists[i], call, i,
                                           i == DJ_PROJECT_NAMES ? NULL : project, err);
        }
        fields[i] = (struct dj_web_field){
            names[i][0], names[i][1], dj_serve_get_parameter(call->request, names[i][0]),
            i < COUNT_OF(lists) ? dj_xtext(&lists[i]) : NULL};
    }
    dj_document_add_form(document,
                         &(struct dj_web_form){.action = "/gate",
                                               .submit = "Judge",
                                               .fields = fields,
                                               .field_count = COUNT_OF(fields)});
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        dj_text_finish(&lists[i]);
    }
    return code;
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
            dj_document_remove_commands(&document);
            dj_document_add_heading(&document, 2, "Judge another build");
        }
    }
    code = code == 0 ? add_form(&document, call, err) : code;
    if (code == 0) {
        code = dj_serve_reply_page(call, &document, true);
    }
    dj_document_finish(&document);
    dj_serve_finish_gated(&gated);
    return code;
}
