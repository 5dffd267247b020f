/* Two builds that were measured on several devices, each compared by itself. */
#ifndef DEJANK_CLI_COMPARE_DEVICES_H
#define DEJANK_CLI_COMPARE_DEVICES_H

#include "cli/compare_sides.h"
#include "judge/gate.h"

/* Judges them. `stores`: both of one store, each with its word. Finish the gate in every
 * case. */
int dj_compare_devices(const struct dj_side_filter *filter,
                       const struct dj_sides_stores *stores,
                       const struct dj_compare_rules *rules, struct dj_gate *range,
                       struct dj_error *err);

#endif
