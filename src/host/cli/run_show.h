/* What a person or a script sees of a batch while it is played. */
#ifndef DEJANK_CLI_RUN_SHOW_H
#define DEJANK_CLI_RUN_SHOW_H

#include "measure/play.h"

struct dj_run_view;

struct dj_run_view *dj_run_view_open(const struct dj_batch_plan *plan, bool json_lines);

/* struct dj_play_world's `event`; user is the view. */
void dj_run_view_event(void *user, const struct dj_play_event *event);

void dj_run_view_close(struct dj_run_view *view);

/* ---- its parts, for tests ---- */

/* One device's line of the grid. */
struct dj_run_cell {
    const char *device;
    const char *what;                /* "A 3/10", "waits" */
    int64_t elapsed_ns, duration_ns; /* of the window; 0: none is open */
    int64_t done, planned;
    char last[96]; /* figures of the last run; "" */
};

/* `width` columns at most, no newline. */
void dj_run_cell_line(struct dj_text *text, const struct dj_run_cell *cell, int width,
                      int name_width);

/* "2 m 05 s", "14 s", "1 h 03 m". */
void dj_run_time_left(struct dj_text *text, int64_t ns);

/* "p50 8.0 p95 12.3 ms, 2.1 % janky"; what is unknown is left out. */
void dj_run_figures(struct dj_text *text, const struct dj_metrics *metrics);

/* The event as a line of JSON, without its newline. Appends nothing for kinds that
 * scripts are not told of. */
void dj_run_event_json(struct dj_text *text, const struct dj_batch_plan *plan,
                       const struct dj_play_event *event);

#endif
