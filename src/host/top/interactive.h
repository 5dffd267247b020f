/* The interactive form of `dejank top`. */
#ifndef DEJANK_TOP_INTERACTIVE_H
#define DEJANK_TOP_INTERACTIVE_H

#include "top/views.h"

/* Shows the apps until the user quits, `stop` is set, or the host time `end_ns` has
 * passed. The screen must be open. Returns an error of a device. */
int dj_top_run_interactive(struct dj_top_views *views, const char *order, int64_t end_ns,
                           const struct dj_interrupt_request *stop, struct dj_error *err);

#endif
