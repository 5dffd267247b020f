/* Adds the traces of a stored batch to a triage. Each run of the batch may have a trace.
 */
#ifndef DEJANK_TRIAGE_BATCH_H
#define DEJANK_TRIAGE_BATCH_H

#include "store/store.h"
#include "triage/findings.h"

/* A triage of several traces, with notes about the traces that were skipped. */
struct dj_triage_sum {
    struct dj_triage *triage;
    struct dj_triage_findings
        findings; /* Findings of the janky rows in the gfxinfo of the added runs. */
    struct dj_text notes; /* Notes about skipped traces, one line for each. */
    size_t traces;        /* Number of traces that were added. */
};

/* Frees the members of `sum`. A zeroed struct is allowed. */
void dj_triage_sum_finish(struct dj_triage_sum *sum);

/* Adds the traces of the batch's valid runs. Each trace is named like the file to which
 * `show --save-traces` would write it. If `base` is true, the traces are the baseline. If
 * a trace cannot be read or has no frames, skips it and appends a note. Returns
 * DJ_E_NO_DATA if no run has a usable trace. */
int dj_triage_add_batch(struct dj_triage_sum *sum, struct dj_store *store, int64_t batch,
                        bool base, struct dj_error *err);

/* Adds the trace of one run of the batch, whether or not the run counts. Returns
 * DJ_E_NO_DATA if it has no usable trace. */
int dj_triage_add_stored_run(struct dj_triage_sum *sum, struct dj_store *store,
                             int64_t batch, int64_t run, struct dj_error *err);

#endif
