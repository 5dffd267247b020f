/* Documents as Markdown. */
#include <string.h>

#include "memory/memory.h"
#include "report/document/render.h"
#include "report/escape/markdown.h"
#include "report/terminal/lines.h"

enum { CHART_WIDTH = 80 };

static void write_row(struct dj_text *text, const struct dj_table *table, size_t first)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const struct dj_text *cell = &table->cells[first + i].text;
        dj_text_add(text, "| ");
        dj_markdown_escape(text, cell->length > 0 ? dj_xtext(cell) : "–");
        dj_text_add(text, " ");
    }
    dj_text_add(text, "|\n");
}

static void write_table(struct dj_text *text, const struct dj_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const struct dj_table_column *column = &table->columns[i];
        dj_text_add(text, "| ");
        dj_markdown_escape(text, column->label);
        if (column->unit != NULL) {
            dj_text_add(text, column->label[0] != '\0' ? ", " : "");
            dj_markdown_escape(text, column->unit);
        }
        dj_text_add(text, " ");
    }
    dj_text_add(text, "|\n");
    for (size_t i = 0; i < table->column_count; i++) {
        dj_text_add(text, table->columns[i].is_number ? "|--:" : "|---");
    }
    dj_text_add(text, "|\n");
    for (size_t i = 0; i < table->cell_count; i += table->column_count) {
        write_row(text, table, i);
    }
}

static void write_chart(struct dj_text *text, const struct dj_chart *chart)
{
    struct dj_text drawn = {0};
    struct dj_terminal out = dj_terminal_init(
        &drawn, &(struct dj_terminal_style){.width = CHART_WIDTH, .unicode = true});
    dj_chart_write_terminal(&out, chart);
    dj_text_format(text, "```text\n%s```\n", dj_xtext(&drawn));
    dj_text_finish(&drawn);
}

/* Writes an item of a list: the command as code, and then its purpose. */
static void write_command(struct dj_text *text, const struct dj_block *block)
{
    dj_text_add(text, "* ");
    dj_markdown_write_code(text, block->text);
    dj_text_add(text, ": ");
    dj_markdown_escape(text, block->label);
}

static void write_block(struct dj_text *text, const struct dj_block *block)
{
    switch (block->kind) {
    case DJ_BLOCK_HEADING:
        for (int i = 0; i <= block->level; i++) {
            dj_text_add(text, i < block->level ? "#" : " ");
        }
        dj_markdown_escape(text, block->text);
        break;
    case DJ_BLOCK_VERDICT:
        dj_text_add(text, "**");
        dj_markdown_escape(text, block->text);
        dj_text_add(text, "**");
        break;
    case DJ_BLOCK_FIELD:
        dj_text_add(text, "* **");
        dj_markdown_escape(text, block->label);
        dj_text_add(text, "**: ");
        dj_markdown_escape(text, block->text);
        break;
    case DJ_BLOCK_COMMAND:
        write_command(text, block);
        break;
    case DJ_BLOCK_DETAILS:
        dj_text_format(text, "<details><summary>%s</summary>", block->text);
        break;
    case DJ_BLOCK_END:
        dj_text_add(text, "</details>");
        break;
    case DJ_BLOCK_TABLE:
        write_table(text, &block->table);
        return;
    case DJ_BLOCK_CHART:
        write_chart(text, block->chart);
        return;
    default:
        dj_text_add(text, block->kind == DJ_BLOCK_NOTE ? "* " : "");
        dj_markdown_escape(text, block->text);
    }
    dj_text_add(text, "\n");
}

static bool is_item(enum dj_block_kind kind)
{
    return kind == DJ_BLOCK_NOTE || kind == DJ_BLOCK_FIELD || kind == DJ_BLOCK_COMMAND;
}

void dj_document_write_markdown(struct dj_text *text, const struct dj_document *document)
{
    for (size_t i = 0; i < document->block_count; i++) {
        const struct dj_block *block = &document->blocks[i];
        if (dj_document_is_served(block->kind)) {
            continue;
        }
        bool same = i > 0 && is_item(block->kind) && block[-1].kind == block->kind;
        dj_text_add(text, i > 0 && !same ? "\n" : "");
        write_block(text, block);
    }
}
