#include "base/json.h"
#include "memory/memory.h"
#include "report/batches_words.h"
#include "report/html.h"

static void title(struct dj_text *text, const struct dj_batches *batches)
{
    for (size_t i = 0; i < batches->count; i++) {
        struct dj_text safe = {0};
        dj_batch_words_name(&safe, batches, i);
        dj_text_string(text, i > 0 ? " and " : "");
        dj_html_put(text, &safe);
    }
    dj_text_string(text, " — dejank report");
}

static void plain(struct dj_text *text, const struct dj_batches *batches)
{
    struct dj_text lines = {0};
    dj_batches_terminal(&lines, batches,
                        &(struct dj_terminal_style){.width = 80, .unicode = true});
    dj_html_put(text, &lines);
}

static void data(struct dj_text *text, const struct dj_batches *batches)
{
    dj_json_open_object(text, NULL);
    dj_json_put_string(text, "schema", "dejank.report-page/1");
    dj_json_put_string(text, "version", DEJANK_VERSION);
    dj_json_open_array(text, "views");
    dj_json_close(text, "]");
    dj_batches_json_members(text, batches);
    dj_json_close(text, "}");
}

void dj_batches_html(struct dj_text *text, const struct dj_batches *batches)
{
    struct dj_text parts[DJ_PAGE_END] = {{0}};
    title(&parts[DJ_PAGE_TITLE], batches);
    plain(&parts[DJ_PAGE_PLAIN], batches);
    data(&parts[DJ_PAGE_DATA], batches);
    dj_html_page(text, parts);
}
