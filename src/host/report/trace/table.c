#include "report/trace/table.h"

#include <string.h>

#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/terminal/lines.h"

enum {
    GAP = 2,      /* Columns between the numbers and the text. */
    TEXT_MIN = 17 /* Minimum columns of the text. */
};

/* Returns the width of all narrow numbers of a row and the gaps after them. */
static size_t measure_numbers(const struct dj_trace_table *table)
{
    size_t total = GAP - 1;
    for (size_t i = 0; i < table->column_count; i++) {
        total += (size_t)table->columns[i].narrow + 1;
    }
    return total;
}

static struct dj_terminal open_terminal(struct dj_table_writer *paper)
{
    return dj_terminal_init(&paper->text, paper->style);
}

/* Completes a line with words, which may need several lines. */
static void wrap_text(struct dj_terminal *out, const char *line, const char *words)
{
    struct dj_text indent = {0};
    dj_text_format(&indent, "%*s", (int)strlen(line), "");
    dj_terminal_wrap(out, line, dj_xtext(&indent), words);
    dj_text_finish(&indent);
}

/* Appends the labels of the numbers. */
static void append_labels(struct dj_text *line, const struct dj_trace_table *table,
                          bool narrow)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const struct dj_trace_column *column = &table->columns[i];
        struct dj_text label = {0};
        dj_text_format(&label, "%s%s%s", column->label, column->unit != NULL ? " " : "",
                       column->unit != NULL ? column->unit : "");
        dj_text_format(line, "%s%*s", i > 0 ? " " : "",
                       narrow ? column->narrow : column->width, dj_xtext(&label));
        dj_text_finish(&label);
    }
    dj_text_format(line, "%*s", GAP, "");
}

void dj_trace_table_begin(struct dj_table_writer *paper,
                          const struct dj_trace_table *table)
{
    struct dj_terminal out = open_terminal(paper);
    struct dj_text line = {0};
    paper->table = table;
    dj_text_add(&paper->text, "\n");
    append_labels(&line, table, paper->fits_width);
    if (!paper->fits_width) {
        dj_text_format(&paper->text, "%s%s\n", dj_xtext(&line), table->text_label);
    } else if (measure_numbers(table) + TEXT_MIN <= (size_t)out.style.width) {
        wrap_text(&out, dj_xtext(&line), table->text_label);
    } else if (!table->first_names_row) {
        dj_terminal_wrap(&out, "", "", table->text_label);
    }
    dj_text_finish(&line);
}

void dj_trace_table_begin_row(struct dj_table_writer *paper)
{
    paper->row_start = paper->text.length;
    paper->number_count = 0;
}

void dj_trace_table_end_number(struct dj_table_writer *paper)
{
    paper->number_ends[paper->number_count++] = paper->text.length;
    dj_text_append(&paper->text, "  ",
                   paper->number_count == paper->table->column_count ? GAP : 1);
}

/* Returns the number in column `index` of a row, without the blanks around it. */
static struct dj_str get_number(const struct dj_table_writer *paper, const char *row,
                                size_t index)
{
    size_t start = index > 0 ? paper->number_ends[index - 1] - paper->row_start : 0;
    size_t end = paper->number_ends[index] - paper->row_start;
    while (start < end && row[start] == ' ') {
        start++;
    }
    return (struct dj_str){row + start, end - start};
}

/* Appends "total 12.000 ms" with blanks at which no line is broken. */
static void append_labelled(struct dj_text *words, const struct dj_trace_column *column,
                            struct dj_str number)
{
    /* The word "open" is not a number, so it has no unit. */
    bool has_unit = column->unit != NULL && strspn(number.at, "-.0123456789") > 0;
    for (const char *at = column->label; *at != '\0'; at++) {
        dj_text_append(words, *at == ' ' ? DJ_GLUE : at, 1);
    }
    dj_text_format(words, DJ_GLUE "%.*s%s%s", (int)number.length, number.at,
                   has_unit ? DJ_GLUE : "", has_unit ? column->unit : "");
}

/* Writes a row for which the terminal is too narrow: first its name, and below it the
 * other cells with the labels of their columns. */
static void write_record(struct dj_table_writer *paper, const char *row, const char *name)
{
    const struct dj_trace_table *table = paper->table;
    struct dj_terminal out = open_terminal(paper);
    struct dj_text title = {0}, words = {0};
    for (size_t i = 0; i < table->column_count; i++) {
        bool is_title = i == 0 && table->first_names_row;
        struct dj_str number = get_number(paper, row, i);
        if (number.length > 0) {
            dj_text_add(&words, words.length > 0 ? ", " : "");
            append_labelled(is_title ? &title : &words, &table->columns[i], number);
        }
    }
    if (table->first_names_row) {
        dj_text_format(&words, "%s%s: %s", words.length > 0 ? ", " : "",
                       table->text_label, name);
    }
    dj_terminal_wrap(&out, "", "  ", table->first_names_row ? dj_xtext(&title) : name);
    dj_text_finish(&title);
    dj_terminal_wrap_and_finish(&out, "  ", "  ", &words);
}

/* Appends the numbers in narrow columns. */
static void append_numbers(struct dj_table_writer *paper, struct dj_text *line,
                           const char *row)
{
    for (size_t i = 0; i < paper->table->column_count; i++) {
        struct dj_str number = get_number(paper, row, i);
        int blanks = paper->table->columns[i].narrow - (int)number.length;
        dj_text_format(line, "%s%*s%.*s", i > 0 ? " " : "", blanks > 0 ? blanks : 0, "",
                       (int)number.length, number.at);
    }
    dj_text_format(line, "%*s", GAP, "");
}

static void write_fitting(struct dj_table_writer *paper, const char *row,
                          const char *name)
{
    struct dj_terminal out = open_terminal(paper);
    struct dj_text line = {0};
    append_numbers(paper, &line, row);
    /* A large number can be wider than its column. */
    if (line.length + TEXT_MIN <= (size_t)out.style.width) {
        wrap_text(&out, dj_xtext(&line), name);
    } else {
        write_record(paper, row, name);
    }
    dj_text_finish(&line);
}

void dj_trace_table_end_row(struct dj_table_writer *paper)
{
    struct dj_text *text = &paper->text;
    size_t length = text->length - paper->row_start;
    if (!paper->fits_width) {
        dj_text_append(text, "\n", 1);
        return;
    }
    char *row = dj_xcopy(dj_xtext(text) + paper->row_start, length);
    text->length = paper->row_start;
    write_fitting(paper, row,
                  row + paper->number_ends[paper->number_count - 1] - paper->row_start +
                      GAP);
    dj_terminal_remove_blanks(text, paper->row_start);
    free(row);
}
