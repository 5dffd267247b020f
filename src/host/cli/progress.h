/* Shows the progress of a job on stderr: a bar on a terminal, otherwise a line every ten
 * seconds. The duration of the job may be unknown. */
#ifndef DEJANK_CLI_PROGRESS_H
#define DEJANK_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* The state of one display. */
struct dj_progress {
    bool terminal;        /* stderr is a terminal that can show a bar */
    bool drawn;           /* the current line of the terminal is a bar */
    int64_t last_line_ns; /* elapsed time at the last line, without a terminal */
};

/* Initializes a display. Draws nothing. */
void dj_progress_start(struct dj_progress *progress);

/* Shows the elapsed time and `what`, such as "240 frames". `duration_ns` is 0 if the
 * duration is unknown. */
void dj_progress_show(struct dj_progress *progress, int64_t elapsed_ns,
                      int64_t duration_ns, const char *what);

/* Removes the bar, so that other messages can follow. */
void dj_progress_clear(struct dj_progress *progress);

#endif
