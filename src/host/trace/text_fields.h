/* What stands behind an event's name in trace text: "comm=weston pid=15596 prio=120". Of
 * this room only. */
#ifndef DEJANK_TRACE_TEXT_FIELDS_H
#define DEJANK_TRACE_TEXT_FIELDS_H

#include "trace/event.h"

/* Fills the event that is called event->name from its fields' text; it stays
 * DJ_EVENT_OTHER where that event means nothing here, or lacks what gives it meaning. */
void dj_text_fields_read(struct dj_str text, struct dj_event *event);

#endif
