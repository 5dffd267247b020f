/* Shows the progress of a job on stderr: a bar on a terminal, from one second on,
 * otherwise a line every ten seconds. The duration of the job may be unknown. */
#ifndef DEJANK_CLI_PROGRESS_H
#define DEJANK_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "process/background.h"

/* The state of one display. */
struct dj_progress {
    bool terminal;        /* True if stderr is a terminal that can show a bar. */
    bool drawn;           /* True if the terminal's current line is a bar. */
    int64_t last_line_ns; /* Elapsed time at the last line, without a terminal. */
};

/* Initializes a display. Draws nothing. */
void dj_progress_start(struct dj_progress *progress);

/* Shows the elapsed time and `what`, such as "240 frames". `duration_ns` is 0 if the
 * duration is unknown. */
void dj_progress_show(struct dj_progress *progress, int64_t elapsed_ns,
                      int64_t duration_ns, const char *what);

/* Removes the bar, so that other messages can follow. */
void dj_progress_clear(struct dj_progress *progress);

/* A job that reports no progress of its own, such as a query. A thread shows the time. */
struct dj_progress_job {
    struct dj_progress progress;
    struct dj_background background;
    int64_t start_ns;
    char what[128];
};

/* Begins to show how long the job takes, and `what` it does, such as "checking the
 * store". Does nothing without a terminal. At most one job can be shown, and it must not
 * be moved. */
void dj_progress_begin_job(struct dj_progress_job *job, const char *what);

/* Replaces the text that says what the job does. */
void dj_progress_update_job(struct dj_progress_job *job, const char *what);

/* Removes the display of the job from the terminal. */
void dj_progress_end_job(struct dj_progress_job *job);

/* Removes the display until its next update, so that a message can be printed. Does
 * nothing if no job is shown. */
void dj_progress_hide_job(void);

#endif
