/* Shows on stderr the progress of a job with or without a known duration: a bar on a
 * terminal, else a line now and then. */
#ifndef DEJANK_CLI_PROGRESS_H
#define DEJANK_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Zero it, then dj_progress_start(). */
struct dj_progress {
    bool terminal;
    bool drawn;           /* the current line of the terminal is a bar */
    int64_t last_line_ns; /* elapsed time of the last plain line */
};

void dj_progress_start(struct dj_progress *progress);

/* `what` follows the time: "240 frames". `duration_ns` 0: the duration is unknown. */
void dj_progress_show(struct dj_progress *progress, int64_t elapsed_ns,
                      int64_t duration_ns, const char *what);

/* Removes the bar, so that other messages can follow. */
void dj_progress_clear(struct dj_progress *progress);

#endif
