/* `dejank show --json`, schema dejank.show/1 (docs/format/list.md). */
#ifndef DEJANK_CLI_SHOW_JSON_H
#define DEJANK_CLI_SHOW_JSON_H

#include "history/loaded_batch.h"

int dj_show_json(struct dj_history *history, const struct dj_loaded_batch *loaded,
                 struct dj_text *text, struct dj_error *err);

#endif
