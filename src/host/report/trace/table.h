/* Tables of `dejank trace read`. Their rows are written one by one, because a trace can
 * have any number of them. A row is as wide as its text, or fits the terminal. */
#ifndef DEJANK_REPORT_TRACE_TABLE_H
#define DEJANK_REPORT_TRACE_TABLE_H

#include "report/trace/writer.h"

/* A column of right-aligned numbers. */
struct dj_trace_column {
    const char *label, *unit; /* The unit is NULL for plain numbers. */
    int width;                /* The width without a terminal. */
    int narrow;               /* The width on a terminal, at least that of the head. */
};

/* Columns of numbers and a last column of text. */
struct dj_trace_table {
    const struct dj_trace_column *columns;
    size_t column_count; /* Number of columns, at most DJ_TRACE_TABLE_NUMBERS. */
    const char *text_label;
    bool
        /* True if the first number, and not the text, says what the row describes. */
        first_names_row;
};

/* Starts a table: writes its head. If the terminal is too narrow for rows, the head is
 * only the label of the text. */
void dj_trace_table_begin(struct dj_table_writer *paper,
                          const struct dj_trace_table *table);

/* Starts a row. The caller then appends each number to `paper->text`, padded to the
 * column's `width`, with dj_trace_table_end_number() after each, and then the text. The
 * text contains no line break. */
void dj_trace_table_begin_row(struct dj_table_writer *paper);
void dj_trace_table_end_number(struct dj_table_writer *paper);

/* Ends a row. On a terminal, writes it again as lines that fit the width. */
void dj_trace_table_end_row(struct dj_table_writer *paper);

#endif
