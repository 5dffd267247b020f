/* A batch of the store with its runs, for people and for scripts. */
#ifndef DEJANK_REPORT_STORED_BATCH_H
#define DEJANK_REPORT_STORED_BATCH_H

#include "base/text.h"
#include "store/loaded_batch.h"

/* ---- for people: facts of a batch, its runs, and a summary ---- */

int dj_report_stored_batch_text(struct dj_store *history,
                                const struct dj_loaded_batch *loaded,
                                struct dj_text *text, struct dj_error *err);

/* ---- schema dejank.show/1 (docs/format/list.md) ---- */

int dj_report_stored_batch_json(struct dj_store *history,
                                const struct dj_loaded_batch *loaded,
                                struct dj_text *text, struct dj_error *err);

/* ---- all batches: a table for people, or schema dejank.list/1 ---- */

/* `history` NULL: there is no store, and so no batch. The table is empty without
 * batches. */
int dj_report_batch_list(struct dj_store *history, const struct dj_batch_filter *filter,
                         bool json, struct dj_text *text, struct dj_error *err);

/* ---- accepted changes: a line each, or schema dejank.blessings/1 ---- */

/* `project` NULL: of all projects. `history` NULL: there is no store. */
int dj_report_blessings(struct dj_store *history, const char *project, bool json,
                        struct dj_text *text, struct dj_error *err);

#endif
