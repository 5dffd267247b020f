/* A batch with all its runs, as copies that outlive the reading: for lists, reports and
 * comparisons. */
#ifndef DEJANK_STORE_LOADED_BATCH_H
#define DEJANK_STORE_LOADED_BATCH_H

#include "memory/strings.h"
#include "stats/center.h"
#include "store/browse.h"

/* A copy whose texts are kept in `strings`. */
struct dj_batch_row dj_batch_row_keep(struct dj_strings *strings,
                                      const struct dj_batch_row *row);

/* Zero it. */
struct dj_loaded_batch {
    struct dj_batch_row batch;
    struct dj_fact *facts; /* of the device */
    size_t fact_count;
    struct dj_run_row *runs; /* in the order they were made */
    size_t run_count;
    struct dj_strings strings; /* all that the above point to */
};

/* Finish it also after an error. DJ_E_NO_DATA: there is no such batch. */
int dj_loaded_batch_load(struct dj_history *history, int64_t batch,
                         struct dj_loaded_batch *loaded, struct dj_error *err);
void dj_loaded_batch_finish(struct dj_loaded_batch *loaded);

/* A metric over the runs that count. */
void dj_runs_center(const struct dj_run_row *runs, size_t count, enum dj_metric metric,
                    struct dj_center *center);

/* What tells one build from another, for people: its label, else version, else commit;
 * NULL: nothing does. */
const char *dj_batch_build_name(const struct dj_batch_row *batch);

#endif
