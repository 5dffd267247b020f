/* Cells of CSV files (RFC 4180) that spreadsheets and terminals show safely. */
#ifndef DEJANK_BASE_CSV_H
#define DEJANK_BASE_CSV_H

#include "base/text.h"

enum dj_csv_style {
    DJ_CSV_QUOTED = 1,  /* always in quotes */
    DJ_CSV_ONE_LINE = 2 /* line ends and tabs become \x0a and \x09 */
};

/* Appends a cell with a string from outside; NULL is an empty cell. Escapes control
 * characters like dj_text_append_escaped(). A spreadsheet would run a cell that begins
 * with =
 * + - @ as a formula: such a cell gets a leading apostrophe, unless it is a decimal
 * number. */
void dj_csv_append_cell(struct dj_text *text, const char *value, unsigned style);

#endif
