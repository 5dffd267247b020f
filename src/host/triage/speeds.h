/* How fast cores were, and were let be. Of this room only. */
#ifndef DEJANK_TRIAGE_SPEEDS_H
#define DEJANK_TRIAGE_SPEEDS_H

#include "triage/index.h"

/* Of [from_ns, to_ns) on a CPU, how long would have been saved at its full frequency,
 * where it ran at a limit below that. 0: it ran at no such limit, or that is not told. */
int64_t dj_triage_held_back(const struct dj_triage_index *index, int32_t cpu,
                            int64_t from_ns, int64_t to_ns);

#endif
