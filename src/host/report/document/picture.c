/* Draws documents as pictures. Pictures omit the tables of details. */
#include "memory/memory.h"
#include "report/document/picture_chart.h"
#include "report/document/render.h"
#include "report/escape/html.h"
#include "report/picture/content.h"
#include "report/picture/plot.h"

enum {
    CONTENT = DJ_CANVAS_WIDTH - 2 * DJ_CANVAS_MARGIN,
    GAP = 14,
    INDENT = 16,
    FOOT = 80
};

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

static double draw_note(struct dj_canvas *canvas, const struct dj_block *block, double y)
{
    const struct dj_canvas_font font = {
        .size = 14, .ink = inks[block->tone], .max_width = CONTENT - INDENT};
    dj_canvas_draw_text(canvas, DJ_CANVAS_MARGIN, y + font.size, &font, "•");
    return dj_canvas_draw_paragraph(canvas, DJ_CANVAS_MARGIN + INDENT, y, &font,
                                    block->text) +
           GAP / 2;
}

/* Draws a block from y on. Returns its lower end. `depth` is the number of nested details
 * that contain the block. */
static double draw_block(struct dj_canvas *canvas, const struct dj_block *block,
                         size_t depth, double y)
{
    switch (block->kind) {
    case DJ_BLOCK_HEADING:
        return draw_paragraph(canvas, block->text, 19, true, DJ_INK_TEXT, y + GAP);
    case DJ_BLOCK_VERDICT:
        return draw_paragraph(canvas, block->text, 17, true, inks[block->tone], y) + GAP;
    case DJ_BLOCK_NOTE:
        return draw_note(canvas, block, y);
    case DJ_BLOCK_TABLE:
        return depth == 0 ? dj_table_draw(canvas, &block->table, y) : y;
    case DJ_BLOCK_PARAGRAPH:
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

/* Draws the blocks that fit in a picture of `most` px, and omits the others. */
static double draw_document(struct dj_canvas *canvas, const void *what, double most)
{
    const struct dj_document *document = what;
    double y = DJ_CANVAS_MARGIN - 12;
    size_t depth = 0;
    if (document->title != NULL) {
        y = draw_paragraph(canvas, document->title, 24, true, DJ_INK_TEXT, y) + GAP;
    }
    for (size_t i = 0; i < document->block_count; i++) {
        const struct dj_block *block = &document->blocks[i];
        depth += block->kind == DJ_BLOCK_DETAILS;
        depth -= block->kind == DJ_BLOCK_END;
        dj_canvas_hide(canvas);
        double end = draw_block(canvas, block, depth, y);
        dj_canvas_show(canvas);
        if (most > 0 && end > most - FOOT) {
            y = draw_paragraph(canvas,
                               "The rest does not fit into this picture. "
                               "Write .svg or .html.",
                               17, true, DJ_INK_TEXT, y);
            break;
        }
        y = draw_block(canvas, block, depth, y);
    }
    return dj_picture_draw_foot(canvas, y);
}

/* Writes the text of the picture for screen readers and for searches, because cairo
 * writes letters as shapes. The text is the title, and the verdicts with the headings
 * before them. */
static void write_title(struct dj_text *text, const void *what)
{
    const struct dj_document *document = what;
    size_t start = text->length;
    dj_html_escape(text, document->title != NULL ? document->title : "");
    for (size_t i = 0; i < document->block_count; i++) {
        const struct dj_block *block = &document->blocks[i];
        if (block->kind != DJ_BLOCK_VERDICT) {
            continue;
        }
        dj_text_add(text, text->length > start ? "\n" : "");
        if (i > 0 && block[-1].kind == DJ_BLOCK_HEADING) {
            dj_html_escape(text, block[-1].text);
            dj_text_add(text, ": ");
        }
        dj_html_escape(text, block->text);
    }
    dj_text_add(text, text->length > start ? "" : "dejank");
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
