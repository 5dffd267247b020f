/* The figures of a view as rows of text. The columns are the figures that hwui prints,
 * the exact figures, and the figures by the simple difference of Android's guide. */
#ifndef DEJANK_REPORT_VIEW_FIGURES_H
#define DEJANK_REPORT_VIEW_FIGURES_H

#include "report/view/view.h"

enum { DJ_FIGURE_TEXT = 48, DJ_FIGURE_ROWS = 28 };

/* The sources of a figure. */
enum dj_figure_column {
    DJ_FIGURE_HWUI,        /* Bucket labels and counters as the dump prints them. */
    DJ_FIGURE_EXACT,       /* Computed from the nanoseconds of the rows. */
    DJ_FIGURE_GUIDE_TOTAL, /* Computed from FrameCompleted − IntendedVsync of the rows. */
    DJ_FIGURE_COLUMNS
};

/* A row of the table. A cell is empty if the source lacks the figure. */
struct dj_figure {
    char name[DJ_FIGURE_TEXT];
    bool is_headline; /* One of the few that are shown large. */
    char cell[DJ_FIGURE_COLUMNS][DJ_FIGURE_TEXT];
};

struct dj_figures {
    struct dj_figure row[DJ_FIGURE_ROWS];
    size_t count;
    bool has[DJ_FIGURE_COLUMNS]; /* Whether any row has a cell in the column. */
};

/* Returns a column's heading: "as printed", "exact" or "guide_total". */
const char *dj_figures_get_column_name(enum dj_figure_column column);

/* Returns a sentence that explains the columns. */
const char *dj_figures_explain(const struct dj_view *view);

/* Computes the table. It has no rows if no frame was counted. */
struct dj_figures dj_figures_compute(const struct dj_view *view);

#endif
