/* What the files of the gate share. Private to the gate*.c files. */
#ifndef DEJANK_GATE_GATE_PARTS_H
#define DEJANK_GATE_GATE_PARTS_H

#include "gate/gate.h"

/* Judges what is compared and assessed as one family at gate->alpha: each metric's
 * verdict, each objective's state, and each cell's verdict anew. */
int dj_gate_family(struct dj_gate *gate, struct dj_error *err);

/* Each cell's answer, from its verdict, its objectives and what is missing, and the
 * gate's; and each flow's range of devices, from its cells, which lie by flow. */
void dj_gate_give_answers(struct dj_gate *gate, const struct dj_gate_rules *rules);

#endif
