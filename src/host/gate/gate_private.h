/* Functions that the files of the gate share. */
#ifndef DEJANK_GATE_GATE_PRIVATE_H
#define DEJANK_GATE_GATE_PRIVATE_H

#include "gate/gate.h"

/* Judges all comparisons and objectives as one family at gate->alpha. Sets the verdict of
 * each metric, the state of each objective, and the verdict of each cell. */
int dj_gate_judge_family(struct dj_gate *gate, struct dj_error *err);

/* Sets the answer of each cell from its verdict, its objectives and its missing
 * measurements. Then sets the gate's answer and each flow's summary over its devices. The
 * cells must be sorted by flow. */
void dj_gate_set_answers(struct dj_gate *gate, const struct dj_gate_rules *rules);

#endif
