/* Page: the triage of a run's trace. */
#include <inttypes.h>

#include "memory/memory.h"
#include "report/triage.h"
#include "serve/pages/page.h"
#include "triage/batch.h"

int dj_serve_show_trace(struct dj_call *call, struct dj_error *err)
{
    struct dj_triage_rules rules = {0};
    struct dj_triage_sum sum = {0};
    const struct dj_triage_result *result = NULL;
    struct dj_document document = {0};
    struct dj_text words = {0}, path = {0};
    int64_t run, batch;
    int code = dj_serve_find_run(call, call->request->segments[1], &run, &batch, err);
    sum.triage = code == 0 ? dj_triage_create(&rules) : NULL;
    code =
        code == 0 ? dj_triage_add_stored_run(&sum, call->store, batch, run, err) : code;
    code = code == 0 ? dj_triage_weigh(sum.triage, &result, err) : code;
    if (code == 0) {
        dj_triage_findings_compute(&sum.findings, sum.triage);
        dj_text_format(&words, "Triage of run %" PRId64, run);
        dj_document_set_title(&document, dj_xtext(&words));
        dj_text_clear(&words);
        dj_report_add_triage(&document, result, &sum.findings);
        dj_text_format(&path, "/runs/%" PRId64, run);
        dj_text_add(&words, "The run, its frames and its trace to download");
        dj_serve_add_link(&document, &path, &words);
        code = dj_serve_reply_page(call, &document, false);
    }
    dj_triage_sum_finish(&sum);
    return code;
}
