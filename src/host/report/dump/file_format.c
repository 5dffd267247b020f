#include "report/file_format.h"

#include "memory/memory.h"
#include "output/file.h"
#include "report/document/render.h"
#include "report/dumps.h"
#include "report/page/report.h"
#include "report/picture.h"

static void write_markdown(struct dj_text *text, const struct dj_views *views)
{
    struct dj_document document = {0};
    dj_report_build_views(&document, views);
    dj_document_write_markdown(text, &document);
    dj_document_finish(&document);
}

int dj_report_write_svg(struct dj_text *text, const struct dj_views *views,
                        struct dj_error *err)
{
    struct dj_document document = {0};
    dj_report_build_picture(&document, views);
    int result = views->count == 0 ? dj_report_load_cairo(err)
                                   : dj_document_write_svg(text, &document, err);
    dj_document_finish(&document);
    return result;
}

int dj_report_write_png(struct dj_text *text, const struct dj_views *views,
                        struct dj_error *err)
{
    struct dj_document document = {0};
    dj_report_build_picture(&document, views);
    int result = views->count == 0 ? dj_report_load_cairo(err)
                                   : dj_document_write_png(text, &document, err);
    dj_document_finish(&document);
    return result;
}

static const struct dj_report_format formats[] = {
    {".html", .write = dj_report_write_html},
    {".htm", .write = dj_report_write_html},
    {".svg", .draw = dj_report_write_svg},
    {".png", .draw = dj_report_write_png},
    {".md", .write = write_markdown},
    {".json", .form = DJ_FORM_JSON, .write_batches = dj_report_write_batches_json},
    {".csv", .form = DJ_FORM_CSV, .write_batches = dj_report_write_batches_csv},
    {".xml", .tests = true},
};
enum { FORMAT_COUNT = COUNT_OF(formats) };

const struct dj_report_format *dj_report_format_find(const char *name)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (dj_output_has_suffix(name, formats[i].suffix)) {
            return &formats[i];
        }
    }
    return NULL;
}

int dj_report_format_draw(const struct dj_report_format *format, struct dj_text *text,
                          const struct dj_views *views, struct dj_error *err)
{
    if (format->draw != NULL) {
        return format->draw(text, views, err);
    }
    format->write(text, views);
    return 0;
}

int dj_report_format_write_batches(struct dj_text *text, const char *output,
                                   const struct dj_batches *batches, struct dj_error *err)
{
    const struct dj_report_format *format = dj_report_format_find(output);
    struct dj_document document = {0};
    if (format->write_batches != NULL) {
        format->write_batches(text, batches);
        return 0;
    }
    dj_report_build_batches(&document, batches);
    int code = dj_document_write(text, &document, dj_document_find_format(output), err);
    dj_document_finish(&document);
    return code;
}

void dj_report_format_reject(const char *name, bool drawn_only,
                             const struct dj_messages *messages)
{
    struct dj_text known = {0};
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (dj_report_format_is_drawn(&formats[i]) || !drawn_only) {
            dj_text_format(&known, " %s", formats[i].suffix);
        }
    }
    dj_message(messages, "the suffix of '%s' names no format; there is:%s", name,
               dj_xtext(&known));
    dj_text_finish(&known);
}
