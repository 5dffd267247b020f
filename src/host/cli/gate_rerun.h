/* Deciding by more runs: when the gate looks, and how runs are added to batches that are
 * there. */
#ifndef DEJANK_CLI_GATE_RERUN_H
#define DEJANK_CLI_GATE_RERUN_H

#include "cli/gate_ask.h"

/* The looks of a gate: those asked for, else once, 1½, 2 and 3 times the planned runs.
 * *look: which of them this is. DJ_E_USAGE, said in err. */
int dj_gate_looks(const struct dj_gate_ask *ask, const struct dj_gate *gate,
                  struct dj_looks *looks, size_t *look, struct dj_error *err);

/*
 * Adds interleaved runs to the undecided flows' batches until each build has `runs`, by
 * the plan given or by the one the candidate was measured with, if it is still there.
 * False: it cannot be done, or not all could be made; said on stderr.
 */
bool dj_gate_rerun(const struct dj_gate_ask *ask, struct dj_history *history,
                   const struct dj_gate *gate, int64_t runs);

#endif
