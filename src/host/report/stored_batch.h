/* Stored batches and blessings, as documents and as JSON. */
#ifndef DEJANK_REPORT_STORED_BATCH_H
#define DEJANK_REPORT_STORED_BATCH_H

#include "base/text.h"
#include "report/document.h"
#include "store/loaded_batch.h"

/* Adds to an empty document the figures of a batch over its runs, each run, and as
 * details its origin and the conditions of the runs. `store` is the option --store for
 * the next commands, or NULL. Returns 0 or an error of the store. */
int dj_report_build_stored_batch(struct dj_document *document, struct dj_store *history,
                                 const struct dj_loaded_batch *loaded, const char *store,
                                 struct dj_error *err);

/* The next function writes JSON with the schema dejank.show/1 (docs/format/list.md). */

int dj_report_stored_batch_json(struct dj_store *history,
                                const struct dj_loaded_batch *loaded,
                                struct dj_text *text, struct dj_error *err);

/* Zero the struct before use. */
struct dj_batch_list {
    struct dj_batch_row *rows; /* Batches, the newest first. */
    size_t count;
    struct dj_strings strings; /* Owns the texts of the rows. */
};

/* Reads the batches that match. If `history` is NULL, there is no store, and the list is
 * empty. Call dj_report_finish_batch_list() in every case. */
int dj_report_load_batch_list(struct dj_batch_list *list, struct dj_store *history,
                              const struct dj_batch_filter *filter, struct dj_error *err);
void dj_report_finish_batch_list(struct dj_batch_list *list);

/* Appends JSON with schema dejank.list/1. */
void dj_report_write_batch_list_json(struct dj_text *text,
                                     const struct dj_batch_list *list);

/* Adds a table of the first `most` batches, and before it the facts that all batches have
 * in common. */
void dj_report_add_batch_list(struct dj_document *document,
                              const struct dj_batch_list *list, size_t most);

/* Adds a list with at least one batch to an empty document. `store` is the option --store
 * for the next commands, or NULL. */
void dj_report_build_batch_list(struct dj_document *document,
                                const struct dj_batch_list *list, const char *store);

/* Appends the blessings of a project, or of all projects if `project` is NULL, as JSON
 * with the schema dejank.blessings/1. `history` NULL means that there is no store.
 * Returns 0 or an error of the store. */
int dj_report_write_blessings_json(struct dj_text *text, struct dj_store *history,
                                   const char *project, struct dj_error *err);

/* Adds the blessings to the document, which must be empty. The arguments and the result
 * are those of dj_report_write_blessings_json(). */
int dj_report_build_blessings(struct dj_document *document, struct dj_store *history,
                              const char *project, struct dj_error *err);

#endif
