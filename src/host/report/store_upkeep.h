/* Results of `dejank store`: a document, or JSON with schema dejank.store/1. */
#ifndef DEJANK_REPORT_STORE_UPKEEP_H
#define DEJANK_REPORT_STORE_UPKEEP_H

#include "base/text.h"
#include "measure/recordings.h"
#include "report/document.h"
#include "store/upkeep.h"

/* The output of one job. Zero it before use, and set `json` and `store`. */
struct dj_store_page {
    struct dj_text text;         /* The JSON. */
    struct dj_document document; /* The output for people. */
    struct dj_document body;     /* What the document gets once its verdict is known. */
    bool json;
    const char *store; /* The option --store for the next commands, or NULL. */
};

/* Frees the documents, but not the text. */
void dj_report_store_finish(struct dj_store_page *page);

/* ---- the JSON document; these do nothing without `json` ---- */

/* Opens the document of a job, and an array with the key `array` (unless it is NULL),
 * which dj_report_store_close_array() closes. */
void dj_report_store_begin(struct dj_store_page *page, const char *job,
                           const char *array);
void dj_report_store_close_array(struct dj_store_page *page);
void dj_report_store_end(struct dj_store_page *page);

/* ---- results of the jobs ---- */

/* One problem. `user` is the page: a callback of dj_store_check(). */
void dj_report_store_problem(void *user, const char *sentence);

/* Ends the output of a check. */
void dj_report_store_check(struct dj_store_page *page,
                           const struct dj_store_check_result *checked);

/* One exported or loaded file. `what`: "wrote" or "loaded". */
void dj_report_store_moved(struct dj_store_page *page, const char *what, const char *path,
                           const struct dj_store_copy_counts *moved);

/* The whole output of recomputing figures. */
void dj_report_store_recomputed(struct dj_store_page *page,
                                const struct dj_store_recompute_result *done);

/* One batch that a prune deletes. `user` is the page: a callback of dj_store_prune().
 */
int dj_report_store_pruned_batch(void *user, const struct dj_batch_row *batch);

/* Ends the output of a prune. `deleted` false: batches were only listed. */
void dj_report_store_pruned(struct dj_store_page *page, bool deleted,
                            const struct dj_store_prune_result *pruned);

/* One recording that a prune removes, and the end of that output. */
void dj_report_store_pruned_recording(struct dj_store_page *page,
                                      const struct dj_kept_recording *recording);
void dj_report_store_pruned_recordings(struct dj_store_page *page, bool deleted,
                                       int64_t recordings, int64_t bytes);

/* One batch or run (`number` > 0) that was excluded, or with `reason` NULL included. */
void dj_report_store_excluded(struct dj_store_page *page, const char *name,
                              int64_t number, const char *reason);

#endif
