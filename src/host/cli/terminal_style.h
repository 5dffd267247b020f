/* What the terminal takes, for verbs that draw on it. */
#ifndef DEJANK_CLI_TERMINAL_STYLE_H
#define DEJANK_CLI_TERMINAL_STYLE_H

#include "report/terminal.h"

/* COLUMNS wins over what the terminal says of itself; no terminal, no colours and 80
 * columns; NO_COLOR is honoured. Sets the locale's characters (LC_CTYPE). */
struct dj_terminal_style dj_terminal_style(void);

/* Whether its width is a terminal's, or was asked for. */
bool dj_terminal_is_told(void);

#endif
