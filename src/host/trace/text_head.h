/* What stands before an event in a line of trace text: which thread, where and when, in
 * every layout that it has had. Of this room only. */
#ifndef DEJANK_TRACE_TEXT_HEAD_H
#define DEJANK_TRACE_TEXT_HEAD_H

#include "trace/event.h"

struct dj_text_head {
    size_t length; /* bytes of it: the event's name begins behind them */
    bool counted;  /* its stamp is a whole number */
};

/* Fills task, tid, pid, cpu, at_ns and interrupted in; they point into the line. False:
 * no line of a trace begins so, and *event is as it was. */
bool dj_text_head_read(struct dj_str line, struct dj_text_head *head,
                       struct dj_event *event);

#endif
