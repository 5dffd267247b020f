/* Work that lasts until a time, not until it is done. Of this room only. */
#ifndef DEJANK_TRIAGE_SPINNING_H
#define DEJANK_TRIAGE_SPINNING_H

#include "triage/collect.h"

/*
 * A section that always takes as long by the clock, however much of that its thread was
 * kept off its core, is not made longer by that: it waits busily, or does as much as
 * fits. Without those on the core it would have lasted as long. Such time is moved, in
 * all frames, from the shares of who was on the core to the section's own.
 */
void dj_triage_move_spinning(struct dj_triage *triage);

#endif
