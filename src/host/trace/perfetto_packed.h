/* Switches and wake-ups of a bundle, packed side by side (CompactSched). For
 * perfetto_bundle.c alone. */
#ifndef DEJANK_TRACE_PERFETTO_PACKED_H
#define DEJANK_TRACE_PERFETTO_PACKED_H

#include "trace/perfetto_bundle.h"

/* Opens both of a bundle. False: out of memory. */
bool dj_pf_packed_open(struct dj_pf_bundle *bundle, struct dj_words bytes);

/* Goes on to the next one's time, or ends. */
void dj_pf_packed_next(struct dj_pf_packed *packed);

/* The next one, which there is, as an event; who was there before is whom the CPU runs.
 */
void dj_pf_packed_take_switch(struct dj_pf_bundle *bundle, struct dj_pf_running *running,
                              struct dj_event *event);
void dj_pf_packed_take_wake(struct dj_pf_bundle *bundle,
                            const struct dj_pf_running *running, struct dj_event *event);

#endif
