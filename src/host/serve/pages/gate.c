/* Page: the gate of a build. */
#include "report/gate.h"
#include "memory/memory.h"
#include "serve/gated.h"
#include "serve/pages/page.h"

enum field { PROJECT, FLOW, DEVICE, CANDIDATE, BASELINE, FIELDS };

static const struct dj_web_field fields[] = {
    [PROJECT] = {.name = "project", .label = "project"},
    [FLOW] = {.name = "flow", .label = "flow"},
    [DEVICE] = {.name = "device", .label = "device"},
    [CANDIDATE] = {.name = "candidate",
                   .label = "candidate (build)",
                   .kind = DJ_FIELD_ANY},
    [BASELINE] = {.name = "baseline", .label = "baseline (build)", .kind = DJ_FIELD_ANY}};

/* Appends the choices for each field of the form. For the baseline, these are builds, and
 * rules that find a build. */
static int append_choices(struct dj_text choices[FIELDS], const struct dj_call *call,
                          struct dj_error *err)
{
    const char *project = dj_serve_get_parameter(call->request, "project");
    int code =
        dj_serve_append_choices(&choices[PROJECT], call, DJ_PROJECT_NAMES, NULL, err);
    code = code == 0 ? dj_serve_append_choices(&choices[FLOW], call, DJ_PROJECT_FLOWS,
                                               project, err)
                     : code;
    code = code == 0 ? dj_serve_append_choices(&choices[DEVICE], call, DJ_PROJECT_DEVICES,
                                               project, err)
                     : code;
    code = code == 0 ? dj_serve_append_builds(&choices[CANDIDATE], call, project, err)
                     : code;
    dj_text_add(&choices[BASELINE], "last-release\nlast:1\tlast:1 (the build before)\n");
    dj_text_add(&choices[BASELINE], dj_xtext(&choices[CANDIDATE]));
    return code;
}

static int add_form(struct dj_document *document, const struct dj_call *call,
                    struct dj_error *err)
{
    struct dj_text choices[FIELDS] = {{0}};
    struct dj_web_field filled[FIELDS];
    int code = append_choices(choices, call, err);
    for (size_t i = 0; i < FIELDS; i++) {
        filled[i] = fields[i];
        filled[i].value = dj_serve_get_parameter(call->request, fields[i].name);
        filled[i].choices = dj_xtext(&choices[i]);
    }
    dj_document_add_form(document, &(struct dj_web_form){.action = "/gate",
                                                         .submit = "Judge",
                                                         .fields = filled,
                                                         .field_count = FIELDS});
    for (size_t i = 0; i < FIELDS; i++) {
        dj_text_finish(&choices[i]);
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
