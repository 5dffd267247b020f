#include "report/page/report.h"

#include "memory/memory.h"
#include "report/dumps.h"
#include "report/escape/html.h"
#include "report/escape/name.h"
#include "report/page/html.h"

void dj_html_write_page(struct dj_text *text, const struct dj_page *page,
                        struct dj_text parts[DJ_PAGE_END])
{
    for (size_t i = 0; i < page->piece_count; i++) {
        const struct dj_page_piece *piece = &page->pieces[i];
        dj_text_append(text, (const char *)piece->bytes, piece->length);
        if (piece->slot != DJ_PAGE_END) {
            dj_text_add(text, dj_xtext(&parts[piece->slot]));
        }
    }
    for (size_t i = 0; i < DJ_PAGE_END; i++) {
        dj_text_finish(&parts[i]);
    }
}

void dj_report_write_html(struct dj_text *text, const struct dj_views *views)
{
    struct dj_text parts[DJ_PAGE_END] = {{0}};
    struct dj_text words = {0};
    if (views->count == 0) {
        return;
    }
    dj_name_escape(&words, dj_view_get_process_name(&views->view[0]), false);
    dj_html_escape_and_finish(&parts[DJ_PAGE_TITLE], &words);
    dj_text_add(&parts[DJ_PAGE_TITLE], " — dejank report");
    struct dj_document document = {0};
    dj_report_build_views(&document, views);
    dj_document_write_terminal(&words, &document,
                               &(struct dj_terminal_style){.width = 80, .unicode = true},
                               true);
    dj_document_finish(&document);
    dj_html_escape_and_finish(&parts[DJ_PAGE_PLAIN], &words);
    dj_report_write_page_data(&parts[DJ_PAGE_DATA], views);
    dj_html_write_page(text, &dj_report_page, parts);
}
