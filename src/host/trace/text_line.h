/* One line of the kernel's trace text, in every layout it has had, and trace-cmd's. Of
 * this room only. */
#ifndef DEJANK_TRACE_TEXT_LINE_H
#define DEJANK_TRACE_TEXT_LINE_H

#include "trace/event.h"

enum dj_text_line {
    DJ_LINE_EVENT,
    DJ_LINE_COUNTED, /* the same, its stamp a whole number: nanoseconds in reports of
                        trace-cmd; the kernel writes ticks so, and seconds else */
    DJ_LINE_LOST,    /* "CPU 2 buffer started", "[LOST 13 EVENTS]": a DJ_EVENT_LOST */
    DJ_LINE_NOISE,   /* a comment, an empty line */
    DJ_LINE_STRANGE  /* none of these */
};

/* `interrupted` of an event whose line has no flags: nothing is told of interrupts. */
enum { DJ_LINE_WITHOUT_FLAGS = 2 };

/*
 * Reads a line (without its line end). An event's meaning and fields are filled in where
 * it has one here (shapes.h, marker.h); else its kind is DJ_EVENT_OTHER, and its name
 * that of the event. The event points into the line.
 */
enum dj_text_line dj_text_line_read(struct dj_str line, struct dj_event *event);

/* ---- text_head.c: what stands before an event: which thread, where and when ---- */

struct dj_text_head {
    size_t length; /* bytes of it: the event's name begins behind them */
    bool counted;  /* its stamp is a whole number */
};

/* Fills task, tid, pid, cpu, at_ns and interrupted in; they point into the line. False:
 * no line of a trace begins so, and *event is as it was. */
bool dj_text_head_read(struct dj_str line, struct dj_text_head *head,
                       struct dj_event *event);

/* ---- text_fields.c: what stands behind its name: "comm=weston pid=15596 prio=120" ----
 */

/* Fills the event that is called event->name from its fields' text; it stays
 * DJ_EVENT_OTHER where that event means nothing here, or lacks what gives it meaning. */
void dj_text_fields_read(struct dj_str text, struct dj_event *event);

#endif
