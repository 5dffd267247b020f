/* Stacked bars on a terminal, with the deadline: whatever their parts are. */
#ifndef DEJANK_REPORT_TERMINAL_BARS_H
#define DEJANK_REPORT_TERMINAL_BARS_H

#include "report/terminal_page.h"

enum { DJ_BAR_PARTS = DJ_STAGE_COUNT };

/* One bar: the length of each part, and what it is judged by. */
struct dj_bar {
    int64_t part_ns[DJ_BAR_PARTS];
    int64_t total_ns;
};

struct dj_bar_look {
    char letter; /* where there are no colours */
    int color;   /* of the 256 */
    const char *name;
};

struct dj_bars {
    const char *title;
    const char *word; /* for one bar: "frame" */
    const struct dj_view *view;
    size_t count; /* > 0 */
    struct dj_bar (*bar)(const struct dj_view *view, size_t index);
    const struct dj_bar_look *looks;
    uint32_t known; /* bit n: part n occurs */
};

/* A heading, the chart, its legend, and how it was made to fit the width. */
void dj_terminal_bars(struct dj_terminal *out, const struct dj_bars *bars);

#endif
