#include "report/progress_bar.h"

#include <stdio.h>
#include <string.h>

enum { BAR_MOST = 40, BAR_LEAST = 4 };

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

void dj_progress_bar_append_cells(struct dj_text *text, int cells, double share)
{
    int full = (int)(share * cells);
    dj_text_add(text, "[");
    for (int i = 0; i < cells; i++) {
        dj_text_add(text, i < full ? "#" : " ");
    }
    dj_text_add(text, "] ");
}

void dj_report_progress_bar_append(struct dj_text *text, int width, int64_t elapsed_ns,
                                   int64_t duration_ns, const char *what)
{
    char time[64];
    int64_t shown_ns = elapsed_ns < duration_ns ? elapsed_ns : duration_ns;
    double share = duration_ns > 0 ? seconds(shown_ns) / seconds(duration_ns) : 1;
    snprintf(time, sizeof(time), "%.1f/%.1f s", seconds(shown_ns), seconds(duration_ns));
    int time_width = (int)strlen(time);
    int what_width = (int)strlen(what) + 1;
    int cells = width - time_width - what_width - 3;
    bool with_what = cells >= BAR_LEAST;
    cells = with_what ? cells : width - time_width - 3;
    if (cells >= BAR_LEAST) {
        dj_progress_bar_append_cells(text, cells < BAR_MOST ? cells : BAR_MOST, share);
    }
    dj_text_append(text, time, (size_t)(time_width < width ? time_width : width));
    if (with_what) {
        dj_text_format(text, " %s", what);
    }
}
