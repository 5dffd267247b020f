/* A batch of the store with its runs, for people and for scripts. */
#ifndef DEJANK_REPORT_STORED_BATCH_H
#define DEJANK_REPORT_STORED_BATCH_H

#include "base/text.h"
#include "store/loaded_batch.h"

/* ---- for people: facts of a batch, its runs, what they come to ---- */

int dj_report_stored_batch_text(struct dj_history *history,
                                const struct dj_loaded_batch *loaded,
                                struct dj_text *text, struct dj_error *err);

/* ---- schema dejank.show/1 (docs/format/list.md) ---- */

int dj_report_stored_batch_json(struct dj_history *history,
                                const struct dj_loaded_batch *loaded,
                                struct dj_text *text, struct dj_error *err);

#endif
