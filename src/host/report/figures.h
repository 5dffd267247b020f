/* The figures of a view as rows of text: as hwui prints them, exact, and by the guide's
 * plain difference. */
#ifndef DEJANK_REPORT_FIGURES_H
#define DEJANK_REPORT_FIGURES_H

#include "report/view.h"

enum { DJ_FIGURE_TEXT = 48, DJ_FIGURE_ROWS = 28 };

/* The columns a figure may stand in. */
enum dj_figure_column {
    DJ_FIGURE_HWUI,        /* bucket labels and counters as the dump prints them */
    DJ_FIGURE_EXACT,       /* of the rows, from their nanoseconds */
    DJ_FIGURE_GUIDE_TOTAL, /* of the rows, FrameCompleted − IntendedVsync */
    DJ_FIGURE_COLUMNS
};

/* An empty cell says that this source has no such figure. */
struct dj_figure {
    char name[DJ_FIGURE_TEXT];
    bool headline; /* one of the few to show large */
    char cell[DJ_FIGURE_COLUMNS][DJ_FIGURE_TEXT];
};

struct dj_figures {
    struct dj_figure row[DJ_FIGURE_ROWS];
    size_t count;
    bool has[DJ_FIGURE_COLUMNS]; /* a column in which anything stands */
};

/* A column's heading: "hwui", "exact", "guide_total". */
const char *dj_figure_column_name(enum dj_figure_column column);

/* One sentence on what the columns are. */
const char *dj_figures_about(const struct dj_view *view);

/* The table; no rows where no frame was counted. */
struct dj_figures dj_figures_of(const struct dj_view *view);

#endif
