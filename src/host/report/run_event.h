/* Events of measured runs as text, for people and for scripts. */
#ifndef DEJANK_REPORT_RUN_EVENT_H
#define DEJANK_REPORT_RUN_EVENT_H

#include "measure/play.h"

/* ---- for people ---- */

/* The state of one device, for its line of the progress display. */
struct dj_run_cell {
    const char *device;
    const char *what;                /* "A 3/10", "waits" */
    int64_t elapsed_ns, duration_ns; /* of the window; 0: none is open */
    int64_t done, planned;
    int64_t left_ns; /* time until all runs are done; −1: unknown */
    char last[96];   /* result of the last run; "" */
};

/* `width` columns at most, no newline. */
void dj_report_run_cell(struct dj_text *text, const struct dj_run_cell *cell, int width,
                        int name_width);

/* "2 m 05 s", "14 s", "1 h 03 m". */
void dj_report_time_left(struct dj_text *text, int64_t ns);

/* Appends the outcome in words: "app crashed". */
void dj_report_run_outcome(struct dj_text *text, enum dj_run_outcome outcome);

/* "600 frames, p50 8.0 ms, p95 12.3 ms, 2.1 % janky", without unknown figures. */
void dj_report_run_figures(struct dj_text *text, const struct dj_metrics *metrics);

/* The same without the number of frames and p50, for the progress display. */
void dj_report_run_figures_short(struct dj_text *text, const struct dj_metrics *metrics);

/* Appends the event as a line of JSON, without its newline. Appends nothing for kinds
 * that scripts do not need. */
void dj_report_run_event_json(struct dj_text *text, const struct dj_batch_plan *plan,
                              const struct dj_play_event *event);

#endif
