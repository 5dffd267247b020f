/* Adds the traces that the runs of a stored batch have as evidence to a triage. */
#ifndef DEJANK_TRIAGE_BATCH_H
#define DEJANK_TRIAGE_BATCH_H

#include "store/store.h"
#include "triage/findings.h"

/* Triage of several traces, with notes about skipped ones. */
struct dj_triage_sum {
    struct dj_triage *triage;
    struct dj_triage_findings
        findings;         /* Janky rows from the gfxinfo of the added runs. */
    struct dj_text notes; /* One line for each trace that was skipped. */
    size_t traces;        /* Number of traces that were added. */
};

/* Frees the members. Works on a zeroed struct, too. */
void dj_triage_sum_finish(struct dj_triage_sum *sum);

/* Adds the traces of the batch's valid runs. A trace gets the file name that `show
 * --save-traces` would use. `base` adds the traces as the baseline. Skips a trace that is
 * unreadable or has no frames, and appends a note about it. Returns DJ_E_NO_DATA if no
 * run has a usable trace. */
int dj_triage_add_batch(struct dj_triage_sum *sum, struct dj_store *store, int64_t batch,
                        bool base, struct dj_error *err);

#endif
