/* Results of `dejank store`: a document, or JSON with schema dejank.store/1. */
#ifndef DEJANK_REPORT_STORE_UPKEEP_H
#define DEJANK_REPORT_STORE_UPKEEP_H

#include "base/text.h"
#include "measure/recordings.h"
#include "report/document.h"
#include "store/upkeep.h"

/* The output of one job. Zero the struct before use, and set `json` and `store`. */
struct dj_store_page {
    struct dj_text text;         /* Text of the JSON document. */
    struct dj_document document; /* Document with the output for people. */
    /* Blocks that are moved to `document` after its verdict, which is known last. */
    struct dj_document body;
    bool json;
    const char *store; /* The option --store for the next commands, or NULL. */
};

/* Frees the documents, but not the text. */
void dj_report_store_finish(struct dj_store_page *page);

/* The next functions append to the JSON document. They do nothing if `json` is false. */

/* Opens the document of a job, and an array with the key `array` (unless it is NULL),
 * which dj_report_store_close_array() closes. */
void dj_report_store_begin(struct dj_store_page *page, const char *job,
                           const char *array);
void dj_report_store_close_array(struct dj_store_page *page);
void dj_report_store_end(struct dj_store_page *page);

/* Adds one problem. This is a callback of dj_store_check(), and `user` is the page. */
void dj_report_store_problem(void *user, const char *sentence);

/* Ends the output of a check. */
void dj_report_store_check(struct dj_store_page *page,
                           const struct dj_store_check_result *checked);

/* Adds one file that was exported or loaded. `what` is "wrote" or "loaded". */
void dj_report_store_moved(struct dj_store_page *page, const char *what, const char *path,
                           const struct dj_store_copy_counts *moved);

/* Writes the whole output of recomputing figures. */
void dj_report_store_recomputed(struct dj_store_page *page,
                                const struct dj_store_recompute_result *done);

/* Adds one batch that a prune deletes. This is a callback of dj_store_prune(), and `user`
 * is the page. */
int dj_report_store_pruned_batch(void *user, const struct dj_batch_row *batch);

/* Ends the output of a prune. `deleted` is false if the prune only listed batches. */
void dj_report_store_pruned(struct dj_store_page *page, bool deleted,
                            const struct dj_store_prune_result *pruned);

/* Adds one recording that a prune removes. */
void dj_report_store_pruned_recording(struct dj_store_page *page,
                                      const struct dj_kept_recording *recording);

/* Ends the output of the recordings that a prune removes. */
void dj_report_store_pruned_recordings(struct dj_store_page *page, bool deleted,
                                       int64_t recordings, int64_t bytes);

/* Adds a batch that was excluded, or one of its runs if `number` > 0. If `reason` is
 * NULL, the batch or run was included again. */
void dj_report_store_excluded(struct dj_store_page *page, const char *name,
                              int64_t number, const char *reason);

#endif
