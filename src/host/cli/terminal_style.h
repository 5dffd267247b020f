/* The size, colours and characters of the terminal. */
#ifndef DEJANK_CLI_TERMINAL_STYLE_H
#define DEJANK_CLI_TERMINAL_STYLE_H

#include "report/document.h"

/* COLUMNS wins over the terminal's own width. Without a terminal: no colours, and 80
 * columns. NO_COLOR disables colours. Sets the locale's characters (LC_CTYPE). */
struct dj_terminal_style dj_terminal_style(void);

/* Whether the width is that of a terminal or of COLUMNS, not the assumed one. */
bool dj_terminal_width_is_known(void);

#endif
