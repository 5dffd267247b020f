/* Triage of a batch in the store: of the traces that its runs have as evidence. */
#ifndef DEJANK_TRIAGE_BATCH_H
#define DEJANK_TRIAGE_BATCH_H

#include "store/store.h"
#include "triage/findings.h"

/* Where what is found of batches goes. */
struct dj_triage_sum {
    struct dj_triage *triage;
    struct dj_triage_findings tie; /* rows of gfxinfo of the same runs */
    struct dj_text notes;          /* what was left out, a line each */
    size_t traces;                 /* that were added */
};

/* Zeroed sums are to be finished, too. */
void dj_triage_sum_finish(struct dj_triage_sum *sum);

/*
 * Adds the traces of a batch's runs that count. Each is named as `show --save-traces`
 * names its file. `base`: as the baseline. An unreadable trace, or one without frames, is
 * skipped with a note. DJ_E_NO_DATA if no run has a usable trace.
 */
int dj_triage_add_batch(struct dj_triage_sum *sum, struct dj_store *history,
                        int64_t batch, bool base, struct dj_error *err);

#endif
