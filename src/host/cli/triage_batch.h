/* Triage of a batch in the store: of the traces that its runs have as evidence. */
#ifndef DEJANK_CLI_TRIAGE_BATCH_H
#define DEJANK_CLI_TRIAGE_BATCH_H

#include "history/history.h"
#include "triage/triage.h"

/*
 * Adds the traces of a batch's runs that count, each named as `show --save-traces` names
 * its file; `base`: as what is held against. *traces is how many there were. A trace that
 * cannot be read, or shows no frames, is passed over and told in *notes, a line each.
 * DJ_E_NO_DATA where no run has one.
 */
int dj_triage_add_batch(struct dj_triage *triage, struct dj_history *history,
                        int64_t batch, bool base, size_t *traces, struct dj_text *notes,
                        struct dj_error *err);

#endif
