/* What the store keeps of a device, as its facts again: for classes of devices, and for
 * what the devices of a range differ in. Pure. */
#ifndef DEJANK_JUDGE_STORED_FACTS_H
#define DEJANK_JUDGE_STORED_FACTS_H

#include "device/facts.h"
#include "history/loaded_batch.h"

/* What the store does not say stays unknown. RAM without a unit is what MangoHud's logs
 * have: KiB. */
void dj_stored_facts(const struct dj_loaded_batch *batch, struct dj_device_facts *facts);

#endif
