#include "report/terminal/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "memory/memory.h"

/* Counts characters; each is assumed to be one column wide. */
static size_t width_of(const char *cell)
{
    size_t width = 0;
    for (size_t length = strlen(cell); length > 0; width++) {
        struct dj_utf8 next = dj_utf8_at(cell, length);
        cell += next.bytes;
        length -= next.bytes;
    }
    return width;
}

void dj_table_add(struct dj_text_table *table, const char *cell)
{
    size_t start = table->cells.length;
    size_t column = table->cell_count++ % table->column_count;
    if (cell == NULL) {
        dj_text_add(&table->cells, "–");
    } else {
        dj_text_append_escaped_name(&table->cells, cell);
    }
    dj_text_append(&table->cells, "", 1);
    size_t width = width_of(dj_xtext(&table->cells) + start);
    table->width[column] = width > table->width[column] ? width : table->width[column];
}

void dj_table_format(struct dj_text_table *table, const char *format, ...)
{
    char cell[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cell, sizeof(cell), format, arguments);
    va_end(arguments);
    dj_table_add(table, cell);
}

void dj_table_init(struct dj_text_table *table,
                   const struct dj_text_table_column *columns, size_t column_count)
{
    *table = (struct dj_text_table){.columns = columns, .column_count = column_count};
    for (size_t i = 0; i < column_count; i++) {
        dj_table_add(table, columns[i].title);
    }
}

static void put_blanks(struct dj_text *text, size_t count)
{
    while (count-- > 0) {
        dj_text_append(text, " ", 1);
    }
}

void dj_table_append(const struct dj_text_table *table, const char *indent,
                     struct dj_text *text)
{
    const char *cell = table->cells.data;
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t column = i % table->column_count;
        bool last = column + 1 == table->column_count;
        size_t blanks = table->width[column] - width_of(cell);
        if (column == 0) {
            dj_text_add(text, indent);
        }
        put_blanks(text, table->columns[column].right ? blanks : 0);
        dj_text_add(text, cell);
        put_blanks(text, table->columns[column].right || last ? 0 : blanks);
        dj_text_add(text, last ? "\n" : "  ");
        cell += strlen(cell) + 1;
    }
}

void dj_table_finish(struct dj_text_table *table)
{
    dj_text_finish(&table->cells);
}
