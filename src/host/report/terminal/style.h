/* The width and the abilities of a terminal. */
#ifndef DEJANK_REPORT_TERMINAL_STYLE_H
#define DEJANK_REPORT_TERMINAL_STYLE_H

#include <stdbool.h>

enum { DJ_TERMINAL_MIN_WIDTH = 20, DJ_TERMINAL_MAX_WIDTH = 200 };

struct dj_terminal_style {
    /* Columns, limited to DJ_TERMINAL_MIN_WIDTH … DJ_TERMINAL_MAX_WIDTH. */
    int width;
    bool color; /* ANSI colours (256); without them stages are letters. */
    /* The terminal shows Unicode: block characters, and names without changes. Otherwise
     * the output is only ASCII. */
    bool unicode;
};

#endif
