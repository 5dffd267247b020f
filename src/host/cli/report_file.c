#include "cli/report_file.h"

#include <string.h>

#include "cli/options.h"
#include "cli/output_file.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/picture.h"

static const struct dj_report_format formats[] = {
    {".html", dj_report_html, 0, false},   {".htm", dj_report_html, 0, false},
    {".svg", dj_report_svg, 0, false},     {".png", dj_report_png, 0, false},
    {".md", dj_report_markdown, 0, false}, {".json", NULL, DJ_FORM_JSON, false},
    {".csv", NULL, DJ_FORM_CSV, false},    {".xml", NULL, 0, true},
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

int dj_report_format_check(const struct dj_report_format *format, struct dj_error *err)
{
    struct dj_text nothing = {0};
    int result =
        format->draw != NULL ? format->draw(&nothing, &(struct dj_views){0}, err) : 0;
    dj_text_finish(&nothing);
    return result;
}

void dj_report_format_complain(const char *verb, const char *name, bool drawn_only)
{
    struct dj_text known = {0};
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (formats[i].draw != NULL || !drawn_only) {
            dj_text_format(&known, " %s", formats[i].suffix);
        }
    }
    dj_complain(verb, "the suffix of '%s' names no format; there is:%s", name,
                dj_text_get(&known));
    dj_text_finish(&known);
}
