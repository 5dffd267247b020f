/* `dejank gate`: what it is asked, by its options and by a plan (options win), and more
 * runs where it is undecided. */
#ifndef DEJANK_CLI_GATE_H
#define DEJANK_CLI_GATE_H

#include "cli/options.h"
#include "plan/plan.h"

struct dj_gate_options {
    const char *plan; /* operand that is a plan; NULL: none */
    const char *candidate;
    const char *project, *flow, *device, *store;
    const char *baseline, *repository, *margin, *alpha, *stale, *undecided, *looks;
    bool nearest, allow_new, rerun, json;
    struct dj_option_list metrics, objectives;
    const char *junit, *markdown, *annotations, *annotations_file;
};

/* Zero it; finish it in every case. */
struct dj_gate_ask {
    struct dj_gate_rules rules; /* point into the plan */
    struct dj_cell_wanted *wanted;
    struct dj_plan plan; /* with what the options say; `file` NULL: there is only that */
    struct dj_text plan_bytes;
};

/* Says on stderr what is wrong; an exit code. */
int dj_gate_ask(const struct dj_gate_options *options, struct dj_gate_ask *ask);
void dj_gate_ask_finish(struct dj_gate_ask *ask);

/* ---- deciding by more runs ---- */

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
