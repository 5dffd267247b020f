/* Shows the progress of a batch to a person or a script. */
#ifndef DEJANK_CLI_RUN_PROGRESS_VIEW_H
#define DEJANK_CLI_RUN_PROGRESS_VIEW_H

#include "measure/play.h"

struct dj_progress_view;

/* Creates a view for a plan. With `json_lines` it prints events on stdout as JSON,
 * otherwise lines and a display on stderr. The plan must outlive the view. */
struct dj_progress_view *dj_progress_view_create(const struct dj_batch_plan *plan,
                                                 bool json_lines);

/* Shows an event. This is the callback `event` of struct dj_play_context, and `user` is
 * the view. */
void dj_progress_view_add_event(void *user, const struct dj_play_event *event);

/* Removes the display from the terminal, and frees the view. */
void dj_progress_view_destroy(struct dj_progress_view *view);

#endif
