#include "report/escape/html.h"
#include "base/json.h"
#include "memory/memory.h"
#include "report/batches/describe.h"
#include "report/page/html.h"

void dj_report_write_batches_html(struct dj_text *text, const struct dj_batches *batches)
{
    struct dj_text parts[DJ_PAGE_END] = {{0}};
    struct dj_text *title = &parts[DJ_PAGE_TITLE];
    struct dj_text *data = &parts[DJ_PAGE_DATA];
    struct dj_text words = {0};
    for (size_t i = 0; i < batches->count; i++) {
        dj_text_add(title, i > 0 ? " and " : "");
        dj_batches_write_name(&words, batches, i);
        dj_html_escape_and_finish(title, &words);
    }
    dj_text_add(title, " — dejank report");
    dj_report_write_batches_text(
        &words, batches, &(struct dj_terminal_style){.width = 80, .unicode = true});
    dj_html_escape_and_finish(&parts[DJ_PAGE_PLAIN], &words);
    dj_json_open_object(data, NULL);
    dj_json_add_string(data, "schema", "dejank.report-page/1");
    dj_json_add_string(data, "version", DEJANK_VERSION);
    dj_json_open_array(data, "views");
    dj_json_close(data, "]");
    dj_batches_write_json_members(data, batches);
    dj_json_close(data, "}");
    dj_html_write_page(text, &dj_report_page, parts);
}
