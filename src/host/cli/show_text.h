/* `dejank show` for people: a batch's facts, its runs, what they come to. */
#ifndef DEJANK_CLI_SHOW_TEXT_H
#define DEJANK_CLI_SHOW_TEXT_H

#include "history/loaded_batch.h"

int dj_show_text(struct dj_history *history, const struct dj_loaded_batch *loaded,
                 struct dj_text *text, struct dj_error *err);

#endif
