/* Builds the document of a report of dumps. */
#include "memory/memory.h"
#include "report/dump/verdict.h"
#include "report/dumps.h"
#include "report/verdict/assessment.h"
#include "report/view/document.h"
#include "report/view/notes.h"

static void add_names(struct dj_document *document, const struct dj_view *view)
{
    struct dj_text name = {0};
    dj_text_add(&name, dj_view_get_process_name(view));
    if (dj_view_get_window_name(view) != NULL) {
        dj_text_format(&name, " — %s", dj_view_get_window_name(view));
    }
    dj_document_add_section(document, 2, NULL, &name);
}

static void add_verdict(struct dj_document *document, const struct dj_view *view)
{
    struct dj_text words = {0};
    add_names(document, view);
    dj_notes_write_verdict(view, &words);
    dj_document_add_verdict(
        document, dj_verdict_get_tone(dj_assessment_compute_view(view).grade), &words);
    dj_notes_explain_verdict(view, &words);
    dj_document_add_paragraph(document, &words);
    dj_notes_write_facts(view, &words);
    dj_document_add_paragraph(document, &words);
}

static void add_view(struct dj_document *document, const struct dj_view *view)
{
    add_verdict(document, view);
    if (!dj_view_is_empty(view)) {
        dj_view_add_figures(document, view, true);
    }
    dj_view_add_notes(document, view);
}

/* Adds one line about all views without frames. The details of the document describe each
 * of them. */
static void add_empty_views(struct dj_document *document, const struct dj_views *views)
{
    static const char title[] = "windows without frames";
    size_t count = 0;
    for (size_t i = 0; i < views->count; i++) {
        count += dj_view_is_empty(&views->view[i]);
    }
    if (count == 0) {
        return;
    }
    struct dj_text words = {0};
    dj_text_format(&words, "%zu of %zu windows and processes have no frames.", count,
                   views->count);
    dj_document_add_paragraph(document, &words);
    if (document->is_brief) {
        dj_document_omit_details(document, title);
        return;
    }
    dj_document_begin_details(document, title, true);
    for (size_t i = 0; i < views->count; i++) {
        if (dj_view_is_empty(&views->view[i])) {
            add_view(document, &views->view[i]);
        }
    }
    dj_document_end_details(document);
}

void dj_report_build_views(struct dj_document *document, const struct dj_views *views)
{
    struct dj_text title = {0};
    if (views->count > 0) {
        dj_text_format(&title, "%s — dejank report",
                       dj_view_get_process_name(&views->view[0]));
        dj_document_set_title(document, dj_xtext(&title));
        dj_text_finish(&title);
    }
    for (size_t i = 0; i < views->count; i++) {
        if (views->count == 1 || !dj_view_is_empty(&views->view[i])) {
            add_view(document, &views->view[i]);
        }
    }
    if (views->count > 1) {
        add_empty_views(document, views);
    }
}

void dj_report_build_picture(struct dj_document *document, const struct dj_views *views)
{
    for (size_t i = 0; i < views->count; i++) {
        add_verdict(document, &views->view[i]);
        if (!dj_view_is_empty(&views->view[i])) {
            dj_view_add_picture(document, &views->view[i]);
        }
        dj_view_add_notes(document, &views->view[i]);
    }
}
