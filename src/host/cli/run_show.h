/* What a person or a script sees of a batch while it is played. */
#ifndef DEJANK_CLI_RUN_SHOW_H
#define DEJANK_CLI_RUN_SHOW_H

#include "measure/play.h"

struct dj_run_view;

struct dj_run_view *dj_run_view_open(const struct dj_batch_plan *plan, bool json_lines);

/* struct dj_play_world's `event`; user is the view. */
void dj_run_view_event(void *user, const struct dj_play_event *event);

void dj_run_view_close(struct dj_run_view *view);

#endif
