/* Events of measured runs as text, for people and for scripts. */
#ifndef DEJANK_REPORT_RUN_EVENT_H
#define DEJANK_REPORT_RUN_EVENT_H

#include "measure/play.h"

/* The state of one device, for its line of the progress display. */
struct dj_run_cell {
    const char *device;
    const char *what; /* Current activity, such as "A 3/10" or "waits". */
    /* Elapsed time of the current measurement window, and its length. Both are 0 if no
     * window is open. */
    int64_t elapsed_ns, duration_ns;
    int64_t done, planned;
    int64_t left_ns; /* Time until all runs are done, or −1 if it is unknown. */
    char last[96];   /* Result of the last run, or "" before the first one. */
};

/* Appends the line of a device in at most `width` columns, without a newline. */
void dj_report_run_cell(struct dj_text *text, const struct dj_run_cell *cell, int width,
                        int name_width);

/* Appends a time such as "2 m 05 s", "14 s" or "1 h 03 m". */
void dj_report_time_left(struct dj_text *text, int64_t ns);

/* Appends the outcome in words: "app crashed". */
void dj_report_run_outcome(struct dj_text *text, enum dj_run_outcome outcome);

/* Appends the figures of a run without the unknown ones: "600 frames, p50 8.0 ms, p95
 * 12.3 ms, 2.1 % janky". */
void dj_report_run_figures(struct dj_text *text, const struct dj_metrics *metrics);

/* Like dj_report_run_figures(), but without the number of frames and p50. Used by the
 * progress display. */
void dj_report_run_figures_short(struct dj_text *text, const struct dj_metrics *metrics);

/* Appends the line of an event. Returns false for events that have no line. `has_display`
 * says that a progress display also shows the results of usable runs: they then have no
 * line. */
bool dj_report_run_event_line(struct dj_text *line, const struct dj_batch_plan *plan,
                              const struct dj_play_event *event, bool has_display);

/* The progress of all devices of a plan. */
struct dj_run_progress;

/* Creates the state before the first event. The plan must outlive it. */
struct dj_run_progress *dj_report_run_progress_create(const struct dj_batch_plan *plan);
void dj_report_run_progress_destroy(struct dj_run_progress *progress);

/* Adds an event. `now_ns` is the host's CLOCK_MONOTONIC. */
void dj_report_run_progress_add(struct dj_run_progress *progress,
                                const struct dj_play_event *event, int64_t now_ns);

/* Appends a line for each device that has not ended, and a line with sums if there are
 * several devices. A line has at most `width` columns. The last line has no newline.
 * Omits devices for which `lines` leaves no space. Returns the number of lines. */
size_t dj_report_run_progress_write(struct dj_run_progress *progress, int64_t now_ns,
                                    int width, size_t lines, struct dj_text *text);

/* Appends the event as a line of JSON, without its newline. Appends nothing for kinds
 * that scripts do not need. */
void dj_report_run_event_json(struct dj_text *text, const struct dj_batch_plan *plan,
                              const struct dj_play_event *event);

#endif
