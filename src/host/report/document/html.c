/* Documents as HTML. web/document.js draws the charts. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "memory/memory.h"
#include "report/document/render.h"
#include "report/escape/html.h"
#include "report/page/html.h"
#include "report/terminal/lines.h"

enum { CHART_WIDTH = 80 };

static const char *const tones[DJ_TONE_COUNT] = {[DJ_TONE_PLAIN] = "plain",
                                                 [DJ_TONE_GOOD] = "good",
                                                 [DJ_TONE_BAD] = "bad",
                                                 [DJ_TONE_WARNING] = "warning",
                                                 [DJ_TONE_MUTED] = "muted"};

static void write_element(struct dj_text *text, const char *before, const char *string,
                          const char *after)
{
    dj_text_add(text, before);
    dj_html_escape(text, string);
    dj_text_add(text, after);
}

static void write_label(struct dj_text *text, const struct dj_table_column *column)
{
    dj_html_escape(text, column->label);
    if (column->unit != NULL) {
        dj_text_add(text, column->label[0] != '\0' ? ", " : "");
        dj_html_escape(text, column->unit);
    }
}

static void write_head(struct dj_text *text, const struct dj_table *table)
{
    dj_text_add(text, "<thead><tr>");
    for (size_t i = 0; i < table->column_count; i++) {
        dj_text_add(text, table->columns[i].is_number
                              ? "<th scope=\"col\">"
                              : "<th scope=\"col\" class=\"text\">");
        write_label(text, &table->columns[i]);
        dj_text_add(text, "</th>");
    }
    dj_text_add(text, "</tr></thead>\n");
}

/* Writes a cell. The first cell of a row is its heading. On a phone, the other cells show
 * the labels of their columns. */
static void write_cell(struct dj_text *text, const struct dj_table_column *column,
                       const struct dj_cell *cell, bool is_heading)
{
    bool linked = cell->target.length > 0;
    dj_text_format(
        text, is_heading ? "<th scope=\"row\" class=\"%s %s\"" : "<td class=\"%s %s\"",
        tones[cell->tone], column->is_number ? "number" : "text");
    if (!is_heading) {
        dj_text_add(text, " data-label=\"");
        write_label(text, column);
        dj_text_add(text, "\"");
    }
    dj_text_add(text, ">");
    if (linked) {
        const char *target = dj_xtext(&cell->target);
        write_element(text, target[0] == '/' ? "<a href=\"" : "<a href=\"#", target,
                      "\">");
    }
    if (cell->is_label && cell->text.length > 0) {
        dj_text_format(text, "<span class=\"label %s\">", tones[cell->tone]);
        write_element(text, "", dj_xtext(&cell->text), "</span>");
    } else {
        dj_html_escape(text, cell->text.length > 0 ? dj_xtext(&cell->text) : "–");
    }
    dj_text_add(text, linked ? "</a>" : "");
    dj_text_add(text, is_heading ? "</th>" : "</td>");
}

static void write_table(struct dj_text *text, const struct dj_table *table)
{
    dj_text_add(text, "<div class=\"scroll\"><table class=\"figures\">\n");
    write_head(text, table);
    dj_text_add(text, "<tbody>\n");
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t column = i % table->column_count;
        dj_text_add(text, column == 0 ? "<tr>" : "");
        write_cell(text, &table->columns[column], &table->cells[i], column == 0);
        dj_text_add(text, column + 1 == table->column_count ? "</tr>\n" : "");
    }
    dj_text_add(text, "</tbody></table></div>\n");
}

static void write_chart(struct dj_text *text, const struct dj_chart *chart)
{
    struct dj_text drawn = {0};
    struct dj_terminal out = dj_terminal_init(
        &drawn, &(struct dj_terminal_style){.width = CHART_WIDTH, .unicode = true});
    dj_chart_write_terminal(&out, chart);
    dj_text_add(text, "<figure class=\"chart\"><script type=\"application/json\">");
    struct dj_text data = {0};
    dj_chart_write_json(&data, NULL, chart);
    dj_text_add(text, dj_xtext(&data));
    dj_text_finish(&data);
    dj_text_add(text, "</script><noscript><pre>");
    dj_html_escape_and_finish(text, &drawn);
    dj_text_add(text, "</pre></noscript></figure>\n");
}

static void write_heading(struct dj_text *text, const struct dj_block *block)
{
    dj_text_format(text, "<h%d", block->level);
    if (block->label != NULL) {
        write_element(text, " id=\"", block->label, "\"");
    }
    write_element(text, ">", block->text, "");
    dj_text_format(text, "</h%d>\n", block->level);
}

static void write_item(struct dj_text *text, const struct dj_block *block)
{
    if (block->kind == DJ_BLOCK_FIELD) {
        write_element(text, "<div><dt>", block->label, "</dt><dd>");
        write_element(text, "", block->text, "</dd></div>\n");
    } else if (block->kind == DJ_BLOCK_COMMAND) {
        write_element(text, "<li><code>", block->text, "</code> ");
        write_element(text, "", block->label, "</li>\n");
    } else if (block->kind == DJ_BLOCK_LINK) {
        write_element(text, "<li><a href=\"", block->label, "\">");
        write_element(text, "", block->text, "</a></li>\n");
    } else {
        dj_text_format(text, "<li class=\"%s\">", tones[block->tone]);
        write_element(text, "", block->text, "</li>\n");
    }
}

static void write_block(struct dj_text *text, const struct dj_block *block)
{
    switch (block->kind) {
    case DJ_BLOCK_HEADING:
        write_heading(text, block);
        break;
    case DJ_BLOCK_VERDICT:
        dj_text_format(text, "<p class=\"verdict %s\">", tones[block->tone]);
        write_element(text, "", block->text, "</p>\n");
        break;
    case DJ_BLOCK_TABLE:
        write_table(text, &block->table);
        break;
    case DJ_BLOCK_CHART:
        write_chart(text, block->chart);
        break;
    case DJ_BLOCK_DETAILS:
        dj_text_add(text, block->folded ? "<details>" : "<details open>");
        write_element(text, "<summary>", block->text, "</summary>\n");
        break;
    case DJ_BLOCK_END:
        dj_text_add(text, "</details>\n");
        break;
    case DJ_BLOCK_FORM:
        dj_document_write_form(text, &block->form);
        break;
    case DJ_BLOCK_PARAGRAPH:
        write_element(text, "<p>", block->text, "</p>\n");
        break;
    default:
        write_item(text, block);
    }
}

/* The HTML around a series of blocks of the same kind. Only kinds that form lists have
 * one. */
static const struct list {
    const char *open, *close;
} * find_list(enum dj_block_kind kind)
{
    static const struct list fields = {"<dl class=\"fields\">\n", "</dl>\n"};
    static const struct list notes = {"<ul class=\"remarks\">\n", "</ul>\n"};
    static const struct list links = {"<ul class=\"links\">\n", "</ul>\n"};
    static const struct list commands = {
        "<section class=\"commands\"><h2>Next</h2><ul>\n", "</ul></section>\n"};
    return kind == DJ_BLOCK_FIELD     ? &fields
           : kind == DJ_BLOCK_NOTE    ? &notes
           : kind == DJ_BLOCK_LINK    ? &links
           : kind == DJ_BLOCK_COMMAND ? &commands
                                      : NULL;
}

void dj_document_write_html(struct dj_text *text, const struct dj_document *document)
{
    const struct list *open = NULL;
    for (size_t i = 0; i < document->block_count; i++) {
        const struct list *list = find_list(document->blocks[i].kind);
        if (list != open) {
            dj_text_add(text, open != NULL ? open->close : "");
            dj_text_add(text, list != NULL ? list->open : "");
            open = list;
        }
        write_block(text, &document->blocks[i]);
    }
    dj_text_add(text, open != NULL ? open->close : "");
}

void dj_document_write_page_frame(struct dj_text *before, struct dj_text *after,
                                  const struct dj_document *summary)
{
    struct dj_text parts[DJ_PAGE_END] = {{0}};
    struct dj_text markdown = {0};
    struct dj_text *text = before;
    dj_html_escape(&parts[DJ_PAGE_TITLE],
                   summary->title != NULL ? summary->title : "dejank");
    dj_document_write_markdown(&markdown, summary);
    dj_json_add_text(&parts[DJ_PAGE_DATA], NULL, &markdown);
    for (size_t i = 0; i < dj_document_page.piece_count; i++) {
        const struct dj_page_piece *piece = &dj_document_page.pieces[i];
        dj_text_append(text, (const char *)piece->bytes, piece->length);
        text = piece->slot == DJ_PAGE_PLAIN ? after : text;
        dj_text_add(text,
                    piece->slot != DJ_PAGE_END ? dj_xtext(&parts[piece->slot]) : "");
    }
    for (size_t i = 0; i < DJ_PAGE_END; i++) {
        dj_text_finish(&parts[i]);
    }
}

void dj_document_write_page(struct dj_text *text, const struct dj_document *document)
{
    struct dj_text after = {0};
    dj_document_write_page_frame(text, &after, document);
    dj_document_write_html(text, document);
    dj_text_add(text, dj_xtext(&after));
    dj_text_finish(&after);
}
