/* Cells of CSV files (RFC 4180) that spreadsheets and terminals show safely. */
#ifndef DEJANK_BASE_CSV_H
#define DEJANK_BASE_CSV_H

#include "base/text.h"

enum dj_csv_style {
    DJ_CSV_QUOTED = 1,  /* The cell is always in quotes. */
    DJ_CSV_ONE_LINE = 2 /* Line feeds and tabs become \x0a and \x09. */
};

/* Appends a cell with an untrusted string. NULL gives an empty cell. Escapes control
 * characters like dj_text_append_escaped(). If the value begins with '=', '+', '-' or '@'
 * and is not a decimal number, it gets a leading apostrophe, because a spreadsheet would
 * run it as a formula. `style` is a combination of enum dj_csv_style. */
void dj_csv_append_cell(struct dj_text *text, const char *value, unsigned style);

#endif
