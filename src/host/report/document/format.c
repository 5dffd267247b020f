/* Chooses the back end of a document by the suffix of its file. */
#include "base/count_of.h"
#include "output/file.h"
#include "report/document/render.h"

struct dj_document_format {
    const char *suffix;
    void (*write)(struct dj_text *text, const struct dj_document *document);
    /* Instead of `write`. */
    int (*draw)(struct dj_text *text, const struct dj_document *document,
                struct dj_error *err);
};

static const struct dj_document_format formats[] = {
    {".md", dj_document_write_markdown, NULL}, {".html", dj_document_write_page, NULL},
    {".htm", dj_document_write_page, NULL},    {".svg", NULL, dj_document_write_svg},
    {".png", NULL, dj_document_write_png},
};

const struct dj_document_format *dj_document_find_format(const char *path)
{
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        if (dj_output_has_suffix(path, formats[i].suffix)) {
            return &formats[i];
        }
    }
    return NULL;
}

int dj_document_write(struct dj_text *text, const struct dj_document *document,
                      const struct dj_document_format *format, struct dj_error *err)
{
    if (format->draw != NULL) {
        return format->draw(text, document, err);
    }
    format->write(text, document);
    return 0;
}
