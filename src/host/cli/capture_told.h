/* What a capture came to, as its user is told it. */
#ifndef DEJANK_CLI_CAPTURE_TOLD_H
#define DEJANK_CLI_CAPTURE_TOLD_H

#include "capture/capture.h"
#include "cli/progress.h"

/* Some lines on stderr: what is in `file`, and what is not known of it. */
void dj_capture_tell(const char *file, const struct dj_capture_result *result);

/* How far it has come, while it goes on and nobody else writes to the terminal. */
void dj_capture_show(struct dj_progress *shown, const struct dj_capture_plan *plan,
                     const struct dj_capture_progress *progress, int64_t elapsed_ns);

/* Schema dejank.capture/1 (docs/format/capture.md). */
void dj_capture_json(struct dj_text *text, const char *file,
                     const struct dj_capture_result *result);

#endif
