/* The report as text for a terminal: figures, histogram of frame times with the deadline,
 * stacked bars per stage. */
#ifndef DEJANK_REPORT_TERMINAL_H
#define DEJANK_REPORT_TERMINAL_H

#include "report/view.h"

enum { DJ_TERMINAL_LEAST = 20, DJ_TERMINAL_MOST = 200 };

struct dj_terminal_style {
    /* Columns, limited to DJ_TERMINAL_LEAST … DJ_TERMINAL_MOST. For triage, 0: sentences
     * are not wrapped. */
    int width;
    bool color;   /* ANSI colours (256); without them stages are letters. */
    bool unicode; /* Block characters, and names unchanged; else ASCII only. */
};

/* Appends the report of all views. No line is wider than the style's width. */
void dj_report_terminal(struct dj_text *text, const struct dj_views *views,
                        const struct dj_terminal_style *style);

#endif
