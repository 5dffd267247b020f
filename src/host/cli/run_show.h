/* Shows the progress of a batch to a person or a script. */
#ifndef DEJANK_CLI_RUN_SHOW_H
#define DEJANK_CLI_RUN_SHOW_H

#include "measure/play.h"

struct dj_run_view;

struct dj_run_view *dj_run_view_open(const struct dj_batch_plan *plan, bool json_lines);

/* The callback `event` of struct dj_play_world; `user` is the view. */
void dj_run_view_event(void *user, const struct dj_play_event *event);

void dj_run_view_close(struct dj_run_view *view);

#endif
