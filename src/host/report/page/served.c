#include "report/served_page.h"

#include <string.h>

#include "base/json.h"
#include "report/document/render.h"
#include "report/escape/html.h"
#include "report/page/html.h"

static void write_data(struct dj_text *text, const struct dj_served_content *content)
{
    struct dj_text markdown = {0};
    dj_document_write_markdown(&markdown, content->document);
    dj_json_open_object(text, NULL);
    dj_json_add_text(text, "markdown", &markdown);
    dj_json_add_bool(text, "follows", content->follows);
    dj_json_add_int(text, "event_id", content->event_id);
    dj_json_add_int(text, "refresh_s", content->refresh_s);
    if (content->live == NULL) {
        dj_json_add_null(text, "live");
    } else {
        dj_json_open_object(text, "live");
        dj_json_add_string(text, "events", content->live);
        dj_json_add_string(text, "record", content->record);
        dj_json_add_string(text, "csrf", content->csrf);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "}");
}

/* Writes the title without the name of the command at its end, which all pages of the
 * server share. */
static void write_title(struct dj_text *text, const char *title)
{
    struct dj_text words = {0};
    const char *end = title != NULL ? strstr(title, " — dejank") : NULL;
    dj_text_add(&words, title != NULL ? title : "dejank");
    if (end != NULL) {
        words.length = (size_t)(end - title);
        words.data[words.length] = '\0';
    }
    dj_html_escape_and_finish(text, &words);
}

void dj_report_write_served_page(struct dj_text *text,
                                 const struct dj_served_content *content)
{
    struct dj_text parts[DJ_PAGE_END] = {{0}};
    write_title(&parts[DJ_PAGE_TITLE], content->document->title);
    dj_document_write_html(&parts[DJ_PAGE_PLAIN], content->document);
    write_data(&parts[DJ_PAGE_DATA], content);
    dj_html_write_page(text, &dj_served_page, parts);
}

const char *dj_report_get_served_policy(void)
{
    return dj_served_page.policy;
}

void dj_report_append_encoded(struct dj_text *text, const char *segment)
{
    dj_text_append_percent(text, segment, "-._~");
}
