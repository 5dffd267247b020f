/* Chooses the back end of a document by the suffix of its file. */
#include "base/count_of.h"
#include "output/file.h"
#include "report/document/render.h"

struct dj_document_format {
    const char *suffix;
    void (*write)(struct dj_text *text, const struct dj_document *document);
    /* Writes a picture. NULL for formats with `write`. */
    int (*draw)(struct dj_text *text, const struct dj_document *document,
                struct dj_error *err);
    /* Writes a part of the document. NULL if this format cannot be written in parts. */
    void (*write_part)(struct dj_text *text, const struct dj_document *part);
    /* Writes the text before and after all parts. NULL if there is none. */
    void (*write_frame)(struct dj_text *before, struct dj_text *after,
                        const struct dj_document *summary);
};

#define PAGE                                                                             \
    dj_document_write_page, NULL, dj_document_write_html, dj_document_write_page_frame

static const struct dj_document_format formats[] = {
    {".md", dj_document_write_markdown, NULL, dj_document_write_markdown, NULL},
    {".html", PAGE},
    {".htm", PAGE},
    {".svg", NULL, dj_document_write_svg, NULL, NULL},
    {".png", NULL, dj_document_write_png, NULL, NULL},
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

bool dj_document_has_parts(const struct dj_document_format *format)
{
    return format->write_part != NULL;
}

void dj_document_write_part(struct dj_text *text, const struct dj_document *part,
                            const struct dj_document_format *format)
{
    format->write_part(text, part);
}

void dj_document_write_frame(struct dj_text *before, struct dj_text *after,
                             const struct dj_document *summary,
                             const struct dj_document_format *format)
{
    if (format->write_frame != NULL) {
        format->write_frame(before, after, summary);
    }
}
