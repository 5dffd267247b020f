/* The size, colours and characters of the terminal. */
#ifndef DEJANK_CLI_TERMINAL_STYLE_H
#define DEJANK_CLI_TERMINAL_STYLE_H

#include "report/document.h"

/* Returns the style of stdout. The variable COLUMNS replaces the terminal's own width.
 * Without a terminal, the style has 80 columns and no colours. NO_COLOR disables colours.
 * Sets LC_CTYPE of the locale. */
struct dj_terminal_style dj_terminal_style(void);

/* Returns whether the width comes from a terminal or from COLUMNS. Otherwise 80 columns
 * are assumed. */
bool dj_terminal_width_is_known(void);

/* Appends the document in the style of stdout, and finishes it. `with_details` also shows
 * the details. */
void dj_cli_append_document(struct dj_text *text, struct dj_document *document,
                            bool with_details);

#endif
