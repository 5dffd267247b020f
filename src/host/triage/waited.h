/* What those did who were waited for. Of this room only. */
#ifndef DEJANK_TRIAGE_WAITED_H
#define DEJANK_TRIAGE_WAITED_H

#include "triage/path.h"

/* Notes with a piece what thread `other` did in its time, through further waits; of ipc
 * it is then held by the one that had it longest. */
void dj_triage_look_at(struct dj_triage_path *path, struct dj_triage_piece *piece,
                       enum dj_cause_kind kind, uint32_t other);

#endif
