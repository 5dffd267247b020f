/* Documents as pictures: the title, the verdicts, the notes and the charts. */
#include "memory/memory.h"
#include "report/document/picture_chart.h"
#include "report/document/render.h"
#include "report/escape/html.h"
#include "report/picture/content.h"
#include "report/picture/plot.h"

enum { CONTENT = DJ_CANVAS_WIDTH - 2 * DJ_CANVAS_MARGIN, GAP = 14, FOOT = 80 };

static const enum dj_ink inks[DJ_TONE_COUNT] = {[DJ_TONE_PLAIN] = DJ_INK_TEXT,
                                                [DJ_TONE_GOOD] = DJ_INK_GOOD,
                                                [DJ_TONE_BAD] = DJ_INK_BAD,
                                                [DJ_TONE_WARNING] = DJ_INK_DEADLINE,
                                                [DJ_TONE_MUTED] = DJ_INK_MUTED};

static double draw_paragraph(struct dj_canvas *canvas, const char *text, double size,
                             bool bold, enum dj_ink ink, double y)
{
    const struct dj_canvas_font font = {
        .size = size, .bold = bold, .ink = ink, .max_width = CONTENT};
    return dj_canvas_draw_paragraph(canvas, DJ_CANVAS_MARGIN, y, &font, text);
}

static double draw_field(struct dj_canvas *canvas, const struct dj_block *block, double y)
{
    struct dj_text words = {0};
    dj_text_format(&words, "%s: %s", block->label, block->text);
    y = draw_paragraph(canvas, dj_xtext(&words), 14, false, DJ_INK_TEXT, y);
    dj_text_finish(&words);
    return y;
}

static double draw_block(struct dj_canvas *canvas, const struct dj_block *block, double y)
{
    switch (block->kind) {
    case DJ_BLOCK_HEADING:
        return draw_paragraph(canvas, block->text, 19, true, DJ_INK_TEXT, y + GAP);
    case DJ_BLOCK_VERDICT:
        return draw_paragraph(canvas, block->text, 17, true, inks[block->tone], y) + GAP;
    case DJ_BLOCK_PARAGRAPH:
    case DJ_BLOCK_NOTE:
        return draw_paragraph(canvas, block->text, 14, false, inks[block->tone], y) +
               GAP / 2;
    case DJ_BLOCK_FIELD:
        return draw_field(canvas, block, y);
    case DJ_BLOCK_CHART:
        return dj_chart_draw(canvas, block->chart, y + GAP);
    default:
        return y;
    }
}

/* Leaves out what a picture of `most` px cannot hold. */
static double draw_document(struct dj_canvas *canvas, const void *what, double most)
{
    const struct dj_document *document = what;
    double y = DJ_CANVAS_MARGIN - 12;
    if (document->title != NULL) {
        y = draw_paragraph(canvas, document->title, 24, true, DJ_INK_TEXT, y) + GAP;
    }
    for (size_t i = 0; i < document->block_count; i++) {
        dj_canvas_hide(canvas);
        double end = draw_block(canvas, &document->blocks[i], y);
        dj_canvas_show(canvas);
        if (most > 0 && end > most - FOOT) {
            y = draw_paragraph(canvas,
                               "The rest does not fit into this picture. "
                               "Write .svg or .html.",
                               17, true, DJ_INK_TEXT, y);
            break;
        }
        y = draw_block(canvas, &document->blocks[i], y);
    }
    return dj_picture_draw_foot(canvas, y);
}

/* The text of the picture for screen readers and for searches. */
static void write_title(struct dj_text *text, const void *what)
{
    const struct dj_document *document = what;
    dj_html_escape(text, document->title != NULL ? document->title : "dejank");
    for (size_t i = 0; i < document->block_count; i++) {
        if (document->blocks[i].kind == DJ_BLOCK_VERDICT) {
            dj_text_add(text, "\n");
            dj_html_escape(text, document->blocks[i].text);
        }
    }
}

int dj_document_write_svg(struct dj_text *text, const struct dj_document *document,
                          struct dj_error *err)
{
    const struct dj_picture_content content = {draw_document, write_title, document};
    return dj_picture_write_svg(text, &content, err);
}

int dj_document_write_png(struct dj_text *text, const struct dj_document *document,
                          struct dj_error *err)
{
    const struct dj_picture_content content = {draw_document, write_title, document};
    return dj_picture_write_png(text, &content, err);
}
