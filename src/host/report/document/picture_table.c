/* Draws tables with cairo. */
#include <stdlib.h>

#include "memory/memory.h"
#include "report/document/picture_chart.h"
#include "report/picture/plot.h"

enum { CONTENT = DJ_CANVAS_WIDTH - 2 * DJ_CANVAS_MARGIN, GAP = 28, LINE = 22 };

static const struct dj_canvas_font font = {.size = 14, .ink = DJ_INK_TEXT};
static const struct dj_canvas_font head = {.size = 13, .ink = DJ_INK_MUTED};

static const char *get_text(const struct dj_cell *cell)
{
    return cell->text.length > 0 ? dj_xtext(&cell->text) : "–";
}

static void write_label(struct dj_text *text, const struct dj_table_column *column)
{
    dj_text_add(text, column->label);
    if (column->unit != NULL) {
        dj_text_format(text, "%s%s", column->label[0] != '\0' ? ", " : "", column->unit);
    }
}

/* Sets the width of each column. Returns the width of the table. */
static double measure_columns(struct dj_canvas *canvas, const struct dj_table *table,
                              double *widths)
{
    struct dj_text label = {0};
    double total = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        write_label(&label, &table->columns[i]);
        widths[i] = dj_canvas_measure_text(canvas, &head, dj_xtext(&label));
        dj_text_clear(&label);
    }
    for (size_t i = 0; i < table->cell_count; i++) {
        double width = dj_canvas_measure_text(canvas, &font, get_text(&table->cells[i]));
        double *widest = &widths[i % table->column_count];
        *widest = width > *widest ? width : *widest;
    }
    for (size_t i = 0; i < table->column_count; i++) {
        total += widths[i] + (i > 0 ? GAP : 0);
    }
    dj_text_finish(&label);
    return total;
}

/* Draws the text of a column that starts at x. */
static void draw_cell(struct dj_canvas *canvas, const struct dj_canvas_font *type,
                      bool is_number, double x, double width, double y, const char *text)
{
    struct dj_canvas_font aligned = *type;
    aligned.align = is_number ? DJ_ALIGN_RIGHT : DJ_ALIGN_LEFT;
    dj_canvas_draw_text(canvas, is_number ? x + width : x, y + 15, &aligned, text);
}

static double draw_rows(struct dj_canvas *canvas, const struct dj_table *table,
                        const double *widths, double y)
{
    double x = DJ_CANVAS_MARGIN;
    struct dj_text label = {0};
    for (size_t i = 0; i < table->column_count; i++) {
        write_label(&label, &table->columns[i]);
        draw_cell(canvas, &head, table->columns[i].is_number, x, widths[i], y,
                  dj_xtext(&label));
        dj_text_clear(&label);
        x += widths[i] + GAP;
    }
    dj_text_finish(&label);
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t column = i % table->column_count;
        x = column == 0 ? DJ_CANVAS_MARGIN : x;
        y += column == 0 ? LINE : 0;
        draw_cell(canvas, &font, table->columns[column].is_number, x, widths[column], y,
                  get_text(&table->cells[i]));
        x += widths[column] + GAP;
    }
    return y + LINE;
}

double dj_table_draw(struct dj_canvas *canvas, const struct dj_table *table, double y)
{
    double *widths = dj_xcalloc(table->column_count, sizeof(*widths));
    if (measure_columns(canvas, table, widths) <= CONTENT) {
        y = draw_rows(canvas, table, widths, y) + GAP / 2.0;
    }
    free(widths);
    return y;
}
