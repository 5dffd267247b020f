#include "report/html.h"

#include <string.h>

#include "memory/memory.h"
#include "report/name.h"
#include "report/page.h"
#include "report/terminal.h"

void dj_html_escape(struct dj_text *text, const char *string)
{
    static const char *const references[128] = {['&'] = "&amp;",
                                                ['<'] = "&lt;",
                                                ['>'] = "&gt;",
                                                ['"'] = "&quot;",
                                                ['\''] = "&#39;"};
    struct dj_text safe = {0};
    dj_text_escaped(&safe, string, strlen(string));
    for (size_t i = 0; i < safe.length; i++) {
        unsigned char byte = (unsigned char)safe.data[i];
        if (byte < 128 && references[byte] != NULL) {
            dj_text_string(text, references[byte]);
        } else {
            dj_text_append(text, safe.data + i, 1);
        }
    }
    dj_text_finish(&safe);
}

void dj_html_put(struct dj_text *text, struct dj_text *words)
{
    dj_html_escape(text, dj_xtext(words));
    dj_text_finish(words);
}

void dj_html_page(struct dj_text *text, struct dj_text parts[DJ_PAGE_END])
{
    for (size_t i = 0; i < dj_page_piece_count; i++) {
        const struct dj_page_piece *piece = &dj_page_pieces[i];
        dj_text_append(text, (const char *)piece->bytes, piece->length);
        if (piece->slot != DJ_PAGE_END) {
            dj_text_string(text, dj_xtext(&parts[piece->slot]));
            dj_text_finish(&parts[piece->slot]);
        }
    }
}

void dj_report_html(struct dj_text *text, const struct dj_views *views)
{
    struct dj_text parts[DJ_PAGE_END] = {{0}};
    struct dj_text words = {0};
    if (views->count == 0) {
        return;
    }
    dj_name_append(&words, dj_view_process_name(&views->view[0]), false);
    dj_html_put(&parts[DJ_PAGE_TITLE], &words);
    dj_text_string(&parts[DJ_PAGE_TITLE], " — dejank report");
    dj_report_terminal(&words, views,
                       &(struct dj_terminal_style){.width = 80, .unicode = true});
    dj_html_put(&parts[DJ_PAGE_PLAIN], &words);
    dj_report_json(&parts[DJ_PAGE_DATA], views);
    dj_html_page(text, parts);
}
