/* Progress of something that takes a known time, or goes on until it is ended: a bar on a
 * terminal, a line now and then elsewhere. On stderr. */
#ifndef DEJANK_CLI_PROGRESS_H
#define DEJANK_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Zero it, then dj_progress_start(). */
struct dj_progress {
    bool terminal;
    bool drawn;      /* a bar stands on the current line */
    int64_t told_ns; /* elapsed time of the last plain line */
};

void dj_progress_start(struct dj_progress *progress);

/* `what` follows the time: "240 frames". `duration_ns` 0: nobody knows how long it
 * takes. */
void dj_progress_show(struct dj_progress *progress, int64_t elapsed_ns,
                      int64_t duration_ns, const char *what);

/* Takes the bar off the line, so that other talk can follow. */
void dj_progress_clear(struct dj_progress *progress);

#endif
