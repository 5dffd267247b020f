#include "report/document.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "memory/memory.h"
#include "report/terminal/lines.h"

static struct dj_block *get_last(struct dj_document *document)
{
    return &document->blocks[document->block_count - 1];
}

static void free_field(struct dj_web_field *field)
{
    free((char *)field->name);
    free((char *)field->label);
    free((char *)field->value);
    free((char *)field->choices);
}

static void free_block(struct dj_block *block)
{
    for (size_t i = 0; i < block->table.cell_count; i++) {
        dj_text_finish(&block->table.cells[i].text);
        dj_text_finish(&block->table.cells[i].target);
    }
    for (size_t i = 0; i < block->table.column_count; i++) {
        free((char *)block->table.columns[i].label);
        free((char *)block->table.columns[i].unit);
    }
    free(block->table.columns);
    free(block->table.cells);
    dj_chart_free(block->chart);
    for (size_t i = 0; i < block->form.field_count; i++) {
        free_field(&block->form.fields[i]);
    }
    free(block->form.fields);
    free((char *)block->form.action);
    free((char *)block->form.submit);
    free(block->label);
    free(block->text);
}

static void remove_last(struct dj_document *document)
{
    free_block(get_last(document));
    document->block_count--;
}

static void remove_empty_table(struct dj_document *document)
{
    if (document->block_count > 0 && get_last(document)->kind == DJ_BLOCK_TABLE &&
        get_last(document)->table.cell_count == 0) {
        remove_last(document);
    }
}

static struct dj_block *add_block(struct dj_document *document, enum dj_block_kind kind)
{
    remove_empty_table(document);
    DJ_XPUSH(document->blocks, document->block_count, (struct dj_block){.kind = kind});
    return &document->blocks[document->block_count - 1];
}

static struct dj_block *add_words(struct dj_document *document, enum dj_block_kind kind,
                                  struct dj_text *words)
{
    struct dj_block *block = add_block(document, kind);
    block->text = dj_xtext_detach(words);
    return block;
}

void dj_document_finish(struct dj_document *document)
{
    for (size_t i = 0; i < document->block_count; i++) {
        free_block(&document->blocks[i]);
    }
    free(document->blocks);
    free(document->title);
    *document = (struct dj_document){0};
}

void dj_document_set_title(struct dj_document *document, const char *title)
{
    char *copy = dj_xstrdup(title);
    free(document->title);
    document->title = copy;
}

void dj_document_add_heading(struct dj_document *document, int level, const char *title)
{
    struct dj_text words = {0};
    dj_text_add(&words, title);
    dj_document_add_section(document, level, NULL, &words);
}

void dj_document_add_section(struct dj_document *document, int level, const char *id,
                             struct dj_text *words)
{
    struct dj_block *block = add_words(document, DJ_BLOCK_HEADING, words);
    block->level = level;
    block->label = dj_xstrdup(id);
}

void dj_document_add_verdict(struct dj_document *document, enum dj_tone tone,
                             struct dj_text *words)
{
    add_words(document, DJ_BLOCK_VERDICT, words)->tone = tone;
}

void dj_document_add_paragraph(struct dj_document *document, struct dj_text *words)
{
    add_words(document, DJ_BLOCK_PARAGRAPH, words);
}

void dj_document_add_note(struct dj_document *document, enum dj_tone tone,
                          struct dj_text *words)
{
    add_words(document, DJ_BLOCK_NOTE, words)->tone = tone;
}

void dj_document_add_field(struct dj_document *document, const char *label,
                           struct dj_text *value)
{
    if (value->length == 0) {
        dj_text_finish(value);
        return;
    }
    add_words(document, DJ_BLOCK_FIELD, value)->label = dj_xstrdup(label);
}

void dj_document_add_command(struct dj_document *document, const char *command,
                             const char *purpose)
{
    struct dj_block *block = add_block(document, DJ_BLOCK_COMMAND);
    block->text = dj_xstrdup(command);
    block->label = dj_xstrdup(purpose);
}

void dj_document_add_link(struct dj_document *document, const char *path,
                          const char *title)
{
    struct dj_block *block = add_block(document, DJ_BLOCK_LINK);
    block->text = dj_xstrdup(title);
    block->label = dj_xstrdup(path);
}

void dj_document_add_form(struct dj_document *document, const struct dj_web_form *form)
{
    struct dj_web_form *copy = &add_block(document, DJ_BLOCK_FORM)->form;
    *copy = *form;
    copy->action = dj_xstrdup(form->action);
    copy->submit = dj_xstrdup(form->submit);
    copy->fields = dj_xcalloc(form->field_count, sizeof(*copy->fields));
    for (size_t i = 0; i < form->field_count; i++) {
        const struct dj_web_field *field = &form->fields[i];
        copy->fields[i] = (struct dj_web_field){dj_xstrdup(field->name),
                                                dj_xstrdup(field->label),
                                                dj_xstrdup(field->value),
                                                dj_xstrdup(field->choices),
                                                field->kind,
                                                field->folded};
    }
}

void dj_document_begin_details(struct dj_document *document, const char *title,
                               bool folded)
{
    struct dj_block *block = add_block(document, DJ_BLOCK_DETAILS);
    block->text = dj_xstrdup(title);
    block->folded = folded;
}

void dj_document_omit_details(struct dj_document *document, const char *title)
{
    dj_document_begin_details(document, title, true);
    add_block(document, DJ_BLOCK_END);
}

void dj_document_end_details(struct dj_document *document)
{
    remove_empty_table(document);
    if (get_last(document)->kind == DJ_BLOCK_DETAILS) {
        remove_last(document);
    } else {
        add_block(document, DJ_BLOCK_END);
    }
}

void dj_document_begin_table(struct dj_document *document,
                             const struct dj_table_column *columns, size_t column_count)
{
    struct dj_table *table = &add_block(document, DJ_BLOCK_TABLE)->table;
    table->columns = dj_xcalloc(column_count, sizeof(*columns));
    table->column_count = column_count;
    for (size_t i = 0; i < column_count; i++) {
        table->columns[i] = columns[i];
        table->columns[i].label = dj_xstrdup(columns[i].label);
        table->columns[i].unit = dj_xstrdup(columns[i].unit);
    }
}

struct dj_cell *dj_document_add_cell(struct dj_document *document)
{
    struct dj_table *table = &get_last(document)->table;
    DJ_XPUSH(table->cells, table->cell_count, (struct dj_cell){0});
    return &table->cells[table->cell_count - 1];
}

void dj_document_add_row(struct dj_document *document, const void *record)
{
    const struct dj_table *table = &get_last(document)->table;
    for (size_t i = 0; i < table->column_count; i++) {
        table->columns[i].get(dj_document_add_cell(document), record);
    }
}

void dj_cell_format(struct dj_cell *cell, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    dj_xcheck(vasprintf(&text, format, arguments) >= 0);
    va_end(arguments);
    dj_text_add(&cell->text, text);
    free(text);
}

void dj_cell_set_sparkline(struct dj_cell *cell, const double *values, size_t count)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    for (size_t i = 0; i < count; i++) {
        double share = most > least ? (values[i] - least) / (most - least) : 0;
        dj_terminal_append_sparkline(&cell->text, &share, 1, true);
    }
}

void dj_cell_set_number(struct dj_cell *cell, double value, int digits)
{
    if (!isnan(value)) {
        dj_text_format(&cell->text, "%.*f", digits, value);
    }
}

void dj_document_add_chart(struct dj_document *document, struct dj_chart *chart)
{
    if (dj_chart_is_empty(chart)) {
        dj_chart_free(chart);
        return;
    }
    add_block(document, DJ_BLOCK_CHART)->chart = chart;
}

void dj_document_append(struct dj_document *document, struct dj_document *other)
{
    remove_empty_table(document);
    remove_empty_table(other);
    for (size_t i = 0; i < other->block_count; i++) {
        DJ_XPUSH(document->blocks, document->block_count, other->blocks[i]);
    }
    other->block_count = 0;
    dj_document_finish(other);
}

void dj_document_insert_before_details(struct dj_document *document,
                                       struct dj_document *other)
{
    struct dj_document result = {0};
    size_t first = 0;
    remove_empty_table(other);
    while (first < document->block_count &&
           document->blocks[first].kind != DJ_BLOCK_DETAILS) {
        first++;
    }
    for (size_t i = 0; i < document->block_count + other->block_count; i++) {
        const struct dj_block *block = i < first ? &document->blocks[i]
                                       : i < first + other->block_count
                                           ? &other->blocks[i - first]
                                           : &document->blocks[i - other->block_count];
        DJ_XPUSH(result.blocks, result.block_count, *block);
    }
    free(document->blocks);
    document->blocks = result.blocks;
    document->block_count = result.block_count;
    other->block_count = 0;
    dj_document_finish(other);
}

void dj_document_remove_commands(struct dj_document *document)
{
    size_t kept = 0;
    for (size_t i = 0; i < document->block_count; i++) {
        if (document->blocks[i].kind == DJ_BLOCK_COMMAND) {
            free_block(&document->blocks[i]);
        } else {
            document->blocks[kept++] = document->blocks[i];
        }
    }
    document->block_count = kept;
}
