/* Rows of short texts in columns, for people. */
#ifndef DEJANK_REPORT_TERMINAL_TABLE_H
#define DEJANK_REPORT_TERMINAL_TABLE_H

#include "base/text.h"

enum { DJ_TABLE_COLUMNS = 16 };

struct dj_text_table_column {
    const char *title;
    bool right; /* numbers */
};

/* Begin it with dj_table_init(); finish it in every case. */
struct dj_text_table {
    const struct dj_text_table_column *columns;
    size_t column_count;
    struct dj_text cells; /* each ended by a NUL, row after row */
    size_t cell_count;
    size_t width[DJ_TABLE_COLUMNS];
};

/* column_count ≤ DJ_TABLE_COLUMNS. The titles are the first row. */
void dj_table_init(struct dj_text_table *table,
                   const struct dj_text_table_column *columns, size_t column_count);

/* The next cell; what is no plain text in it is escaped. NULL: "–", unknown. */
void dj_table_add(struct dj_text_table *table, const char *cell);
void dj_table_format(struct dj_text_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends the whole table, two blanks between columns, `indent` before each line. */
void dj_table_append(const struct dj_text_table *table, const char *indent,
                     struct dj_text *text);

void dj_table_finish(struct dj_text_table *table);

#endif
