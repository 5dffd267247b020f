/* Compares two builds of one store on each of several devices. */
#ifndef DEJANK_GATE_COMPARE_BUILDS_H
#define DEJANK_GATE_COMPARE_BUILDS_H

#include "compare/read_side.h"
#include "gate/gate.h"

/* Compares the two builds. `stores` has the store and the name of each build, and both
 * must have the same store. Returns DJ_E_USAGE if the builds have batches of several
 * flows. Returns DJ_E_NO_DATA if no device has figures of both builds. Call
 * dj_gate_finish() on *range in every case. */
int dj_gate_compare_builds(const struct dj_side_filter *filter,
                           const struct dj_sides_stores *stores,
                           const struct dj_compare_rules *rules, struct dj_gate *range,
                           struct dj_error *err);

#endif
